// Terminal multiplexers and process runners: commands handed to them run all the same.
// Invariant: text typed into a pane or given to a runner is followed as shell text.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { runScript } from "./scripts.js";
import { asksHelpFirst } from "./table.js";

const joined = (words: readonly Arg[]): Arg => {
  const known = words.every((word) => word.value !== undefined);
  const source = words.map((word) => word.source).join(" ");
  const value = words.map((word) => word.value).join(" ");
  return known
    ? { source, value, prefix: value }
    : { source, prefix: words[0]?.prefix ?? "", from: words.flatMap((word) => word.from ?? []) };
};

const tmux: ToolFamily = {
  names: ["tmux"],
  lower(call, emit) {
    const outer = parse(call.args, syntax("L= S= f= c= T= 2 u v V C", { posix: true }));
    for (const file of outer.values("f")) emit.script(file, "tmux reads commands from it", "other");
    for (const text of outer.values("c")) emit.shell(text, "tmux -c");
    for (const group of split(outer.operands)) pane(group, emit);
  },
};

/** Several tmux commands are separated by a word ";". */
function split(words: readonly Arg[]): Arg[][] {
  const groups: Arg[][] = [[]];
  for (const word of words) {
    if (word.value === ";") groups.push([]);
    else groups.at(-1)!.push(word);
  }
  return groups.filter((group) => group.length > 0);
}

function pane([verb, ...words]: Arg[], emit: Emit): void {
  const name = verb?.value ?? "";
  const given = parse(
    words,
    syntax("t= s= n= c= e= F= x= y= l= p= f= b= r= T= N= w= d D A P h v Z K k", { posix: true }),
  );
  const directory = given.value("c");
  const cwd = directory ? { cwd: directory } : {};
  if (
    /^(new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawnp|respawn-window|respawnw|popup|display-popup)$/.test(
      name,
    )
  ) {
    if (given.operands.length) emit.shell(joined(given.operands), `tmux ${name}`, cwd);
  } else if (/^(run|run-shell|if|if-shell|pipe-pane|pipep)$/.test(name)) {
    for (const text of given.operands.slice(0, 1)) emit.shell(text, `tmux ${name}`);
    if (/^if/.test(name))
      for (const text of given.operands.slice(1)) emit.unknown(`tmux runs its command ${text.source}`);
  } else if (/^(send|send-keys)$/.test(name)) {
    const keys = parse(words, syntax("t= N= l H R X M K F")).operands.filter(
      (word) => !/^(Enter|C-[a-z]|Escape|Space|Tab|BSpace|Up|Down|Left|Right|KPEnter)$/i.test(word.value ?? ""),
    );
    if (keys.length) emit.shell(joined(keys), "typed into a tmux pane");
  } else if (/^(kill-server|kill-session|kill-pane|kill-window|killp|killw)$/.test(name))
    emit.hazard({ class: "kill", level: name === "kill-server" ? 2 : 1, id: `tmux-${name}` }, `tmux ${name}`);
  else if (/^(source|source-file)$/.test(name))
    for (const file of given.operands) emit.unknown(`tmux reads commands from ${file.source}`);
}

const screen: ToolFamily = {
  names: ["screen", "zellij", "dtach", "abduco", "byobu"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const given = parse(call.args, syntax("S= c= e= h= p= s= t= T= L= d D r x R m X ls list", { posix: true }));
    if (given.has("ls", "list")) return;
    const [first, ...rest] = given.operands;
    if (given.has("X")) {
      const text = rest[0];
      if (first?.value === "stuff" && text)
        emit.shell({ ...text, value: text.value?.replace(/\\n|\^M|\n$/g, "") }, "typed into a screen window");
      else if (first?.value === "screen" && rest.length) emit.run(rest, "screen starts it");
      else if (/^(quit|kill)$/.test(first?.value ?? ""))
        emit.hazard({ class: "kill", level: 1, id: "screen-quit" }, "screen quit");
      return;
    }
    if (call.name === "zellij") {
      const at = given.operands.findIndex((word) => word.value === "run");
      if (at >= 0)
        emit.run(
          parse(given.operands.slice(at + 1), syntax("n= d= c= f i", { posix: true })).operands,
          "zellij runs it",
        );
      return;
    }
    const command = call.name === "dtach" || call.name === "abduco" ? rest : given.operands;
    if (command.length) emit.run(command, `${call.name} starts it`);
  },
};

/** concurrently "a" "b", npm-run-all, nodemon --exec, wait-on x && y, watchexec. */
const runners: ToolFamily = {
  names: [
    "concurrently",
    "conc",
    "npm-run-all",
    "run-s",
    "run-p",
    "npm-run-all2",
    "nodemon",
    "watchexec",
    "chokidar",
    "onchange",
    "reflex",
    "air",
    "ts-node-dev",
    "tsnd",
    "wait-on",
    "start-server-and-test",
    "forever",
    "hyperfine",
    "retry",
    "tini",
    "dumb-init",
  ],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const given = parse(
      call.args,
      syntax(
        "n|names= c|prefix-colors= k|kill-others e|ext= x|exec= w|watch= i|ignore= command= d|delay= r= R= s= g= t= timeout= warmup= prepare= cleanup= runs= m= M= export-json= export-markdown= S= p|prefix= max-processes= filter= f|filter-path= debounce= exts= workdir= delay=",
      ),
    );
    for (const text of given.values("exec", "command", "prepare", "cleanup")) emit.shell(text, `${call.name} runs it`);
    if (call.name === "wait-on") return;
    for (const file of given.values("export-json", "export-markdown")) emit.write(file, `${call.name} output`);
    lowerRunner(call, given.operands, emit, given.has("exec"));
  },
};

function lowerRunner(call: Invocation, operands: readonly Arg[], emit: Emit, hasExec: boolean): void {
  if (/^(npm-run-all2?|run-s|run-p)$/.test(call.name)) {
    for (const name of operands) runScript(name, [], undefined, call, emit);
    return;
  }
  if (/^(concurrently|conc|hyperfine|start-server-and-test)$/.test(call.name)) {
    for (const text of operands) {
      const script = /^(?:npm|pnpm|yarn|bun|node):(\S+)$/.exec(text.value ?? "")?.[1];
      if (script) runScript(literal(script), [], undefined, call, emit);
      else if (!/^https?:|^\d+$/.test(text.value ?? "")) emit.shell(text, `${call.name} runs it`);
    }
    return;
  }
  if (/^(nodemon|forever|ts-node-dev|tsnd)$/.test(call.name)) {
    const [script, ...rest] = operands;
    if (script && !hasExec) emit.script(script, `${call.name} runs it`, "node", rest);
    return;
  }
  if (/^(watchexec|onchange|reflex|retry|tini|dumb-init|chokidar)$/.test(call.name)) {
    const at = call.args.findIndex((arg) => arg.value === "--");
    const words = at >= 0 ? call.args.slice(at + 1) : call.name === "onchange" ? operands.slice(1) : operands;
    if (words.length) emit.run([...words], `${call.name} runs it`);
  }
}

export const terminals = [tmux, screen, runners];
