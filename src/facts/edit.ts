// The content a Write or Edit would leave behind, computed before it happens.
import type { Facts } from "./index.js";

export interface EditFact {
  path: string;
  before?: string;
  /** undefined when the edit does not apply to what is on disk. */
  after?: string;
  /** Text that is new: the whole content of a Write, the new strings of an Edit. */
  added: string;
}

export function editOf(facts: Facts): EditFact | undefined {
  const { tool } = facts.event;
  const target = facts.targets.find((t) => t.op === "write");
  if (!tool || !target) return undefined;
  const before = facts.world.project.read(target.path);
  if (tool.content !== undefined && !tool.edits)
    return { path: target.path, before, after: tool.content, added: tool.content };
  if (!tool.edits) return undefined;
  let after = before;
  for (const edit of tool.edits) {
    if (after === undefined) break;
    if (edit.old === "") after = after === "" ? edit.new : undefined;
    else if (!after.includes(edit.old)) after = undefined;
    else if (edit.all) after = after.split(edit.old).join(edit.new);
    else after = after.replace(edit.old, () => edit.new);
  }
  return { path: target.path, before, after, added: tool.edits.map((e) => e.new).join("\n") };
}
