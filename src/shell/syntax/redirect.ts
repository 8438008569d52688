// Redirections: which files they read and write, and what they put on standard input.
// Invariant: a target that is a file is always an effect; descriptors and bit buckets never are.
import type { Redirection } from "unbash";
import { hazard } from "../../model/hazards.js";
import { changedNames } from "../analyze/emit-paths.js";
import { pathEffects } from "../analyze/path-effects.js";
import { isStreamPath, resolvePath } from "../analyze/paths.js";
import type { RunContext } from "../analyze/run-context.js";
import { type Descriptor, known } from "../analyze/scope.js";
import type { Arg, Invocation } from "../analyze/tool.js";
import type { Analyzer } from "../analyze/walk.js";
import { type Expansion, expandOne, expandQuoted, expandWords } from "./words.js";

export interface RedirectPlan {
  stdin?: Invocation["stdin"];
  /** Standard output goes elsewhere: to these files, when they are known. */
  stdout?: { files: string[]; append: boolean /** One of the files git sees as changed. */; changed?: true };
  /** Every descriptor that was opened, for `exec`, which keeps them. */
  opened: [string, Descriptor][];
}

export function redirect(analyzer: Analyzer, redirects: readonly Redirection[], context: RunContext): RedirectPlan {
  const plan: RedirectPlan = { opened: [] };
  const at = analyzer.expansion(context);
  for (const item of redirects) {
    const descriptor = item.descriptor?.type === "FileDescriptor" ? item.descriptor.value : undefined;
    const takesInput = item.descriptor === undefined || descriptor === 0;
    if (item.type === "HereDoc") {
      const text = hereDocument(item.body, item.delimiter?.quoted ?? false, item.operator === "<<-", at);
      if (takesInput) plan.stdin = text === undefined ? { kind: "pipe" } : { kind: "text", text };
      plan.opened.push([keyOf(item, context), { input: { text, from: [] } }]);
      continue;
    }
    if (!item.target) {
      analyzer.unknown(context, "a redirection without a target");
      continue;
    }
    if (item.type === "HereString") {
      const word = expandOne(item.target, at);
      if (takesInput) plan.stdin = word.value === undefined ? pipeOf(word) : { kind: "text", text: `${word.value}\n` };
      plan.opened.push([
        keyOf(item, context),
        { input: { text: word.value && `${word.value}\n`, from: word.from ?? [] } },
      ]);
      continue;
    }
    const expanded = expandWords([item.target], at);
    const target: Arg = expanded.length === 1 ? expanded[0]! : { source: item.target.text, prefix: "" };
    const { operator } = item;
    const shown = `redirection ${descriptor ?? ""}${operator} ${target.source}`;
    const output = operator !== "<" && operator !== "<&" && operator !== "<>";
    if ((operator === ">&" || operator === "<&") && /^(\d*-?|-)$/.test(target.value ?? "x")) {
      const opened = context.scope.descriptor(target.value ?? "");
      if (operator === ">&" && (descriptor ?? 1) === 1 && target.value !== "1")
        plan.stdout = { files: opened?.file ? [opened.file] : [], append: true };
      if (operator === "<&" && takesInput && opened?.input) plan.stdin = inputOf(opened.input);
      continue;
    }
    if (/^\/dev\/(tcp|udp)\//.test(target.value ?? target.prefix)) {
      network(analyzer, context, target, output);
      continue;
    }
    if (!output && takesInput)
      plan.stdin = target.process
        ? target.process.text === undefined
          ? { ...inputOf(target.process), ...(target.process.paths && { paths: target.process.paths }) }
          : { kind: "text", text: target.process.text }
        : { kind: "file", path: target };
    if (target.process) {
      plan.opened.push([keyOf(item, context), { input: target.process }]);
      continue;
    }
    // What Windows calls /dev/null.
    if (output && /^nul$/i.test(target.value ?? "")) continue;
    if (target.value === "!") analyzer.unknown(context, "zsh takes the word after >! for the file", target.source);
    const kinds =
      operator === "<>" ? (["read", "write"] as const) : output ? (["write"] as const) : (["read"] as const);
    for (const kind of kinds)
      pathEffects(analyzer, context, kind, target, shown, {
        by: "redirection",
        ...(kind === "read" && context.masked && { how: "use" as const }),
        ...(kind === "write" && operator.endsWith(">>") && { how: "append" as const }),
      });
    const path = target.value === undefined ? undefined : resolvePath(context.scope.cwd, target.value);
    if (path !== undefined)
      plan.opened.push([keyOf(item, context), output ? { file: path } : { input: { from: [], path } }]);
    const both = operator === "&>" || operator === "&>>" || (operator === ">&" && descriptor === undefined);
    if (output && (both || item.descriptor === undefined || descriptor === 1))
      plan.stdout = { files: path && !isStreamPath(path) ? [path] : [], append: operator.endsWith(">>") };
    if (plan.stdout && target.value === undefined && target.from?.includes(changedNames)) plan.stdout.changed = true;
    if (path === "/dev/stdout" || path === "/dev/stderr" || path === "/dev/fd/1") plan.stdout = undefined;
  }
  return plan;
}

/** The number of the descriptor; `{name}` gets the next free one, which the variable then holds. */
function keyOf(item: Redirection, context: RunContext): string {
  if (item.descriptor?.type === "FileDescriptor") return String(item.descriptor.value);
  if (!item.descriptor) return item.type === "Redirect" && item.operator.startsWith(">") ? "1" : "0";
  let number = 10;
  while (context.scope.descriptor(String(number))) number++;
  context.scope.assign(item.descriptor.name, known(String(number)));
  return String(number);
}

function inputOf({ text, from, path }: NonNullable<Descriptor["input"]>): Invocation["stdin"] {
  if (path !== undefined) return { kind: "file", path: { source: path, value: path, prefix: path } };
  return text === undefined
    ? { kind: "pipe", from: from.at(-1), sources: from }
    : { kind: "text", text, sources: from };
}

const pipeOf = ({ source, prefix, from, pattern }: Arg): Invocation["stdin"] => ({
  kind: "pipe",
  from: from?.at(-1),
  sources: from,
  ...(pattern !== undefined && { paths: [{ source, prefix, value: pattern, glob: true }] }),
});

function network(analyzer: Analyzer, context: RunContext, target: Arg, upload: boolean): void {
  const [, , , host, port] = (target.value ?? target.prefix).split("/");
  analyzer.effect(context, {
    kind: "network",
    reason: `redirection to ${target.source} opens a connection`,
    program: "bash",
    host: host && port ? `${host}:${port}` : host,
    upload,
    hazard: hazard("dev-tcp"),
  });
}

function hereDocument(
  body: { text: string; parts: readonly import("unbash").WordPart[] | undefined },
  quoted: boolean,
  dedent: boolean,
  at: Expansion,
): string | undefined {
  const strip = (text: string) => (dedent ? text.replace(/^\t+/gm, "") : text);
  if (quoted) return strip(body.text);
  if (!body.parts) return strip(body.text.replace(/\\([\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char)));
  const text = expandQuoted(body.parts, at).value;
  return text === undefined ? undefined : strip(text);
}
