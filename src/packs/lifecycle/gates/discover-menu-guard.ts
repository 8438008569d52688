// Warns about a discover menu that does not have its three options.

import { agentNamed } from "../../../facts/agent-roles.js";
import { after, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";

const required: readonly [name: string, pattern: RegExp][] = [
  ["New Project", /new\s+project/i],
  ["Existing Project", /existing\s+project/i],
  ["Chat / Explore", /\b(?:chat|explore)\b/i],
];
const forbidden: readonly [name: string, pattern: RegExp][] = [
  ["Scoped Analysis", /scoped\s+analysis/i],
  ["Auto-detect", /^\s*(?:\[?\d+[\].)]|[-*])\s*\**auto[- ]?detect/im],
];
const numbered = /^\s*(?:\[\d\]|\d[.)])\s+\S/m;

export const discoverMenuGuard = gate({
  id: "lifecycle/discover-menu-guard",
  title: "A wrong discover menu is noticed",
  about:
    "After a discovery agent's call, looks for its menu in the result or the request and warns when " +
    "options are missing or obsolete. Refuses nothing.",
  remedy: "Show the menu again with its three options: New Project, Existing Project, Chat / Explore.",
  on: after("agent"),
  onError: "pass",
  judge({ event: { tool, outcome } }) {
    const { type, prompt = "", description = "" } = tool?.agent ?? {};
    if (!/discover/.test(agentNamed(type)) && !/\bdiscover\b/i.test(`${prompt}\n${description}`)) return;
    const menu = [outcome?.text ?? "", prompt]
      .map((t) => t.slice(0, 50_000))
      .find((t) => t.length >= 50 && numbered.test(t));
    if (menu === undefined) return;
    const missing = required.filter(([, pattern]) => !pattern.test(menu)).map(([name]) => name);
    const extra = forbidden.filter(([, pattern]) => pattern.test(menu)).map(([name]) => name);
    if (!missing.length && !extra.length) return;
    const wrong = [
      missing.length ? `missing: ${missing.join(", ")}` : "",
      extra.length ? `not an option: ${extra.join(", ")}` : "",
    ].filter(Boolean);
    return note(
      `[discover-menu-guard] WARNING: Incorrect discover menu detected (${wrong.join("; ")}). Show the ` +
        "menu again with New Project, Existing Project and Chat / Explore.",
      "both",
    );
  },
});
