// All commands, each loaded on demand, in the order `interlock help` shows them.
interface Command {
  summary: string;
  load(): Promise<{ run(args: string[]): Promise<number>; usage?: string }>;
  /** Left out of the short help. */
  plumbing?: true;
}

export const cliCommands: Record<string, Command> = {
  init: { summary: "install Interlock on this project's or user's agent", load: () => import("./commands/init.js") },
  uninstall: { summary: "take Interlock off again; the ledger stays", load: () => import("./commands/uninstall.js") },
  status: {
    summary: "what is enforced, since when, and what happened lately",
    load: () => import("./commands/status.js"),
  },
  why: { summary: "explain one verdict: interlock why v-12", load: () => import("./commands/why.js") },
  explain: {
    summary: "what a command or event would do and what each gate thinks of it; changes nothing",
    load: () => import("./commands/explain.js"),
  },
  verify: {
    summary: "check the record: integrity, completeness, anchoring",
    load: () => import("./commands/verify.js"),
  },
  doctor: {
    summary: "prove by probes that refusals hold; each red line has its repair",
    load: () => import("./commands/doctor.js"),
  },
  up: {
    summary: "start the resident server, which answers hooks in a millisecond",
    load: () => import("./commands/up.js"),
  },
  down: { summary: "stop the resident server", load: () => import("./commands/down.js") },
  serve: {
    summary: "the resident server in the foreground",
    load: () => import("./commands/serve.js"),
    plumbing: true,
  },
  allow: {
    summary: "let one refused call through, once: interlock allow v-12 --reason ...",
    load: () => import("./commands/allow.js"),
  },
  pause: { summary: "suspend refusals for a while", load: () => import("./commands/pause.js") },
  resume: { summary: "end a pause and take back open overrides", load: () => import("./commands/resume.js") },
  checkpoint: {
    summary: "the newest record as a commit trailer, so that pushes and clones vouch for it",
    load: () => import("./commands/checkpoint.js"),
  },
  restore: {
    summary: "undo what was found changed, or bring lost work back",
    load: () => import("./commands/restore.js"),
  },
  recover: { summary: "accept a damaged record with a reason and go on", load: () => import("./commands/recover.js") },
  erase: {
    summary: "remove the texts of old records; the chain stays whole",
    load: () => import("./commands/erase.js"),
  },
  key: {
    summary: "where the signing key lies; --keyring moves it into the system's keyring, --file back",
    load: () => import("./commands/key.js"),
  },
  seal: {
    summary: "sign the record forward, so that its past cannot be rewritten with today's keys",
    load: () => import("./commands/seal.js"),
  },
  trust: {
    summary: "let this project's interlock.yaml loosen your settings",
    load: () => import("./commands/trust.js"),
  },
  loop: {
    summary: "the loop of a big task: start, check, log, status, complete, cancel",
    load: () => import("./commands/loop.js"),
  },
  discipline: {
    summary: "the user's commands: safemode, breaker, research, plan, clear, summary",
    load: () => import("./commands/discipline.js"),
  },
  orphans: {
    summary: "agent and MCP processes nobody waits for any more",
    load: () => import("./commands/orphans.js"),
  },
  config: { summary: "show the configuration in force, or check a file", load: () => import("./commands/config.js") },
  lifecycle: {
    summary: "a phase workflow: start, status, next, advance, redo, cancel, validate",
    load: () => import("./commands/lifecycle.js"),
  },
  hook: {
    summary: "one event on stdin, the host's answer on stdout",
    load: () => import("./commands/hook.js"),
    plumbing: true,
  },
};
