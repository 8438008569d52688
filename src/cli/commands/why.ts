// interlock why <verdict>: one record explained: the event, its effects, which gate objected, what opens it.
import { isObject, type JsonObject } from "../../model/json.js";
import { counted } from "../../model/text.js";
import { rulesBehind } from "../../packs/discipline/rule-map.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, red, shown, yellow } from "../lib/paint.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = "Usage: interlock why <verdict-id> [--json]     for example: interlock why v-12\n";

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage, "words");
  const [given] = words;
  if (!given) throw new UsageError(`which verdict?\n${usage}`);
  const id = given.startsWith("v-") ? given : `v-${given}`;
  const { store } = await openHere(values);
  const record = store.find(id);
  if (!record) {
    sayError(`interlock: no verdict ${shown(id, 40)} in this project's record. \`interlock status\` lists the latest.`);
    return 1;
  }
  if (values.json) {
    const gates = ((record.body["opinions"] as JsonObject[] | undefined) ?? []).map((o) => String(o["gate"]));
    printJson({ record, rules: Object.fromEntries(gates.map((gate) => [gate, rulesBehind(gate)])) });
    return 0;
  }
  const body = record.body as JsonObject;
  const verdict = body["verdict"] as JsonObject;
  const tool = isObject(body["tool"]) ? body["tool"] : undefined;
  const text = (value: unknown, max = 300) =>
    shown(typeof value === "string" ? value : JSON.stringify(value ?? ""), max);
  const by = verdict["gate"] ? ` by ${text(verdict["gate"])}` : "";
  say(`${bold(`${id}: ${text(verdict["outcome"])}${by}`)} ${dim(`record ${record.seq}, ${record.time}`)}`);
  say(
    `event: ${text(body["hostEvent"])} in session ${text(record.session ?? "?")}` +
      (record.agent ? `, agent ${text(record.agent)}` : ""),
  );
  if (tool) say(`call: ${text(tool["name"])} ${text(tool["input"])}`, 6);
  for (const e of (body["effects"] as JsonObject[] | undefined) ?? [])
    say(`effect: ${text(e["kind"])} ${text(e["path"] ?? e["program"] ?? "")}`);
  if (isObject(body["observed"])) showObserved(body["observed"], text);
  for (const o of (body["opinions"] as JsonObject[] | undefined) ?? []) {
    say(
      `${red(text(o["kind"]))} ${text(o["gate"])} (${text(o["mode"])})` +
        (o["lifted"] ? `, lifted: ${text(o["lifted"])}` : ""),
    );
    for (const part of ["what", "why", "next", "text"]) if (o[part]) say(`  ${part}: ${text(o[part])}`, 8);
    for (const rule of rulesBehind(String(o["gate"]))) say(dim(`  rule: ${rule}`), 8);
  }
  for (const f of (body["faults"] as JsonObject[] | undefined) ?? [])
    say(red(`fault of ${text(f["gate"])}: ${text(f["message"])}`));
  if (!body["opinions"] && !body["faults"]) say("no gate had an opinion");
  if (verdict["outcome"] === "deny") {
    say(dim(`let it through once: interlock allow ${id} --reason "<why>"`), 2);
    say(dim(`refused by mistake: interlock feedback ${id} wrong`), 2);
  }
  return 0;
}

/** What the call really changed, and where the look was cut. */
function showObserved(observed: JsonObject, text: (value: unknown, max?: number) => string): void {
  const changes = (observed["changes"] as JsonObject[] | undefined) ?? [];
  for (const { op, path, predicted } of changes)
    say(`found: ${text(op)} ${text(path)}${predicted ? "" : ", not predicted"}`);
  if (observed["omitted"]) say(dim(`found: ${text(observed["omitted"])} more`));
  if (observed["unasked"]) say(yellow(`no gate was asked about ${text(observed["unasked"])} of them`));
  for (const { file, why } of (observed["registration"] as JsonObject[] | undefined) ?? [])
    say(red(`Interlock's entries were lost in ${text(file)}: ${text(why)}`));
  const cut = observed["truncated"];
  say(
    cut === undefined
      ? dim(`looked at ${counted(Number(observed["files"]), "file")} in ${text(observed["ms"])} ms`)
      : yellow(`the look was cut: ${text(cut)}; it saw ${counted(Number(observed["files"]), "file")}`),
  );
}
