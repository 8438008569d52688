// Every required research category is covered before the first edit of a task.
import type { Change } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { before, gate, type Memory } from "../../../model/gate.js";
import { deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions, ResearchCategory, ResearchProviders } from "../discipline-options.js";
import { describeEdits, editsOf, withoutOwn } from "../edits.js";
import { binaryFile } from "../files/inline-scripts.js";
import { matchesPathForms } from "../files/path-forms.js";
import { startsWithWords } from "../name-patterns.js";
import { taskMemory } from "../prompts/task-memory.js";
import { changedLines } from "../verification/changed-lines.js";
import { onlyVersion, workMemory } from "../verification/work-memory.js";
import { looksEnough, looksOf, researchMemory as memory, researchStatus } from "./research-memory.js";

export const researchFirst = gate<{ told: string[] }, DisciplineOptions>({
  id: "discipline/research",
  title: "Research before change",
  about:
    "Refuses changes by any tool, including shell commands and MCP tools, until this agent has researched " +
    "every required category (docs, web, github, local) for the task. Research is a call to a provider of " +
    "the category that succeeds and returns something. A small task needs only local research; an ordinary one " +
    "needs no outside source once three places of the project were looked at; " +
    "`research.depth: full` asks for all in every task. " +
    "Prose (`research.exempt`), binaries and files outside the project that were read need none; commands listed " +
    "in `research.external` (`git push`, `gh pr create`, `gh issue create`) need it as changes do.",
  remedy:
    "Make one research call for each missing category. A category without a provider counts as done, with " +
    "a note; so does one whose providers fail in three different attempts (by two kinds of provider where " +
    "it has two).",
  window: "The task: a follow-up prompt keeps it, an obvious change of task starts over.",
  reset: "The user types `reset research`; a change of task.",
  on: before(),
  onError: "pass",
  state: { scope: "session", initial: { told: [] } },
  judge({ facts, config, recall, event, project, state }) {
    const edits = withoutOwn(editsOf(facts, config), recall(workMemory).made).filter(
      (c) =>
        !(c.kind === "write" && binaryFile.test(c.path ?? c.shown)) &&
        (c.path === undefined || !matchesPathForms(config.research.exempt, c.path, facts)),
    );
    const sent = config.research.external.length ? externalCall(facts, config.research.external) : undefined;
    if ((!edits.length || onlyVersion(facts)) && !sent) return;
    const { id } = recall(taskMemory);
    const scaled = looksEnough(recall(taskMemory), config, sizeWith(facts, recall));
    // A message changes no code: it needs a look at what it is about.
    const message = scaled !== undefined && !sent && isMessage(event);
    const enough = message ? 0 : addsPackage(facts, edits) ? undefined : scaled;
    const { missing, done, excused, tried } = researchStatus(recall(memory), id, event, config, project, enough);
    const { uncounted = {} } = recall(memory).task === id ? recall(memory) : {};
    const looks = (enough ?? 0) - looksOf(recall(memory), event);
    const known =
      edits.length > 0 &&
      missing.join() === "local" &&
      ((message && looksOf(recall(memory), event) > 0) ||
        edits.every((c) => needsNoLook(c, enough !== undefined, recall, facts)));
    if (
      missing.length &&
      !known &&
      !(enough !== undefined && recall(memory).outside && readOutside(edits, recall, facts))
    )
      return deny({
        joins: true,
        what: edits.length ? describeEdits(facts, edits) : `${event.tool!.name}: ${sent}`,
        why:
          "not yet researched for this task: " +
          `${missing.join(", ")}${done.length ? ` (done: ${done.join(", ")})` : ""}`,
        next:
          (looks > 0 && missing.join() !== "local"
            ? `read or search ${looks} more place${looks === 1 ? "" : "s"} of the code concerned; or `
            : "") +
          missing.map((c) => `${c}: ${suggestion(c, config.research[c])}${again(tried[c], uncounted[c])}`).join("; "),
      });
    const untold = excused.filter((e) => !state.value.told.includes(`${id}:${e.category}`));
    if (!untold.length) return;
    state.update((s) => void (s.told = [...s.told, ...untold.map((e) => `${id}:${e.category}`)].slice(-20)));
    return note(`Research continued without ${untold.map((e) => `${e.category} (${e.why})`).join(", ")}.`, "both", {
      excused: untold.map(({ category, why }) => ({ category, why })),
    });
  },
});

/** An issue, a comment or the like in a tracker, by the name of the MCP tool. */
export const isMessage = ({ tool }: Event): boolean =>
  tool?.mcp !== undefined &&
  /(?:^|_)(?:issue|ticket|comment|message|thread|card|discussion)s?(?:_|$)/i.test(tool.mcp.tool);

/** The lines this task has changed so far, with those of this call. */
export function sizeWith(facts: Facts, recall: Recall): number {
  const { size } = recall(workMemory);
  return (size?.task === recall(taskMemory).id ? size.lines : 0) + changedLines(facts);
}

/** What these files name comes in from outside. */
const manifest =
  /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|requirements[\w-]*\.txt|Gemfile|pom\.xml)$/;

const versions =
  /"[\w@/.-]+"\s*:\s*"(?:[\^~>=<*]|\d|npm:|git|latest)|^\s*[\w@/.-]+\s*(?:=|[ v])\s*[{"v]?[\^~]?\d|require/m;

function addsPackage({ event }: Facts, edits: readonly Change[]): boolean {
  if (!edits.some((c) => manifest.test(c.below ?? ""))) return false;
  // A package of the same workspace is the project's own.
  if (/@(?:workspace|link|file|portal):/.test(event.tool?.command ?? "")) return false;
  const changed = event.tool?.kind === "edit" ? event.tool.edits : undefined;
  return !changed?.length || changed.some((e) => versions.test(e.new));
}

type Recall = <T>(of: Memory<T>) => Readonly<T>;

/**
 * A file that was read or written earlier in the session is known to an ordinary follow-up; a plan that was approved
 * says what goes into a new file.
 */
function needsNoLook({ kind, path, below }: Change, plain: boolean, recall: Recall, { world, mask }: Facts): boolean {
  if (path === undefined) return false;
  if (recall(taskMemory).planned && kind === "write" && !world.project.exists(path)) return true;
  const seen = Object.values(recall(memory).looked ?? {}).some((places) => places.includes(mask(path)));
  return plain && (seen || (below !== undefined && recall(workMemory).files.includes(below)));
}

/** A file that is not the project's is known when it was read itself; nothing of the project says more about it. */
const readOutside = (edits: readonly Change[], recall: Recall, { mask }: Facts): boolean =>
  edits.length > 0 &&
  edits.every(
    ({ path, below }) =>
      path !== undefined && below === undefined && (recall(memory).outside ?? []).includes(mask(path)),
  );

/** A command of this call that changes something elsewhere: a push, a pull request, an issue. */
const externalCall = (facts: Facts, list: readonly string[]): string | undefined =>
  list.find((words) => facts.shell?.commands.some((c) => startsWithWords(c, words, facts.world.project.root)));

/** Why earlier calls did not count; of failed ones only a different attempt does. */
function again(failed: number | undefined, uncounted: string | undefined): string {
  if (failed) return ` (${failed} failed so far; ask something else, or another provider)`;
  return uncounted ? ` (the last call did not count: ${uncounted})` : "";
}

const usual: Record<ResearchCategory, string> = {
  docs: "read the documentation",
  web: "WebSearch or WebFetch",
  github: "look how others do it",
  local: "Read or Grep the code concerned",
};

function suggestion(category: ResearchCategory, p: ResearchProviders): string {
  if (category === "local" || (category === "web" && p.kinds.includes("web"))) return usual[category];
  const ways = [
    p.mcp[0] && `MCP ${p.mcp[0]}`,
    p.urls[0] && `WebFetch of ${category === "docs" ? "a docs page" : p.urls[0]}`,
    p.commands[0] && `\`${p.commands[0]}\``,
    p.tools[0],
  ].filter(Boolean);
  return ways.slice(0, 2).join(" or ") || usual[category];
}
