// make and just: the recipes a target would run, read from the project's own file.
// Invariant: every recipe reachable from the targets is followed once; what the file does not say is `exec`, unknown when unconventional.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { asksHelp, asksHelpFirst, executes } from "./table.js";

interface Makefile {
  rules: Map<string, { needs: string[]; recipe: string[] }>;
  variables: Map<string, string>;
  first?: string;
  /** Includes, functions and the like that this reader does not follow. */
  partial: boolean;
}

const makeSyntax = syntax(
  "C|directory= f|makefile|file= I|include-dir= j|jobs=? l|load-average=? o|old-file= W|what-if= eval= n|recon|just-print|dry-run q|question k i s p B e r R t|touch O|output-sync=?",
);

const conventional =
  /^(all|build|test|tests|check|lint|clean|install|fmt|format|dev|run|docs?|help|coverage|bench|deps|setup|ci|dist|release|debug|vet|tidy|generate|verify|compile|watch|distclean|typecheck|unit|integration|e2e)([-_.:]\w+)*$/;

const make: ToolFamily = {
  names: ["make", "gmake", "bmake", "mingw32-make", "remake"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, makeSyntax);
    for (const text of given.values("eval"))
      if (/\$\(shell|:\s*;|\n\t/.test(text.value ?? "$(shell")) emit.unknown("make --eval");
    const directory = given.value("directory");
    const place = (name: string) => literal(directory?.value ? `${directory.value}/${name}` : name);
    const named = given.value("file");
    const input = named?.value === "-" && call.stdin.kind === "text" ? call.stdin.text : undefined;
    const text =
      input !== undefined
        ? input
        : named
          ? (named.process?.text ?? emit.projectFile(place(named.value ?? "")))
          : ["GNUmakefile", "makefile", "Makefile"]
              .map((name) => emit.projectFile(place(name)))
              .find((found) => found !== undefined);
    const targets = given.operands.filter((word) => !/^[A-Za-z_]\w*\s*[:+?]?=/.test(word.value ?? ""));
    if (given.has("dry-run", "question")) return;
    if (text === undefined) return unread(call, targets, emit);
    const file = readMakefile(text);
    for (const word of given.operands) {
      const [, name, value] = /^([A-Za-z_]\w*)\s*[:+?]?=([\s\S]*)$/.exec(word.value ?? "") ?? [];
      if (name) file.variables.set(name, value ?? "");
    }
    const wanted = targets.length ? targets.map((word) => word.value) : [file.first];
    follow(file, wanted, call, directory, emit);
  },
};

function unread(call: Invocation, targets: readonly Arg[], emit: Emit): void {
  executes(call, emit, `${call.name} runs recipes`);
  const odd = targets.find((word) => !conventional.test(word.value ?? ""));
  if (odd) emit.unknown(`the recipe of ${odd.source} is not known`);
}

function follow(
  file: Makefile,
  wanted: (string | undefined)[],
  call: Invocation,
  directory: Arg | undefined,
  emit: Emit,
): void {
  const seen = new Set<string>();
  const queue = [...wanted];
  while (queue.length && seen.size < 200) {
    const target = queue.shift();
    if (target === undefined) {
      emit.unknown("a target of make is not static");
      continue;
    }
    if (seen.has(target)) continue;
    seen.add(target);
    const rule =
      file.rules.get(target) ?? [...file.rules].find(([name]) => name.includes("%") && matches(name, target))?.[1];
    if (!rule) {
      if (wanted.includes(target)) {
        executes(call, emit, `make ${target}`);
        if (file.partial) emit.unknown(`the rule for ${target} is not in this file`);
      }
      continue;
    }
    queue.unshift(...rule.needs.filter((need) => !seen.has(need)));
    for (const line of rule.recipe) {
      const expanded = expand(line, file.variables, target, rule.needs);
      for (const [, shell] of expanded.matchAll(/\$\(shell\s+([^()]*)\)/g))
        emit.shell(literal(shell!), "make $(shell)");
      const command = expanded.replace(/^[\s@+-]+/, "").replace(/\$\(shell\s+[^()]*\)/g, '"$__unresolved"');
      if (command) emit.shell(literal(command), `recipe of ${target}`, directory ? { cwd: directory } : {});
    }
  }
}

const matches = (pattern: string, target: string) => {
  const [before = "", after = ""] = pattern.split("%");
  return target.startsWith(before) && target.endsWith(after) && target.length >= before.length + after.length;
};

function readMakefile(text: string): Makefile {
  const file: Makefile = { rules: new Map(), variables: new Map(), partial: false };
  let current: string[] = [];
  for (const line of text.replace(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) {
      for (const name of current) file.rules.get(name)?.recipe.push(line.slice(1));
      continue;
    }
    const bare = line.replace(/(^|\s)#.*$/, "");
    if (/^\s*-?include\b|^\s*(define|eval|foreach)\b/.test(bare)) file.partial = true;
    const assignment = /^\s*(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(::?=|\?=|\+=|=|!=)\s*(.*)$/.exec(bare);
    if (assignment) {
      const [, name, operator, value] = assignment;
      const old = file.variables.get(name!);
      if (operator === "+=" && old !== undefined) file.variables.set(name!, `${old} ${value}`);
      else if (operator !== "?=" || old === undefined)
        file.variables.set(name!, operator === "!=" ? `$(shell ${value})` : value!.trim());
      current = [];
      continue;
    }
    const rule = /^([^\s:#=][^:=#]*?)\s*::?(?!=)\s*([^;]*)(?:;(.*))?$/.exec(bare);
    if (!rule) continue;
    const needs = rule[2]!
      .replace(/\|/g, " ")
      .split(/\s+/)
      .filter((word) => word && !word.includes("$"));
    current = expand(rule[1]!, file.variables, "", []).split(/\s+/).filter(Boolean);
    for (const name of current) {
      const known = file.rules.get(name) ?? { needs: [], recipe: [] };
      known.needs.push(...needs);
      if (rule[3]) known.recipe.push(rule[3].trim());
      file.rules.set(name, known);
      if (!file.first && !name.startsWith(".") && !name.includes("%")) file.first = name;
    }
  }
  return file;
}

/** Variables and automatic variables; what is not known becomes a shell variable nobody can resolve. */
function expand(
  line: string,
  variables: ReadonlyMap<string, string>,
  target: string,
  needs: readonly string[],
  depth = 0,
): string {
  return line.replace(
    /\$\$|\$\(([\w.-]+)\)|\$\{([\w.-]+)\}|\$([@<^?*%+])|\$\(([@<^?*%+])[DF]?\)/g,
    (whole, round, curly, automatic, long) => {
      if (whole === "$$") return "$";
      const name = round ?? curly;
      if (name !== undefined) {
        const value = variables.get(name);
        if (value === undefined) return name === "MAKE" ? "make" : `"$__make_${name.replace(/\W/g, "_")}"`;
        return depth > 8 ? '"$__unresolved"' : expand(value, variables, target, needs, depth + 1);
      }
      const mark = automatic ?? long;
      if (mark === "@") return target;
      if (mark === "<") return needs[0] ?? '"$__unresolved"';
      if (mark === "^" || mark === "+") return needs.join(" ");
      return '"$__unresolved"';
    },
  );
}

const just: ToolFamily = {
  names: ["just", "task", "go-task", "mage", "invoke", "inv", "doit", "cake", "jake", "gulp", "grunt", "moon", "mask"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const given = parse(
      call.args,
      syntax(
        "f|justfile|taskfile= d|working-directory|dir= c|command= set= l|list n|dry-run summary show= evaluate choose dump fmt",
        { posix: true },
      ),
    );
    if (given.has("list", "dry-run", "summary", "show", "evaluate", "dump", "list-all")) return;
    const own = call.name === "just" ? call.args.findIndex((arg) => /^(-c|--command)$/.test(arg.value ?? "")) : -1;
    if (own >= 0) return emit.run(call.args.slice(own + 1), "run by just");
    const [target, ...args] = given.operands;
    const text =
      call.name === "just"
        ? ["justfile", "Justfile", ".justfile"]
            .map((name) => emit.projectFile(given.value("justfile") ?? literal(name)))
            .find(Boolean)
        : undefined;
    const recipes = text ? readJustfile(text) : undefined;
    const wanted = target?.value ?? recipes?.keys().next().value;
    if (!recipes || wanted === undefined || !recipes.has(wanted)) return unread(call, target ? [target] : [], emit);
    const seen = new Set<string>();
    const run = (name: string) => {
      const recipe = recipes.get(name);
      if (!recipe || seen.has(name)) return;
      seen.add(name);
      for (const need of recipe.needs) run(need);
      const body = recipe.lines.join("\n");
      if (/^#!/.test(body) && !/^#!.*\b(ba|z|da)?sh\b/.test(body))
        return emit.unknown(`the recipe ${name} is a script of another language`);
      if (body) emit.shell(literal(body), `recipe of ${name}`, { positional: [literal(name), ...args] });
    };
    run(wanted);
  },
};

function readJustfile(text: string): Map<string, { needs: string[]; lines: string[] }> {
  const recipes = new Map<string, { needs: string[]; lines: string[] }>();
  let current: { needs: string[]; lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    if (/^[ \t]+\S/.test(line)) {
      current?.lines.push(
        line
          .trim()
          .replace(/^@/, "")
          .replace(/\{\{[^}]*\}\}/g, '"$__unresolved"'),
      );
      continue;
    }
    const head = /^@?([A-Za-z_][\w-]*)((?:\s+[^:=]+)?)\s*:(?!=)\s*(.*)$/.exec(line);
    if (!head) continue;
    current = {
      needs: head[3]!
        .replace(/\([^)]*\)/g, " ")
        .replace(/#.*$/, "")
        .split(/[\s&]+/)
        .filter(Boolean),
      lines: [],
    };
    recipes.set(head[1]!, current);
  }
  return recipes;
}

export const makers = [make, just];
