// The short commands a person may type as a whole prompt.
// Invariant: the whole text must match exactly.

export type CommandName =
  | "safemode.on"
  | "safemode.off"
  | "safemode.status"
  | "breaker.reset"
  | "breaker.status"
  | "research.status"
  | "research.reset"
  | "plan.approve"
  | "plan.withdraw"
  | "plan.status"
  | "loop.start"
  | "loop.stop"
  | "loop.status"
  | "blocks.reset"
  | "help";

export const userCommands: Readonly<Record<CommandName, { words: readonly string[]; does: string }>> = {
  "safemode.on": { words: ["s+", "safemode on"], does: "refuse every change until s-" },
  "safemode.off": { words: ["s-", "safemode off"], does: "allow changes again" },
  "safemode.status": { words: ["s?", "safemode", "safemode status"], does: "say whether safemode is on" },
  "breaker.reset": {
    words: ["rb-", "rb+", "reset breaker", "reset circuit"],
    does: "close the circuit breaker and forget its failures",
  },
  "breaker.status": { words: ["rb?", "breaker status"], does: "show the breaker and what it counted" },
  "research.status": { words: ["research", "research?", "research status"], does: "show what was researched" },
  "research.reset": { words: ["reset research", "rr-"], does: "ask for research again" },
  "plan.approve": { words: ["pa+", "plan approved"], does: "approve the plan for this task" },
  "plan.withdraw": { words: ["pa-", "change the plan"], does: "take the approval back: the plan is shown again" },
  "plan.status": { words: ["pa?", "plan status"], does: "say whether a plan is required and approved" },
  "loop.start": { words: ["sl+", "loop on"], does: "start a loop for the current task" },
  "loop.stop": { words: ["sl-", "loop off"], does: "cancel the loop" },
  "loop.status": { words: ["sl?", "loop status"], does: "show the loop" },
  "blocks.reset": { words: ["reset blocks", "unblock"], does: "forget how often the same call was refused" },
  help: { words: ["reset?", "resets?"], does: "list these commands" },
};

const byWords = new Map(
  Object.entries(userCommands).flatMap(([name, { words }]) => words.map((w) => [w, name as CommandName] as const)),
);

/** The command a prompt is, if any. Only plain spaces are trimmed: other invisible characters were not typed. */
export const commandOf = (text: string): CommandName | undefined =>
  text.length > 40 ? undefined : byWords.get(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").toLowerCase());

/** Whether a typed prompt changes what is enforced: a command that is not a question, or a plain yes. */
export const changesState = ({ command, approves }: { command?: CommandName; approves: boolean }): boolean =>
  command ? command !== "help" && !command.endsWith(".status") : approves;
