// Whether the intents on disk may be believed: not where an agent's call changed them behind the gates' back.
// Invariant: a changed control file closes the gate until it is put back or a person accepts it; our own edits and
// git's moving to another commit do not count.
import { join } from "node:path";
import { ignoreFiles, intentsFile } from "../../intents/intent.js";
import { after, type Memory, memory, type Project } from "../../model/gate.js";
import { sha256 } from "../../model/sha256.js";
import { ownCall } from "./own-tools.js";
import { intentEditor } from "./project-intents.js";

export interface FileTrustState {
  /** Hashes of the contents our own edits made, newest last. */
  own: string[];
  /** Hash of the control files that are not believed, and since when. */
  distrusted?: { hash: string; file: string; at: number };
}

const mostOwn = 20;
const controlled = [intentsFile, ...ignoreFiles];

export const fileTrust = memory<FileTrustState>({
  id: "intent/file-trust",
  on: after("shell", "script", "mcp", "unknown"),
  state: { scope: "project", initial: { own: [] } },
  learn({ event, facts, project, state, now }) {
    if (event.outcome?.ok !== false && ownCall(facts)) return rememberOwn(project, now, facts, state);
    const { observed } = facts;
    if (!observed || observed.head) return;
    const changed = observed.changes.find(
      ({ path, shared, op }) =>
        !shared && op !== "mode" && controlled.some((file) => path === join(project.root, file)),
    );
    if (!changed) return;
    const text = project.read(intentsFile) ?? "";
    if (changed.path.endsWith("active_intents.yaml") && state.value.own.includes(sha256(text))) return;
    const file = changed.path.slice(project.root.length + 1);
    state.replace({ ...state.value, distrusted: { hash: controlHash(project), file, at: now } });
  },
});

/** What selecting or completing will make of the file, so that a call that runs meanwhile is not blamed for it. */
function rememberOwn(
  project: Project,
  now: number,
  facts: Parameters<typeof ownCall>[0],
  state: { value: Readonly<FileTrustState>; replace(next: FileTrustState): void },
): void {
  const call = ownCall(facts)!;
  const id = call.input["intent_id"];
  const text = project.read(intentsFile);
  if (text === undefined || typeof id !== "string") return;
  const to =
    call.tool === "select_active_intent" ? "IN_PROGRESS" : call.tool === "complete_intent" ? "COMPLETED" : undefined;
  const edited = to && intentEditor().setIntentStatus(text, id, to, now);
  if (!edited || "refused" in edited || edited.text === text) return;
  state.replace({ ...state.value, own: [...state.value.own, sha256(edited.text)].slice(-mostOwn) });
}

/** Of all control files together. */
export const controlHash = (project: Pick<Project, "read">): string =>
  sha256(controlled.map((file) => sha256(project.read(file) ?? "")).join("\n"));

/** The file an agent's call changed, while it still holds what that call left. */
export function distrustedFile(
  project: Project,
  recall: <T>(memory: Memory<T>) => Readonly<T>,
): { file: string } | undefined {
  const { distrusted } = recall(fileTrust);
  return distrusted && distrusted.hash === controlHash(project) ? { file: distrusted.file } : undefined;
}
