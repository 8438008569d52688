// Which skills a prompt asks for, and how far each has got.
// Invariant: words that are declined, quoted or part of a question ask for nothing; a skill that cannot be invoked is
// given up.

import type { PromptFact } from "../../../facts/prompts/prompt.js";
import type { Event } from "../../../model/event.js";
import { isObject } from "../../../model/json.js";
import type { SkillRule } from "../discipline-options.js";

export interface WantedSkill {
  name: string;
  task: string;
  used: boolean;
  agents: number;
  wanted: number;
  /** Failed attempts in a row: to invoke the skill, then to start its agents. */
  tries: number;
}

/** Only the beginning of a long prompt is searched. */
const longest = 20_000;

export function wantedSkills(
  prompt: PromptFact | undefined,
  text: string,
  rules: readonly SkillRule[],
  task: string,
): WantedSkill[] {
  if (!prompt?.person || prompt.kind === "question") return [];
  const said = text.slice(0, longest);
  const typed = /^\s*\/(\S+)/.exec(text)?.[1];
  const words = plain(said.replace(quoted, (whole, before: string) => (calls.test(before) ? whole : before)));
  return rules.flatMap(({ name, words: phrases, agents = 0 }) => {
    const invoked = typed !== undefined && sameSkill(typed, name);
    if (!invoked && !phrases.some((p) => asks(words, plain(p)))) return [];
    return [{ name, task, used: invoked, agents: 0, wanted: agents, tries: 0 }];
  });
}

/** Text in double quotes, with the words in front of it. */
const quoted = /([^"“”\n]{0,40})["“]([^"“”\n]{1,200})["”]/gu;
const calls = /\b(?:run|use|invoke|do|call|start|skill)\s+(?:the\s+)?(?:skill\s+)?$/i;

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

const declined = new RegExp(
  " (?:don t|dont|do not|not|no need (?:to|for)|without|never|skip|instead of" +
    "|rather than)(?: (?:run|running|use|using|invoke|invoking|start|starting|do|doing|bother|to" +
    "|the|a|an|any|please|yet|now))* $",
);

/** A negation counts only when it stands close in front of the phrase. */
const nearby = 80;

function asks(words: string, phrase: string): boolean {
  for (let at = words.indexOf(phrase); at >= 0; at = words.indexOf(phrase, at + 1))
    if (!declined.test(` ${words.slice(Math.max(0, at - nearby), at + 1)}`)) return true;
  return false;
}

const givenUpAfter = 2;

export const isSkillOpen = ({ used, agents, wanted, tries }: Readonly<WantedSkill>): boolean =>
  tries < givenUpAfter && !(used && agents >= wanted);

export function noteSkillUse(skill: WantedSkill, { kind, tool, outcome }: Event): void {
  const good = kind === "tool.after" && outcome?.ok !== false;
  if (tool!.kind === "skill" && sameSkill(tool!.skill, skill.name)) {
    const refused = isObject(outcome?.response) && outcome.response["success"] === false;
    if (good && !refused) Object.assign(skill, { used: true, tries: 0 });
    else skill.tries++;
  }
  if (tool!.kind !== "agent") return;
  if (good) Object.assign(skill, { agents: skill.agents + 1, tries: 0 });
  else if (skill.used) skill.tries++;
}

const sameSkill = (given: string | undefined, name: string): boolean => {
  const bare = given?.trim().replace(/^\//, "").split(/\s/)[0]?.toLowerCase();
  return bare === name.toLowerCase() || bare?.split(":").at(-1) === name.toLowerCase();
};
