// `hook --only <gate>`: judging with one gate; and what becomes of a payload that cannot be read.
// Invariant: an unknown gate is an error that names the nearest known one.
import { probeSession } from "../facts/probe-session.js";
import type { Gate } from "../model/gate.js";
import { nearest } from "../model/nearest.js";
import { inert } from "../model/text.js";
import { registry } from "../packs/registry.js";
import { open } from "./open-project.js";
import type { HookCall } from "./pipeline.js";
import { recordRefusal } from "./record-fault.js";

export async function gateNamed(id: string): Promise<Gate> {
  const entry = registry.find((p) => id.startsWith(`${p.id}/`));
  const gates = entry ? (await entry.load()).gates : [];
  const found = gates.find((g) => g.id === id);
  if (found) return found;
  const ids = gates.map((g) => g.id);
  const near = nearest(id, ids);
  throw new Error(`--only ${inert(id, 60)}: there is no such gate${near ? `; did you mean ${near}?` : ""}`);
}

/** Whether that gate passes when it is at fault. */
export const passesUnreadable = async (id: string): Promise<boolean> => (await gateNamed(id)).onError === "pass";

/** Where the project is known: an unreadable payload does not name it, the hook's environment may. Returns the id. */
export async function recordUnreadable(
  { bytes, env, home, packageDir, only, open: opener = open }: HookCall,
  gate: string,
  policy: "pass" | "deny",
  message: string,
): Promise<string | undefined> {
  const folder = env["CLAUDE_PROJECT_DIR"] ?? env["PWD"] ?? (only && process.cwd());
  if (!folder) return undefined;
  // A probe of `doctor` says so: it is nobody's trouble.
  const probing = bytes && bytes.length < 100 && bytes.includes(probeSession) ? { session: probeSession } : {};
  const { store } = await opener(folder, { env, home, packageDir });
  if (policy === "deny")
    return recordRefusal(store, "interlock/payload", message, (verdict) => ({
      type: "fault",
      ...probing,
      body: { verdict: { ...verdict } },
    }));
  store.append(() => ({ type: "fault", ...probing, body: { faults: [{ gate, policy, message }] } }));
  return undefined;
}
