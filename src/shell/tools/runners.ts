// Package runners: npx, bunx, poetry run, nix run and their kin, as far as they run the command they are given.
// Invariant: the command after the runner is followed as if it stood alone; other sub-commands are named as exec.

import type { Arg, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";

const npxSyntax = syntax(
  "p|package= c|call= w|workspace= y|yes n no-install q|quiet ignore-existing cache= userconfig= shell= node-options= bun prefix=",
  { posix: true },
);

const npx: ToolFamily = {
  names: ["npx", "bunx", "pnpx", "pnpm-dlx"],
  lower(call, emit) {
    const given = parse(call.args, npxSyntax);
    for (const text of given.values("call")) emit.shell(text, `${call.name} -c`);
    const [first, ...rest] = given.operands;
    if (!first) return;
    const name = first.value?.replace(/(?<=.)@[^/]*$/, "").replace(/^.*\//, "");
    emit.run(
      name === undefined ? [first, ...rest] : [{ ...literal(name), source: first.source }, ...rest],
      `run by ${call.name}`,
    );
  },
};

interface Runner {
  names: string;
  /** Sub-commands after which the command stands. */
  verbs: RegExp;
  options?: string;
}

const table: readonly Runner[] = [
  {
    names: "poetry pipenv pdm rye hatch pixi",
    verbs: /^(run|exec)$/,
    options: "C|directory= P|project= e|env= p|project= python= manifest-path= environment=",
  },
  { names: "conda mamba micromamba", verbs: /^run$/, options: "n|name= p|prefix= cwd= no-capture-output live-stream" },
  { names: "pipx uvx", verbs: /^run$/, options: "spec= python= from= with= p= index-url= pip-args=" },
  { names: "bundle bundler", verbs: /^(exec|e)$/, options: "gemfile= keep-file-descriptors" },
  {
    names: "nix nix-shell",
    verbs: /^(run|shell|develop)$/,
    options: "c|command= run= p|packages= I= f|file= expr= E= impure pure k|keep= u|unset=",
  },
];

const runner = (entry: Runner): ToolFamily => {
  const grammar = syntax(entry.options ?? "", { posix: true });
  return {
    names: entry.names.split(" "),
    lower(call, emit) {
      if (call.name === "nix" || call.name === "nix-shell") {
        const at = call.args.findIndex((arg) => /^(-c|--command|--run)$/.test(arg.value ?? ""));
        const words = call.args.slice(at + 1);
        if (at >= 0 && call.name === "nix-shell" && words[0]) return emit.shell(words[0], "nix-shell runs it");
        if (at >= 0) return emit.run(words, "run by nix");
        if (call.args[0]?.value !== "run") return say(call.args[0]);
        emit.unknown("nix run starts a program of a package");
        return;
      }
      const outer = parse(call.args, grammar);
      let [verb, ...rest] = outer.operands;
      if (call.name === "uvx") [verb, rest] = [literal("run"), outer.operands];
      if (verb?.value === undefined || !entry.verbs.test(verb.value)) return say(verb);
      const inner = parse(rest, grammar);
      if (inner.operands.length) emit.run(inner.operands, `run by ${call.name} ${verb.value}`);

      function say(sub: Arg | undefined): void {
        if (!sub) return;
        emit.effect({
          kind: "exec",
          program: call.name,
          argv: call.args.map((arg) => arg.value),
          reason: `${call.name} ${sub.source} works on its own environment`,
        });
      }
    },
  };
};

export const runners: readonly ToolFamily[] = [npx, ...table.map(runner)];
