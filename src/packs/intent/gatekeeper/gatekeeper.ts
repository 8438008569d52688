// The gatekeeper: what changes files needs a selected intent that is IN_PROGRESS and has the files in its scope.
// Invariant: fails closed; judges effects and canonical paths, whatever the tool; reading is never its business.
import { findIntent, type Intent, type IntentSet, intentsFile, lineOf, unselectable } from "../../../intents/intent.js";
import type { Event } from "../../../model/event.js";
import { before, gate, type JudgeContext } from "../../../model/gate.js";
import { mutating } from "../../../model/mutating.js";
import { ownMcpServer } from "../../../model/own-mcp.js";
import { inert } from "../../../model/text.js";
import { type Deny, deny } from "../../../model/verdict.js";
import { realPath } from "../../../project/canonical-path.js";
import { type Mutation, mutationOf } from "../call-targets.js";
import { coversControl, isControlFile } from "../control-files.js";
import { distrustedFile } from "../file-trust.js";
import type { IntentOptions } from "../intent-options.js";
import { leftByOther } from "../parallel-calls.js";
import { ignoreRulesOf, projectIntents } from "../project-intents.js";
import { selectedIntent } from "../selection-memory.js";
import { contendersOf, type Refused, refusedTarget } from "./target-rules.js";

type Context = JudgeContext<undefined, IntentOptions>;

export const citeIntent = "You must cite a valid active Intent ID.";
const selectTool = `mcp__${ownMcpServer}__select_active_intent`;

export const gatekeeper = gate<undefined, IntentOptions>({
  id: "intent/gatekeeper",
  title: "Files change only under a selected intent, inside its scope",
  about:
    "In a project with `.orchestration`, refuses file tools, shell commands, scripts and MCP writers unless an " +
    "intent is selected that is IN_PROGRESS and has every target in its scope. Control files are refused always, " +
    "files excluded in `.intentignore` and files owned by another intent in progress too. Reading is exempt. A tool " +
    "nobody knows passes, is looked at afterwards, and is refused with `unknownTools: deny`.",
  remedy:
    "Select an intent (`select_active_intent`, or `interlock intent select <id>`), stay in its scope, or ask for " +
    "more with `request_scope_expansion`; a person approves it with `interlock intent scope approve <request>`.",
  window: "the selection lasts for the session, sub-agents included",
  reset: "`interlock intent select --none`, or selecting another intent",
  on: before(),
  onError: "deny",
  hindsight: true,
  judge(context) {
    const { facts, project, config, act, event } = context;
    const mutation = mutationOf(facts);
    if (!mutation) return;
    if (isHindsight(context, mutation) && !notByOthers(context, mutation).length) return;
    const control = controlDeny(context, mutation);
    if (control) return control;
    if (mutation.unknownTool) return config.unknownTools === "deny" ? unknownDeny(event, mutation) : undefined;
    const found = currentIntent(context, mutation);
    if ("kind" in found) return found;
    const carried = event.tool!.input["intent_id"];
    if (typeof carried === "string" && carried !== found.intent.id && event.tool!.kind !== "shell")
      return refuse(
        mutation.what,
        "HOOK_BLOCKED",
        `the call names the intent ${inert(carried, 60)}, and ${found.intent.id} is selected`,
        `name ${found.intent.id}, or call ${selectTool} with the other intent first`,
      );
    if (mutation.unresolved !== undefined)
      return refuse(
        mutation.what,
        "SCOPE_VIOLATION",
        `which file "${inert(mutation.unresolved, 80)}" is can't be known before it runs`,
        "write the path out, or use Write and Edit",
      );
    const world = {
      root: project.root,
      intent: found.intent,
      line: lineOf(found.set, found.intent),
      contenders: contendersOf(found.set, found.intent),
      ignore: ignoreRulesOf(project),
      outputs: config.outputs ?? [],
    };
    if (world.ignore.problem && mutation.targets.length)
      return refuse(
        mutation.what,
        "INTENTIGNORE_PATH_BLOCKED",
        `${world.ignore.file}:${world.ignore.problem.line} is no pattern: ${inert(world.ignore.problem.what, 120)}`,
        "ask the user to repair that line",
      );
    for (const target of mutation.targets) {
      const refused = refusedTarget(target, world);
      if (refused) return targetDeny(mutation, refused, found.intent);
    }
    // What runs programs is looked at afterwards; the guard does so for what surely changes something.
    if (event.tool?.id && event.tool.kind === "shell" && !mutating(facts.effects))
      act("watch", { protected: facts.protected.existing() });
    return;
  },
});

/** Asked about a change that was found after a call, and not about a call. */
const isHindsight = ({ event }: Context, { targets }: Mutation): boolean =>
  event.tool?.kind === "unknown" && targets.some((t) => t.byCommand);

const notByOthers = ({ event, recall, project }: Context, { targets }: Mutation) =>
  targets.filter((t) => t.below === undefined || !leftByOther(recall, event, project.root, t.below));

function controlDeny({ facts, project, event }: Context, mutation: Mutation) {
  const { root } = project;
  const folder = realPath(`${root}/.orchestration`);
  const named = facts.targets.some((t) => isControlFile(root, t.lexical));
  const hit = mutation.targets.find((t) => named || isControlFile(root, t.path, folder) || coversControl(root, t));
  if (!hit) return undefined;
  // Our own records change while calls run; `interlock trace verify` checks them.
  if (event.tool?.kind === "unknown" && /\/(?:agent_trace\.jsonl|intent_map\.md|AGENT\.md)$/.test(hit.path))
    return undefined;
  return refuse(
    mutation.what,
    "SCOPE_VIOLATION",
    `${inert(hit.shown, 100)} is a control file, which no intent lets an agent change`,
    "leave it as it is; the user changes intents with `interlock intent`, lessons go through record_lesson",
  );
}

/** The selected intent, or the refusal that says how to get one. */
function currentIntent(
  { project, recall, config, event }: Context,
  { what }: Mutation,
): Deny | { set: IntentSet; intent: Intent } {
  const set = projectIntents(project);
  const none = (why: string, next: string) => refuse(what, "MISSING_OR_INVALID_INTENT", why, next);
  if (set.problem) {
    const { line, what: wrong, fix } = set.problem;
    return none(
      `${citeIntent} ${intentsFile}${line === undefined ? "" : `:${line}`}: ${inert(wrong, 140)}`,
      inert(fix, 160),
    );
  }
  const changed = distrustedFile(project, recall);
  if (changed)
    return none(
      `${citeIntent} ${changed.file} was changed while an agent's call ran, and nobody accepted that`,
      "ask the user to look at it, then to run: interlock intent accept (or interlock restore <verdict>)",
    );
  const { id } = selectedIntent(recall, event);
  const listed = availableIntents(set, config);
  const select = selectStep(set, config);
  if (id === undefined) return none(`${citeIntent} None is selected. ${listed}`, select);
  const intent = findIntent(set, id);
  if (!intent) return none(`${citeIntent} ${inert(id, 60)} is not in ${intentsFile}. ${listed}`, select);
  if (ignoreRulesOf(project).intents.includes(id))
    return refuse(what, "INTENT_IGNORED", `${id} is excluded in .intentignore. ${listed}`, select);
  if (intent.status !== "IN_PROGRESS")
    return none(`${citeIntent} ${id} is ${intent.status}, not IN_PROGRESS. ${listed}`, select);
  return { set, intent };
}

const mostListed = 8;

function availableIntents(set: IntentSet, config: IntentOptions): string {
  const open = set.intents.filter((i) => unselectable(i, config.approval ?? "agent", "agent") === undefined);
  if (!open.length) return set.intents.length ? "No intent can be selected now." : "There is no intent yet.";
  const shown = open.slice(0, mostListed).map((i) => `${i.id} (${i.status})`);
  return `Available: ${shown.join(", ")}${open.length > mostListed ? ` and ${open.length - mostListed} more` : ""}.`;
}

function selectStep(set: IntentSet, config: IntentOptions): string {
  const first = set.intents.find((i) => unselectable(i, config.approval ?? "agent", "agent") === undefined);
  if (!first) return 'ask the user for an intent: interlock intent add "<what for>" --scope <pattern>';
  return `call ${selectTool} with intent_id, or run: interlock intent select ${first.id}`;
}

function unknownDeny(event: Event, { what }: Mutation): Deny {
  return refuse(
    what,
    "MISSING_OR_INVALID_INTENT",
    `nobody knows what ${inert(event.tool!.name, 60)} does, and unknownTools is deny`,
    "use another tool, or ask the user to declare it in interlock.yaml (mcp:) or to set unknownTools: pass",
  );
}

function targetDeny({ what }: Mutation, { code, file, why, expandable }: Refused, intent: Intent): Deny {
  const next = expandable
    ? `stay in the scope, or call mcp__${ownMcpServer}__request_scope_expansion with paths and a reason; ` +
      "a person approves it"
    : code === "INTENTIGNORE_PATH_BLOCKED"
      ? "leave it as it is; if it must change, ask the user to change .intentignore"
      : "work on other files, or ask the user";
  const data = { intent: intent.id, file, foundAs: "OUT OF SCOPE" };
  return refuse(what, code, `${inert(file, 120)}: ${why}`, next, data);
}

function refuse(what: string, code: string, why: string, next: string, data = {}): Deny {
  return deny({
    what: inert(what, 140),
    why: `${code}: ${why}`,
    next,
    data: { error_type: code, recoverable: true, classification: "destructive", ...data },
  });
}
