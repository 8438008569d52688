// Who started this hook: the agent itself, or something below it that pretends to be the agent.
// Invariant: only what can be seen counts as forged; if nothing can be seen or a wrapper is unknown: "unknown".
import { basename } from "node:path";
import type { HookOrigin } from "../engine/typed-commands/provenance.js";
import { agentIn, type Process, startedInsideAgent } from "./process-tree.js";

const shells = /^(?:sh|bash|dash|zsh|ksh|ash|busybox|fish)$/;
const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|expect|script|socat|nc)$/;

/** `-p`, also among other letters: `-cp`. */
const headless = /^(?:-[cdhrv]*p[cdhrv]*|--print)$/;
/** The Agent SDK and editors talk to the agent in JSON: the transcript tells a person's words from a program's. */
const asJson = /^--(?:in|out)put-format(?:=.*)?$/;

export function hookOriginOf(
  chain: readonly Process[] | undefined,
  isInsideAgent: (pid: number) => boolean = startedInsideAgent,
): HookOrigin {
  if (!chain) return { kind: "unknown", why: "the processes above the hook can't be seen" };
  const at = chain.findIndex((p, i) => i > 0 && agentIn(p));
  if (at < 0) return { kind: "unknown", why: "no agent is above the hook" };
  for (const between of chain.slice(1, at)) {
    const why = foreign(between);
    if (why) return { kind: "forged", why };
  }
  // A launcher that stays above its own program is one agent, not two.
  let top = at;
  while (chain[top + 1] && agentIn(chain[top + 1]!)) top++;
  if (chain.slice(top + 1).some((p) => agentIn(p)) || isInsideAgent(chain[top]!.pid))
    return { kind: "unknown", why: "the agent was started by another agent", nested: true };
  if (chain[at]!.argv.slice(1).some((word) => headless.test(word)))
    return { kind: "unknown", why: "a program gave the agent its prompt (-p)", nested: true };
  if (chain[at]!.argv.some((word) => asJson.test(word)))
    return { kind: "unknown", why: "a program passes messages to the agent" };
  return { kind: "genuine", why: `started by ${agentIn(chain[at]!)}` };
}

/** A process between agent and hook that an agent would not use to start its hooks. */
function foreign({ program, argv }: Process): string | undefined {
  const name = basename(argv[0] ?? program).replace(/^-/, "");
  const real = basename(program);
  const text = argv.slice(1).join(" ");
  if (shells.test(name) || shells.test(real))
    return /\beval\b/.test(text) || !/interlock/i.test(text)
      ? `a shell of the agent's started it (${name})`
      : undefined;
  if (!interpreters.test(name) && !interpreters.test(real)) return undefined;
  return /interlock/i.test(argv.slice(1, 3).join(" ")) ? undefined : `a program started it (${name})`;
}
