// The whole of interlock.yaml as one schema, made from the packs' own. The published JSON schema is generated from it.
import * as v from "valibot";
import { setting } from "../model/setting.js";
import { taughtEffects } from "../model/taught.js";
import { registry } from "../packs/registry.js";
import { rule } from "../packs/rules/config.js";
import { packSettings } from "./pack-settings.js";

const programName = "a program is named as it is called, without a folder: letters, digits and . _ + -";

const adopted = v.strictObject({
  event: v.string(),
  matcher: v.optional(v.string()),
  command: v.string(),
  args: v.optional(v.array(v.string())),
  shell: v.optional(v.string()),
  timeout: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(600))),
  source: v.optional(v.string()),
});

export async function configSchema() {
  const packs: Record<string, v.GenericSchema> = {};
  for (const entry of registry)
    if (entry.id !== "rules") packs[entry.id] = v.optional((await packSettings(entry.id)).schema) as v.GenericSchema;
  const days = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3650));
  return v.strictObject({
    version: v.optional(setting(v.literal(1), "free", "version of this file's form")),
    required: v.optional(
      setting(
        v.boolean(),
        "true",
        "refuse calls on machines where Interlock is missing; read by the entries of `interlock init --scope project`",
      ),
    ),
    packs: v.optional(v.strictObject(packs)),
    rules: v.optional(setting(v.array(rule), "add", "your own rules")),
    mcp: v.optional(
      setting(
        v.record(v.string(), v.picklist(["read", "write", "exec"])),
        "user",
        "what MCP servers do: server or server/tool -> read, write, exec",
      ),
    ),
    shell: v.optional(
      v.strictObject({
        wrappers: v.optional(setting(v.array(v.string()), "add", "programs that run their arguments")),
        programs: v.optional(
          setting(
            v.record(v.pipe(v.string(), v.regex(/^[\w+][\w.+-]{0,63}$/, programName)), v.picklist(taughtEffects)),
            "user",
            "what programs do that no table knows: name -> read, write (in the project), network",
          ),
        ),
      }),
    ),
    adopt: v.optional(
      setting(v.array(adopted), "user", "hooks of the project that run under Interlock, in this order"),
    ),
    trace: v.optional(setting(v.boolean(), "free", "trace the entry and dispatch of adopted hooks")),
    deadlineMs: v.optional(
      setting(v.pipe(v.number(), v.minValue(100), v.maxValue(60_000)), "user", "how long one event may be judged"),
    ),
    maxStopBlocks: v.optional(
      setting(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(7)),
        "user",
        "how often the end of one turn may be refused",
      ),
    ),
    retention: v.optional(
      v.strictObject({
        texts: v.optional(
          setting(days, "user", "days after which texts (prompts, outputs, commands) are erased; 0: never"),
        ),
        work: v.optional(
          setting(days, "user", "days after which kept work and looks at the work tree are erased; 0: never"),
        ),
      }),
    ),
  });
}
