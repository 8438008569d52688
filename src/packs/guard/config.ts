// The guard pack's options.
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { packSchema, setting } from "../../model/setting.js";
import { compileGlob } from "../../project/globs.js";
import { isHazardName, nearestHazardName } from "../../shell/hazard-names.js";
import { presets } from "./presets.js";

const names = Object.keys(presets);

export const schema = packSchema(
  ["self-protect", "privileged", "destructive", "secrets", "config-change", "observed"],
  {
    preset: v.optional(
      setting(
        v.picklist(names),
        names,
        Object.entries(presets)
          .map(([name, { says }]) => `${name}: ${says}`)
          .join(" "),
      ),
    ),
    except: v.optional(
      setting(
        v.array(
          v.pipe(
            v.string(),
            v.regex(/^[\w.-]+\*?$/, "a name as refusals show it in brackets, such as git-reset-hard or git-*"),
          ),
        ),
        "user",
        "what is let through all the same, by the name a refusal shows in brackets; a trailing * stands for the rest",
      ),
    ),
    readable: v.optional(
      setting(
        v.array(v.string()),
        "user",
        "credential files the agent may read: globs from the project's root, or from ~/ or /",
      ),
    ),
  },
);

export const defaults: JsonObject = { preset: "standard", except: [], readable: [] };

export function compile(options: JsonObject): JsonObject {
  for (const entry of (options["except"] ?? []) as string[]) checkException(entry);
  return { ...options, readable: ((options["readable"] ?? []) as string[]).map(readable) };
}

function checkException(entry: string): void {
  if (isHazardName(entry)) return;
  const near = nearestHazardName(entry);
  const known = near ? `did you mean "${near}"?` : "write the name a refusal shows in brackets";
  throw new Error(`packs.guard.except: no refusal is called "${entry}"; ${known}`);
}

/** Kept as written up to the root it starts from; the gate knows home and project. */
function readable(glob: string): string {
  try {
    const root = /^(?:~\/|\/)?/.exec(glob)![0];
    return root + compileGlob(glob.slice(root.length)).replaceAll("\n", `\n${root}`);
  } catch (error) {
    throw new Error(`packs.guard.readable: "${glob}": ${error instanceof Error ? error.message : error}`);
  }
}
