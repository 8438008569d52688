// interlock explain: what a command or event would do and what every gate says, judged by the engine itself.
// Invariant: changes nothing.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { engineOf, type Opened, packsFor } from "../../hook/open-project.js";
import { decode, pick } from "../../hosts/claude-code/protocol/decode.js";
import { parsePayload } from "../../hosts/claude-code/protocol/payload.js";
import type { Effect } from "../../model/effect.js";
import type { Event } from "../../model/event.js";
import { hazardName } from "../../model/hazards.js";
import type { JsonObject } from "../../model/json.js";
import type { Ask, Deny, Opinion } from "../../model/verdict.js";
import { type GuardOptions, presets, reactionTo } from "../../packs/guard/presets.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { hintsFor } from "../lib/would-be-known.js";

export const usage = `Usage: interlock explain --command <text> [--cwd <folder>] [--json]
       interlock explain --event <file.json|-> [--json]
       interlock explain --jsonl < commands.jsonl

  --command  a shell command, judged as if the agent were about to run it
  --event    a host's hook payload, judged as it is
  --jsonl    one {"command","cwd"?} a line in, one {"command","parsed","effects","hazards","verdict"} a line out

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
  const { verdict, facts, judgement } = await engine.explain(event);
  const guardOptions = (opened.settings.config.packs["guard"]?.options ?? {}) as GuardOptions;
  const { preset = "standard" } = guardOptions;
  if (values.json) {
    printJson({
      event: { kind: event.kind, tool: event.tool?.name, command: event.tool?.command, cwd: event.cwd },
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
  console.log(bold(`${event.kind} ${event.tool?.name ?? ""}`), shown(event.tool?.command ?? event.tool?.path ?? ""));
  for (const step of facts.shell?.trace ?? [])
    console.log(dim(`  ${"  ".repeat(step.depth)}${shown(step.text, 100)}  =>  ${shown(step.became, 120)}`));
  console.log(facts.effects.length ? "effects:" : "effects: none");
  for (const effect of facts.effects) console.log(`  ${effectLine(effect)}`);
  for (const { known } of hintsFor(facts.effects)) console.log(dim(`  it would be known ${known}`));
  if (facts.hazards.length) console.log(`hazards (preset ${preset}: ${presets[preset].says})`);
  for (const { effect, hazard } of facts.hazards) {
    const reaction = reactionTo(hazard, guardOptions) ?? "let through";
    console.log(
      `  ${hazardName(hazard)} (${hazard.class}, level ${hazard.level}): ${yellow(reaction)} ` +
        dim(`because ${shown(effect.reason)}`),
    );
  }
  showJudgement(judgement);
  console.log(verdict.outcome === "pass" ? green("answer: pass") : red(`answer: ${verdict.outcome}`));
  if (verdict.text) console.log(unnumbered(verdict.text).replace(/^/gm, "  "));
  for (const context of verdict.context) console.log(`  told: ${shown(context, 400)}`);
  return exitCode(verdict.outcome);
}

const exitCode = (outcome: string): number => (outcome === "deny" ? 1 : 0);

type Judgement = Awaited<ReturnType<ReturnType<typeof engineOf>["explain"]>>["judgement"];

/** What the gates with an opinion said. */
function showJudgement(judgement: Judgement): void {
  const heard = judgement.consulted.filter(({ opinions, fault }) => fault || opinions.length);
  const silent = judgement.consulted.length - heard.length;
  console.log(
    heard.length ? `gates (${silent} others have no opinion):` : `gates: ${silent} asked, none has an opinion`,
  );
  for (const { gate, mode, opinions, fault } of heard) {
    const said = fault ? red(`fault: ${fault}`) : opinions.map((o) => yellow(o.kind)).join(", ");
    console.log(`  ${gate} (${mode}): ${said}`);
    for (const o of opinions)
      if (o.kind === "deny" || o.kind === "ask") console.log(dim(`    ${shown(o.what)}: ${shown(o.why)}`));
  }
  for (const j of judgement.opinions) if (j.lifted) console.log(yellow(`lifted: ${j.gate}, ${shown(j.lifted)}`));
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
  return `${bold(e.kind)} ${shown(target)}${details} ${dim(`because ${shown(e.reason)}`)}`;
}

export function shellEvent(command: string, cwd: string): Event {
  return decode(
    { hook_event_name: "PreToolUse", session_id: "explain", cwd, tool_name: "Bash", tool_input: { command } },
    {},
    [],
  );
}

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
  let given: { command?: unknown; cwd?: unknown };
  try {
    given = JSON.parse(line);
  } catch {
    return { error: "not a JSON object", line: line.slice(0, 200) };
  }
  if (typeof given?.command !== "string") return { error: 'no "command"', line: line.slice(0, 200) };
  const folder = typeof given.cwd === "string" ? resolve(cwd, given.cwd) : cwd;
  const opened = await openAt(folder);
  const event = shellEvent(given.command, folder);
  const packs = await packsFor({ ...opened, env: process.env }, event.kind);
  const { verdict, facts, judgement } = await engineOf(opened, packs).explain(event);
  const guardOptions = (opened.settings.config.packs["guard"]?.options ?? {}) as GuardOptions;
  const said = judgement.consulted.find(({ gate }) => gate === verdict.gate)?.opinions.find(isRefusal);
  return {
    command: given.command,
    parsed: facts.shell?.parsed ?? false,
    effects: facts.effects as unknown as JsonObject[],
    hazards: facts.hazards.map(({ hazard }) => ({ ...hazard, reaction: reactionTo(hazard, guardOptions) ?? "pass" })),
    verdict: { outcome: verdict.outcome, ...(verdict.gate ? { gate: verdict.gate, what: said?.what ?? "" } : {}) },
  };
}

const isRefusal = (opinion: Opinion): opinion is Deny | Ask => opinion.kind === "deny" || opinion.kind === "ask";
