// Every required research category is covered before the first edit of a task.
import type { Change } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { before, gate, type Memory } from "../../../model/gate.js";
import { deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions, ResearchCategory, ResearchProviders } from "../discipline-options.js";
import { describeEdits, editsOf, isLayout, withoutOwn } from "../edits.js";
import { binaryFile, matchesPathForms } from "../files/path-forms.js";
import { startsWithWords } from "../name-patterns.js";
import { taskMemory } from "../prompts/task-memory.js";
import { manifest, onlyVersion } from "../verification/changed-code.js";
import { changedLines } from "../verification/changed-lines.js";
import { workMemory } from "../verification/work-memory.js";
import { addsPackage } from "./added-package.js";
import { looksOf, researchMemory as memory } from "./research-memory.js";
import { type ResearchNeed, type ResearchStatus, researchNeed, researchStatus } from "./research-status.js";

export const researchFirst = gate<{ told: string[] }, DisciplineOptions>({
  id: "discipline/research",
  title: "Research before change",
  about:
    "Refuses changes by any tool, including shell commands and MCP tools, until this agent has researched " +
    "every required category (docs, web, github, local) for the task. Research is a call to a provider of " +
    "the category that succeeds and returns something. How much is needed depends on the task: a small one needs a " +
    "look at the code; an ordinary one needs no outside source once three places of the project were looked at in " +
    "this session; a big one, or one that brings in a package or a new version, needs one outside source. " +
    "`research.depth: full` asks for every category in every task. " +
    "Prose (`research.exempt`), layout, binaries and files outside the project that were read need none; commands " +
    "listed in `research.external` (`git push`, `gh pr create`, `gh issue create`) need it as changes do.",
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
        !isLayout(c) &&
        !((c.kind === "write" || c.by === "mv") && binaryFile.test(c.path ?? c.shown)) &&
        (c.path === undefined || !matchesPathForms(config.research.exempt, c.path, facts)),
    );
    const sent = config.research.external.length ? externalCall(facts, config.research.external) : undefined;
    if ((!edits.length || onlyVersion(facts)) && !sent) return;
    const { id } = recall(taskMemory);
    // A message changes no code: it needs a look at what it is about.
    const message = !sent && isMessage(event);
    const size = { lines: sizeWith(facts, recall), addsPackage: edits.length > 0 && addsPackage(facts) };
    const scaled = researchNeed(recall(taskMemory), config, size);
    // To answer a question is to try things; what a command changed all the same is seen after the call.
    const { latest } = recall(taskMemory);
    const tries = (latest === "question" || latest === "research-only") && edits.every((c) => c.kind === "unknown");
    const need = (message || (tries && !sent)) && scaled ? { sources: 0, outside: false } : scaled;
    const status = researchStatus(recall(memory), id, event, config, project, need);
    const { missing, done, excused, tried, places } = status;
    const { uncounted = {} } = recall(memory).task === id ? recall(memory) : {};
    const plain = need !== undefined && !need.outside;
    const known =
      edits.length > 0 &&
      missing.join() === "local" &&
      places === 0 &&
      ((message && looksOf(recall(memory), event) > 0) || edits.every((c) => needsNoLook(c, plain, recall, facts)));
    if (missing.length && !known && !(plain && recall(memory).outside && readOutside(edits, recall, facts)))
      return deny({
        joins: true,
        what: edits.length ? describeEdits(facts, edits) : `${event.tool!.name}: ${sent}`,
        why:
          "not yet researched for this task: " +
          `${missing.join(", ")}${done.length ? ` (done: ${done.join(", ")})` : ""}`,
        next: nextSteps(status, config, need, (c) => again(tried[c], uncounted[c])),
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
  /(?:^|_)(?:issue|ticket|comment|message|thread|card|discussion|task|todo|reminder|event|note)s?(?:_|$)/i.test(
    tool.mcp.tool,
  );

/** The lines this task has changed so far, with those of this call. */
export function sizeWith(facts: Facts, recall: Recall): number {
  const { size } = recall(workMemory);
  const before = size?.task === recall(taskMemory).id ? size.lines : 0;
  // A program that may change something, or nothing: what it did is counted after the call.
  return before + (facts.changes.every((c) => c.kind === "unknown") ? 0 : changedLines(facts));
}

type Recall = <T>(of: Memory<T>) => Readonly<T>;

/**
 * A file that was read or written earlier in the session is known to an ordinary follow-up; a plan that was approved
 * says what goes into a new file and which packages are added.
 */
function needsNoLook(
  { kind, path, below, by }: Change,
  plain: boolean,
  recall: Recall,
  { world, mask }: Facts,
): boolean {
  if (path === undefined) return false;
  const isNew = !world.project.exists(path) || (by !== undefined && manifest.test(path));
  if (recall(taskMemory).planned && kind === "write" && isNew) return true;
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
  list.find(
    (words) =>
      // Also by an alias of git's.
      (words === "git push" && facts.effects.some((e) => e.kind === "push")) ||
      facts.shell?.commands.some(
        (c) => startsWithWords(c, words, facts.world.project.root) && !c.argv.includes("--dry-run"),
      ),
  );

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

/** More places of the project come first; where one outside source is enough, any will do. */
function nextSteps(
  { missing, places }: ResearchStatus,
  config: DisciplineOptions,
  need: ResearchNeed | undefined,
  remark: (category: ResearchCategory) => string,
): string {
  const look = places > 0 ? `read or search ${places} more place${places === 1 ? "" : "s"} of the code concerned` : "";
  const step = (c: ResearchCategory) => `${c}: ${suggestion(c, config.research[c])}${remark(c)}`;
  const all = missing.map(step).join("; ");
  if (!need?.outside) return look ? `${look}; or ${all}` : all;
  const others = config.research.require.filter((c) => c !== "local" && !missing.includes(c));
  const instead = others.length ? `, or ${others.join(" or ")} instead` : "";
  return missing.map((c) => (c === "local" ? look || step(c) : `${step(c)}${instead}`)).join("; ");
}

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
