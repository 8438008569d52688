// make and just: the recipes a target would run, read from the project's own file.
// Invariant: every recipe reachable from the targets is followed once; what the file does not say is exec, and unknown
// too where the target's name is no convention.
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { executes } from "./programs.js";
import { type Task, taskfileTasks } from "./task-files.js";

interface Makefile {
  rules: Map<string, { needs: string[]; recipe: string[] }>;
  variables: Map<string, string>;
  first?: string;
  /** Includes, functions and the like that this reader does not follow. */
  partial: boolean;
}

const conventional = new RegExp(
  `^(${[
    "default|all|build|test|tests|check|lint|clean|install|fmt|format|dev|run|docs?|help|coverage|bench|deps|setup|ci|dist",
    "release|debug|vet|tidy|generate|verify|compile|watch|distclean|typecheck|unit|integration|e2e",
  ].join("|")})([-_.:]\\w+)*$`,
);

export const makers = tools(
  "make",
  `
tool make gmake bmake mingw32-make remake
  options C|directory= f|makefile|file= I|include-dir= j|jobs=? l|load-average=? o|old-file|assume-old=
    W|what-if|new-file=
    eval=evaluate k|keep-going i|ignore-errors s|silent p|print-data-base B|always-make e|environment-overrides
    r|no-builtin-rules R|no-builtin-variables t|touch O|output-sync=? d debug=? w|print-directory no-print-directory
    S|no-keep-going b m L trace warn-undefined-variables shuffle=? v h
  dry n|recon|just-print|dry-run q|question
  --v|h : quiet
  otherwise do make
tool just
  style posix
  options f|justfile= d|working-directory= c|command set= l|list=? summary s|show= evaluate choose dump fmt list-all
    shell= shell-arg= chooser= dotenv-path= dotenv-filename= e|edit color= q|quiet v|verbose u|unsorted groups
    init variables changelog man completions= check unstable yes timestamp= V h g|global-justfile tempdir= usage
    no-deps no-dotenv highlight no-highlight explain one timestamps cygpath= dump-format= list-heading= list-prefix=
  dry n|dry-run
  --list|summary|show|evaluate|dump|list-all|groups|variables|changelog|man|completions|usage|V|h : quiet
  --fmt|init|edit : write ./justfile
  --command : do command
  otherwise do just
tool task go-task mage invoke inv doit cake jake gulp grunt moon mask
  style posix
  options t|f|taskfile|file= d|dir= c|collection= set= l|list a|list-all s|silent n|dry|dry-run summary show= p|parallel
    w|watch v|verbose C|concurrency= o|output= x|exit-code y|yes g|global e|echo j|json r|search-root= gulpfile= cwd=
    tasks T|tasks-simple compile= h prompt-for-sudo-password b|base= gruntfile= force no-color q|quiet log= maskfile=
    init status i k
  --list|list-all|dry-run|summary|show|tasks|tasks-simple|h|status : quiet
  otherwise do task
`,
  {
    evaluate({ value }, emit) {
      if (/\$\(shell|:\s*;|\n\t/.test(value?.value ?? "$(shell")) emit.unknown("make --eval");
    },
    make,
    command({ call, raw }, emit) {
      const at = call.args.findIndex((arg) => /^(-c|--command)$/.test(arg.value ?? ""));
      emit.run(raw.slice(at + 1), "run by just");
    },
    just,
    task({ call, given, rest }, emit) {
      const names = rest.filter((word) => !/^[A-Za-z_]\w*=/.test(word.value ?? ""));
      const folder = given.value("dir");
      const files = given.value("file") ? [given.value("file")!.value ?? ""] : taskfiles;
      const text = /^(go-)?task$/.test(call.name)
        ? files.map((name) => emit.projectFile(within(folder, name))).find((found) => found !== undefined)
        : undefined;
      const tasks = text === undefined ? undefined : taskfileTasks(text);
      runTasks(tasks, names.length ? names : [literal("default")], folder, call, emit);
    },
  },
);

const taskfiles = "Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml".split(" ");
const within = (folder: Arg | undefined, name: string): Arg =>
  literal(folder?.value ? `${folder.value}/${name}` : name);

/** Follows tasks and what they need, each once; one that is not found is code nobody sees. */
export function runTasks(
  tasks: ReadonlyMap<string, Task> | undefined,
  wanted: readonly Arg[],
  folder: Arg | undefined,
  call: Invocation,
  emit: Emit,
): void {
  const seen = new Set<string>();
  const run = (word: Arg) => {
    const task = tasks?.get(word.value ?? "");
    if (!task) return unread(call, [word], emit);
    if (seen.has(word.value!) || seen.size > 100) return;
    seen.add(word.value!);
    for (const need of task.needs) run(literal(need));
    const cwd = task.folder === undefined ? folder : within(folder, task.folder);
    const body = task.lines.join("\n").replace(/\{\{[^}]*\}\}/g, '"$__unresolved"');
    if (body) emit.shell(literal(body), `task ${word.value}`, { ofProject: true, ...(cwd && { cwd }) });
  };
  for (const word of wanted) run(word);
}

function make({ call, given, rest }: Use, emit: Emit): void {
  const directory = given.value("directory");
  const text = makefileText(call, directory, given.value("file"), emit);
  const targets = rest.filter((word) => !/^[A-Za-z_]\w*\s*[:+?]?=/.test(word.value ?? ""));
  if (text === undefined) return unread(call, targets, emit);
  const file = readMakefile(text);
  for (const word of rest) {
    const [, name, value] = /^([A-Za-z_]\w*)\s*[:+?]?=([\s\S]*)$/.exec(word.value ?? "") ?? [];
    if (name) file.variables.set(name, value ?? "");
  }
  const wanted = targets.length ? targets.map((word) => word.value) : [file.first];
  follow(file, wanted, call, directory, emit);
}

/** The rules: from standard input, a named file, or the one make looks for. */
function makefileText(call: Invocation, directory: Arg | undefined, named: Arg | undefined, emit: Emit) {
  const place = (name: string) => literal(directory?.value ? `${directory.value}/${name}` : name);
  if (named?.value === "-" && call.stdin.kind === "text") return call.stdin.text;
  if (named) return named.process?.text ?? emit.projectFile(place(named.value ?? ""));
  return ["GNUmakefile", "makefile", "Makefile"]
    .map((name) => emit.projectFile(place(name)))
    .find((found) => found !== undefined);
}

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
      if (command)
        emit.shell(literal(command), `recipe of ${target}`, { ofProject: true, ...(directory && { cwd: directory }) });
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

/** What make itself or the environment sets. */
const provided: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  MAKE: "make",
  CURDIR: '"$PWD"',
  RM: "rm -f",
  ...Object.fromEntries(["HOME", "PWD", "TMPDIR"].map((name) => [name, `$${name}`])),
});

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
        if (value === undefined) return provided[name] ?? `"$__make_${name.replace(/\W/g, "_")}"`;
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

function just({ call, given, rest: [target, ...args] }: Use, emit: Emit): void {
  const text = ["justfile", "Justfile", ".justfile"]
    .map((name) => emit.projectFile(given.value("justfile") ?? literal(name)))
    .find(Boolean);
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
    if (body) emit.shell(literal(body), `recipe of ${name}`, { ofProject: true, positional: [literal(name), ...args] });
  };
  run(wanted);
}

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
