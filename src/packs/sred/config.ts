// The sred pack's settings: schema, which of two values is the stricter one, defaults.
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { packSchema, setting } from "../../model/setting.js";
import { standardSredOptions } from "./sred-options.js";

export const schema = packSchema(["commit-guard", "guidance", "commit-link"], {
  model: v.optional(
    setting(v.boolean(), "user", "whether `interlock sred suggest` may ask a model where the history does not decide"),
  ),
});

export const defaults: JsonObject = { ...standardSredOptions };
