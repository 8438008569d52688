// The kits pack's settings: schema, which of two values is the stricter one, defaults.
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { packSchema, setting } from "../../model/setting.js";
import { compileGlob } from "../../project/globs.js";
import { type KitOptions, placeNames, standardKitOptions } from "./kit-options.js";

const globs = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(300))), v.maxLength(200));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const command = v.pipe(v.string(), v.maxLength(1_000));
const place = (name: string) => [name, v.optional(setting(globs, "user", `the files phase rules call ${name}`))];

const script = (name: string) => [name, v.optional(setting(command, "user", `the ${name} kit's own script`))];

export const kitGateNames = ["tdd", "research", "math", "read-budget"] as const;

export const schema = packSchema(kitGateNames, {
  places: v.optional(v.strictObject(Object.fromEntries(placeNames.map(place)))),
  outputs: v.optional(setting(globs, "user", "globs of build and install output, written in every phase")),
  testCommand: v.optional(setting(command, "user", "the command that runs the tests of the tdd kit")),
  leanCommand: v.optional(setting(command, "user", "the command that builds the Lean project")),
  runtime: v.optional(setting(command, "user", "the command that runs a phase; claude -p unless told")),
  maxRevisions: v.optional(setting(whole(0, 20), "lower", "how often math full goes back after a revision request")),
  maxCycles: v.optional(setting(whole(1, 100), "lower", "cycles of research program and math program")),
  maxGpuHours: v.optional(setting(whole(0, 100_000), "user", "GPU hours of one research program; 0: any number")),
  scripts: v.optional(v.strictObject(Object.fromEntries(kitGateNames.slice(0, 3).map(script)))),
  ship: v.optional(
    v.strictObject({
      push: v.optional(setting(v.boolean(), "user", "tdd ship pushes its branch to origin")),
      pullRequest: v.optional(setting(v.boolean(), "user", "and opens a pull request with gh")),
      archiveSpec: v.optional(setting(v.boolean(), "user", "tdd ship removes the spec in a second commit")),
    }),
  ),
  timeoutMinutes: v.optional(setting(whole(1, 1_440), "lower", "how long one phase may take")),
  readBudget: v.optional(
    v.strictObject({
      when: v.optional(
        setting(v.picklist(["run", "always"]), ["run", "always"], "in runs of kits only, or in every session"),
      ),
      maxReadBytes: v.optional(setting(whole(0, 1_000_000_000), "user", "bytes one read may show; 0: any number")),
      maxFiles: v.optional(setting(whole(0, 100_000), "user", "files one run may read; 0: any number")),
      maxTotalBytes: v.optional(setting(whole(0, 10_000_000_000), "user", "bytes one run may read; 0: any number")),
      allow: v.optional(setting(globs, "user", "globs that may be read whatever their size")),
    }),
  ),
});

export const defaults: JsonObject = standardKitOptions as unknown as JsonObject;

export function compile(options: JsonObject): JsonObject {
  const o = options as unknown as KitOptions;
  const compiled: KitOptions = {
    ...o,
    places: Object.fromEntries(
      placeNames.map((name) => [name, o.places[name].map(compileGlob)]),
    ) as unknown as KitOptions["places"],
    outputs: o.outputs.map(compileGlob),
    readBudget: { ...o.readBudget, allow: o.readBudget.allow.map(compileGlob) },
  };
  return compiled as unknown as JsonObject;
}
