// The guard pack's options.
import type { JsonObject } from "../../engine/json.js";
import { packSchema } from "../../config/setting.js";

export const schema = packSchema(["self-protect", "config-change"], {});
export const defaults: JsonObject = {};
