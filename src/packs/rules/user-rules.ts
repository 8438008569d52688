// Judges calls by the rules users write themselves.
// Invariant: patterns run on a linear-time engine and on capped text, whatever they are.
import { RE2JS } from "re2js";
import type { Facts } from "../../facts/index.js";
import { at, before, gate } from "../../model/gate.js";
import { inert } from "../../model/text.js";
import { ask, deny, note, type Opinion } from "../../model/verdict.js";
import { matchCompiled } from "../../project/globs.js";
import type { CompiledRule, SubjectKind } from "./config.js";
import { type RuleSubject, ruleSubjectsOf } from "./rule-subjects.js";

const patterns = new Map<string, RE2JS>();

/** Longer text is not searched: a rule that denies then counts as matching. */
const maxText = 1_000_000;

export const userRules = gate<undefined, { rules: CompiledRule[] }>({
  id: "rules/user",
  title: "Your own rules",
  about:
    "Applies each rule under `rules:` in interlock.yaml: `on` says what it watches, `where` narrows it by " +
    "path or name, `match` by text, and `action` says what happens.",
  remedy: "Do what the rule's message says. The user can change the rule in interlock.yaml.",
  on: [...before(), ...at("prompt", "turn.end")],
  hindsight: true,
  onError: "deny",
  judge: ({ facts, config }) => {
    const opinions: Opinion[] = [];
    for (const rule of config.rules) {
      const hit = rule.on.flatMap((subject) => ruleSubjectsOf(subject, facts)).find((thing) => applies(rule, thing));
      if (hit) opinions.push(opinionOf(rule, hit, facts));
    }
    return opinions;
  },
});

function applies(rule: CompiledRule, thing: RuleSubject): boolean {
  if (rule.where && !(thing.where !== undefined && isMeant(rule.where, thing.where, thing.broad))) return false;
  const text = thing.text ?? "";
  if (text.length > maxText) return rule.action === "deny";
  if (rule.match !== undefined && !find(rule.match, text)) return false;
  return !(rule.unless !== undefined && find(rule.unless, text));
}

const isMeant = (globs: readonly string[], place: string, broad = false): boolean =>
  matchCompiled(globs, place) || (broad && globs.some((glob) => glob.split("\n").some((one) => holds(place, one))));

/** Whether a deleted path contains the fixed part of the glob. */
function holds(taken: string, glob: string): boolean {
  const fixed = glob.split("/");
  const end = fixed.findIndex((name) => /[*?[\\]/.test(name));
  const names = fixed.slice(0, end < 0 ? fixed.length : end);
  if (!names.length || glob.startsWith("!")) return false;
  const parts = taken === "." ? [] : taken.split("/");
  const open = parts.indexOf("**");
  const shown = open < 0 ? parts : parts.slice(0, open);
  return shown.length <= names.length && shown.every((part, i) => part === names[i] || /^\*$|[?[]/.test(part));
}

function find(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (!compiled) patterns.set(pattern, (compiled = RE2JS.compile(pattern)));
  return compiled.matcher(text).find();
}

function opinionOf(rule: CompiledRule, thing: RuleSubject, facts: Facts): Opinion {
  const what = `${verbs[thing.subject]} ${inert(thing.name, 100)}`.trim();
  const data = { rule: rule.id };
  if (rule.action === "note") return note(`rule ${rule.id}: ${rule.message}`, "agent", data);
  const why = `rule "${rule.id}": ${rule.message}`;
  if (rule.action === "ask") return ask({ what, why, next: rule.next, data });
  const next =
    rule.next ??
    (facts.event.kind === "turn.end" ? "do what the rule says, then finish" : "do what the rule says, then try again");
  return deny({ what, why, next, data });
}

const verbs: Record<SubjectKind, string> = {
  shell: "command",
  write: "write",
  read: "read",
  delete: "delete",
  commit: "commit",
  push: "push",
  web: "fetch",
  agent: "start of agent",
  mcp: "MCP call",
  tool: "call of",
  prompt: "prompt",
  stop: "end of the turn",
};
