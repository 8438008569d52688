// The commands there are, each loaded when it is wanted, in the order `interlock help` shows them.
interface Command {
  summary: string;
  load(): Promise<{ run(args: string[]): Promise<number>; usage?: string }>;
  /** Left out of the short help. */
  plumbing?: true;
}

export const commands: Record<string, Command> = {
  init: { summary: "install Interlock on this project's or user's agent", load: () => import("./init.js") },
  uninstall: { summary: "take Interlock off again; the ledger stays", load: () => import("./uninstall.js") },
  status: { summary: "what is enforced, since when, and what happened lately", load: () => import("./status.js") },
  why: { summary: "explain one verdict: interlock why v-12", load: () => import("./why.js") },
  explain: {
    summary: "what a command or event would do and what each gate thinks of it; changes nothing",
    load: () => import("./explain.js"),
  },
  verify: { summary: "check the record: integrity, completeness, anchoring", load: () => import("./verify.js") },
  doctor: {
    summary: "prove by probes that refusals hold; each red line has its repair",
    load: () => import("./doctor.js"),
  },
  up: { summary: "start the resident server, which answers hooks in a millisecond", load: () => import("./up.js") },
  down: { summary: "stop the resident server", load: () => import("./down.js") },
  serve: { summary: "the resident server in the foreground", load: () => import("./serve.js"), plumbing: true },
  allow: {
    summary: "let one refused call through, once: interlock allow v-12 --reason ...",
    load: () => import("./allow.js"),
  },
  pause: { summary: "suspend refusals for a while", load: () => import("./pause.js") },
  resume: { summary: "end a pause and take back open overrides", load: () => import("./resume.js") },
  checkpoint: {
    summary: "the newest record as a commit trailer, so that pushes and clones vouch for it",
    load: () => import("./checkpoint.js"),
  },
  restore: { summary: "undo what was found changed, or bring lost work back", load: () => import("./restore.js") },
  recover: { summary: "accept a damaged record with a reason and go on", load: () => import("./recover.js") },
  erase: {
    summary: "remove the texts of old records; the chain stays whole",
    load: () => import("./erase.js"),
  },
  key: {
    summary: "where the signing key lies; --keyring moves it into the system's keyring, --file back",
    load: () => import("./key.js"),
  },
  seal: {
    summary: "sign the record forward, so that its past cannot be rewritten with today's keys",
    load: () => import("./seal.js"),
  },
  trust: { summary: "let this project's interlock.yaml loosen your settings", load: () => import("./trust.js") },
  loop: {
    summary: "the loop of a big task: start, check, log, status, complete, cancel",
    load: () => import("./loop.js"),
  },
  discipline: {
    summary: "the user's commands: safemode, breaker, research, plan, clear, summary",
    load: () => import("./discipline.js"),
  },
  orphans: { summary: "agent and MCP processes nobody waits for any more", load: () => import("./orphans.js") },
  config: { summary: "show the configuration in force, or check a file", load: () => import("./config.js") },
  lifecycle: {
    summary: "a phase workflow: start, status, next, advance, redo, cancel, validate",
    load: () => import("./lifecycle.js"),
  },
  hook: { summary: "one event on stdin, the host's answer on stdout", load: () => import("./hook.js"), plumbing: true },
};
