// The intent pack's settings: schema, which of two values is the stricter one, defaults.
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { packSchema, setting } from "../../model/setting.js";
import { compileGlob } from "../../project/globs.js";
import { type IntentOptions, standardIntentOptions } from "./intent-options.js";

const globs = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(300))), v.maxLength(200));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const file = v.picklist([".orchestration/AGENT.md", "AGENT.md", "CLAUDE.md", "AGENTS.md"]);

export const intentGateNames = ["gatekeeper", "stale-file", "handshake", "lessons", "trace"] as const;

export const schema = packSchema(intentGateNames, {
  approval: v.optional(
    setting(v.picklist(["agent", "person"]), ["agent", "person"], "who takes up a PENDING intent; person: only you"),
  ),
  completion: v.optional(
    setting(
      v.picklist(["evidence", "person"]),
      ["evidence", "person"],
      "who ticks acceptance criteria: you, or the agent with evidence for each",
    ),
  ),
  unknownTools: v.optional(
    setting(v.picklist(["pass", "deny"]), ["pass", "deny"], "tools nobody knows: watched, or refused"),
  ),
  outputs: v.optional(setting(globs, "user", "globs of build and install output that commands may write")),
  lessons: v.optional(
    v.strictObject({
      enabled: v.optional(setting(v.boolean(), "free", "append a lesson when tests or checks fail")),
      file: v.optional(setting(file, "user", "where lessons are written")),
      most: v.optional(setting(whole(1, 1_000), "free", "how many recorded lessons are kept")),
    }),
  ),
  trace: v.optional(setting(v.boolean(), "true", "record who wrote which lines for which intent")),
});

export const defaults: JsonObject = standardIntentOptions as unknown as JsonObject;

export function compile(options: JsonObject): JsonObject {
  const o = options as unknown as IntentOptions;
  return { ...o, outputs: o.outputs.map(compileGlob) } as unknown as JsonObject;
}
