// interlock explain: what a command or event would do and what every gate says, judged by the engine itself.
// Invariant: changes nothing.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Facts } from "../../facts/index.js";
import { engineOf, type Opened, packsFor } from "../../hook/open-project.js";
import { decode, pick } from "../../hosts/claude-code/protocol/decode.js";
import { parsePayload } from "../../hosts/claude-code/protocol/payload.js";
import type { Effect } from "../../model/effect.js";
import type { Event } from "../../model/event.js";
import { hazardName } from "../../model/hazards.js";
import type { JsonObject } from "../../model/json.js";
import { counted } from "../../model/text.js";
import type { Ask, Deny, Opinion } from "../../model/verdict.js";
import { isExcused } from "../../packs/guard/destructive/destructive.js";
import { type GuardOptions, presets, reactionTo } from "../../packs/guard/presets.js";
import { secretClasses } from "../../packs/guard/secret-classes.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { hintsFor } from "../lib/would-be-known.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock explain --command <text> [--cwd <folder>] [--json]
       interlock explain --event <file.json|-> [--json]
       interlock explain --jsonl < commands.jsonl

  --command  a shell command, judged as if the agent were about to run it
  --event    a host's hook payload, judged as it is
  --jsonl    one {"command","cwd"?} a line in, one {"command","parsed","effects","hazards","verdict"} a line out;
             {"prompt"} in, {"prompt","facts":{"prompt":{"kind",...}},"verdict"} out

Shows the gates that have an opinion. Exit code 1: the call would be refused.
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { command: "text", cwd: "text", event: "text", jsonl: "flag", json: "flag", home: "text" },
    usage,
    "words",
  );
  const cwd = resolve(values.cwd ?? process.cwd());
  if (values.jsonl) return jsonl(values.home, cwd);
  const opened = await openHere({ cwd, home: values.home });

  const command = values.command ?? (words.length ? words.join(" ") : undefined);
  if (command === undefined && values.event === undefined) throw new UsageError(`say what to explain\n${usage}`);
  const event = values.event !== undefined ? eventFrom(values.event) : shellEvent(command!, cwd);
  const packs = await packsFor({ ...opened, env: process.env }, event.kind);
  const wanted = packs.flatMap((pack) => pack.gates.flatMap((gate) => gate.env ?? []));
  event.env = pick(process.env, wanted);
  const engine = engineOf(opened, packs);
  const { verdict, facts, judgement } = await withProgress("asking the gates", () => engine.explain(event));
  const guardOptions = (opened.settings.config.packs["guard"]?.options ?? {}) as GuardOptions;
  const { preset = "standard" } = guardOptions;
  if (values.json) {
    printJson({
      event: { kind: event.kind, tool: event.tool?.name, command: event.tool?.command, cwd: event.cwd },
      ...(facts.prompt && { facts: { prompt: facts.prompt } }),
      parsed: facts.shell?.parsed ?? null,
      effects: facts.effects,
      unknown: hintsFor(facts.effects),
      trace: facts.shell?.trace ?? [],
      hazards: facts.hazards.map(({ effect, hazard }) => ({ ...hazard, because: effect.reason })),
      preset,
      gates: judgement.consulted,
      lifted: judgement.opinions.flatMap((j) => (j.lifted ? [{ gate: j.gate, by: j.lifted }] : [])),
      verdict: {
        outcome: verdict.outcome,
        gate: verdict.gate,
        text: verdict.text && unnumbered(verdict.text),
        context: verdict.context,
      },
      faults: verdict.faults,
    });
    return exitCode(verdict.outcome);
  }
  const asked = shown(event.tool?.command ?? event.tool?.path ?? event.prompt?.text ?? "");
  say(`${bold(`${event.kind} ${event.tool?.name ?? ""}`.trim())} ${asked}`, 2);
  if (facts.prompt) say(`prompt: ${facts.prompt.kind}`);
  for (const step of facts.shell?.trace ?? [])
    say(dim(`  ${"  ".repeat(step.depth)}${shown(step.text, 100)}  =>  ${shown(step.became, 120)}`), 6);
  say(facts.effects.length ? "effects:" : "effects: none");
  for (const effect of facts.effects) say(`  ${effectLine(effect)}`, 4);
  for (const { known } of hintsFor(facts.effects)) say(dim(`  it would be known ${known}`), 4);
  if (facts.hazards.length) say(`hazards (preset ${preset}: ${presets[preset].says})`, 2);
  // A push that is forced is a push and a rewriting of history, with one hazard.
  for (const line of new Set(facts.hazards.map((each) => hazardLine(each, facts, guardOptions)))) say(line, 4);
  showJudgement(judgement);
  say(verdict.outcome === "pass" ? green("answer: pass") : red(`answer: ${verdict.outcome}`));
  if (verdict.text) for (const line of unnumbered(verdict.text).split("\n")) say(`  ${line}`, 4);
  for (const context of verdict.context) say(`  told: ${shown(context, 400)}`, 4);
  return exitCode(verdict.outcome);
}

const exitCode = (outcome: string): number => (outcome === "deny" ? 1 : 0);

/** A gate that observes or warns refuses nothing. */
const wouldBe = (kind: string, mode: string): string =>
  mode !== "enforce" && (kind === "deny" || kind === "ask") ? `would ${kind}` : kind;

type Judgement = Awaited<ReturnType<ReturnType<typeof engineOf>["explain"]>>["judgement"];

/** What the gates with an opinion said. */
function showJudgement(judgement: Judgement): void {
  const heard = judgement.consulted.filter(({ opinions, fault }) => fault || opinions.length);
  const silent = judgement.consulted.length - heard.length;
  say(
    heard.length
      ? `gates (${counted(silent, "other")} without an opinion):`
      : `gates: ${silent} asked, none has an opinion`,
  );
  for (const { gate, mode, opinions, fault } of heard) {
    const said = fault ? red(`fault: ${fault}`) : opinions.map((o) => yellow(wouldBe(o.kind, mode))).join(", ");
    say(`  ${gate} (${mode}): ${said}`, 4);
    for (const o of opinions)
      if (o.kind === "deny" || o.kind === "ask") say(dim(`    ${shown(o.what)}: ${shown(o.why)}`), 6);
  }
  for (const j of judgement.opinions) if (j.lifted) say(yellow(`lifted: ${j.gate}, ${shown(j.lifted)}`), 2);
}

type Dangerous = Facts["hazards"][number];

/** What the guard makes of a hazard. What git can give back is let through, except by the stricter presets. */
function hazardLine({ effect, hazard }: Dangerous, facts: Facts, options: GuardOptions): string {
  const refused = reactionTo(hazard, options);
  const excused = refused && !secretClasses.has(hazard.class) && isExcused(facts, effect, hazard, options);
  const reaction = excused ? "let through, nothing would be lost" : (refused ?? "let through");
  const name = `${hazardName(hazard)} (${hazard.class}, level ${hazard.level})`;
  return `  ${name}: ${yellow(reaction)} ${dim(`because ${shown(effect.reason)}`)}`;
}

function effectLine(e: Effect): string {
  const target = e.path ?? e.host ?? (e.kind === "unknown" ? undefined : e.program) ?? e.word ?? e.program ?? "";
  const more = [
    e.how,
    e.recursive && "recursive",
    e.conditional && "conditional",
    e.hazard && `hazard ${hazardName(e.hazard)} (${e.hazard.class}, level ${e.hazard.level})`,
  ].filter(Boolean);
  const details = more.length ? ` [${more.join(", ")}]` : "";
  return `${bold(e.kind)}${target && ` ${shown(target)}`}${details} ${dim(`because ${shown(e.reason)}`)}`;
}

export function shellEvent(command: string, cwd: string): Event {
  return decode(
    { hook_event_name: "PreToolUse", session_id: "explain", cwd, tool_name: "Bash", tool_input: { command } },
    {},
    [],
  );
}

const promptEvent = (prompt: string, cwd: string): Event =>
  decode({ hook_event_name: "UserPromptSubmit", session_id: "explain", cwd, prompt }, {}, []);

/** Nothing was refused, so there is no verdict to override. */
const unnumbered = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.includes("interlock allow v-0"))
    .join("\n")
    .replace(" [v-0]", "");

function eventFrom(file: string): Event {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new UsageError(
      `${file} can't be read (${(error as NodeJS.ErrnoException).code}): name a file with one hook payload`,
    );
  }
  const parsed = parsePayload(bytes);
  if (!parsed.ok) throw new UsageError(`${file}: ${parsed.reason}`);
  return decode(parsed.payload, {}, []);
}

async function jsonl(home: string | undefined, cwd: string): Promise<number> {
  let bad = 0;
  const projects = new Map<string, Promise<Opened>>();
  const openAt = (folder: string): Promise<Opened> => {
    const known = projects.get(folder);
    if (known) return known;
    if (projects.size > 50) projects.clear();
    const opened = openHere({ cwd: folder, home });
    projects.set(folder, opened);
    return opened;
  };
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.trim()) continue;
    const out = await judgeLine(openAt, line, cwd);
    if ("error" in out) bad++;
    if (!process.stdout.write(`${JSON.stringify(out)}\n`))
      await new Promise((done) => process.stdout.once("drain", done));
  }
  return bad ? 1 : 0;
}

async function judgeLine(openAt: (folder: string) => Promise<Opened>, line: string, cwd: string): Promise<JsonObject> {
  let given: { command?: unknown; prompt?: unknown; cwd?: unknown };
  try {
    given = JSON.parse(line);
  } catch {
    return { error: "not a JSON object", line: line.slice(0, 200) };
  }
  const { command, prompt } = given ?? {};
  const isPrompt = typeof prompt === "string" && command === undefined;
  if (typeof command !== "string" && !isPrompt)
    return { error: 'no "command" and no "prompt"', line: line.slice(0, 200) };
  const folder = typeof given.cwd === "string" ? resolve(cwd, given.cwd) : cwd;
  const opened = await openAt(folder);
  const event = isPrompt ? promptEvent(prompt, folder) : shellEvent(String(command), folder);
  const packs = await packsFor({ ...opened, env: process.env }, event.kind);
  const { verdict, facts, judgement } = await engineOf(opened, packs).explain(event);
  const guardOptions = (opened.settings.config.packs["guard"]?.options ?? {}) as GuardOptions;
  const said = judgement.consulted.find(({ gate }) => gate === verdict.gate)?.opinions.find(isRefusal);
  const told = { outcome: verdict.outcome, ...(verdict.gate ? { gate: verdict.gate, what: said?.what ?? "" } : {}) };
  if (isPrompt) return { prompt, facts: { prompt: facts.prompt as unknown as JsonObject }, verdict: told };
  return {
    command: String(command),
    parsed: facts.shell?.parsed ?? false,
    effects: facts.effects as unknown as JsonObject[],
    hazards: facts.hazards.map(({ hazard }) => ({ ...hazard, reaction: reactionTo(hazard, guardOptions) ?? "pass" })),
    verdict: told,
  };
}

const isRefusal = (opinion: Opinion): opinion is Deny | Ask => opinion.kind === "deny" || opinion.kind === "ask";
