// All commands, each loaded on demand, in the order `interlock help` shows them.
interface Command {
  summary: string;
  load(): Promise<{ run(args: string[]): Promise<number>; usage?: string }>;
  /** Left out of the short help. */
  plumbing?: true;
}

/** The order of `interlock help`. Every command that is not plumbing is in one group. */
export const helpGroups: Record<string, readonly string[]> = {
  "Start here": ["init", "status", "why", "explain", "enable", "preset", "doctor", "open", "uninstall"],
  "When it is in the way": ["allow", "pause", "resume", "feedback", "learn", "restore"],
  "What happened": ["logs", "look", "dashboard", "statusline", "otel", "report", "downloads"],
  "Rules and workflows": [
    ...["config", "trust", "discipline", "loop", "lifecycle", "intent", "kit", "run", "request", "pump"],
    ...["validate", "query-log"],
  ],
  "Evidence in commits": ["trace", "sred", "checkpoint", "ci"],
  "The record": ["verify", "recover", "erase", "seal", "key", "compact"],
  "The program": ["up", "down", "mcp", "orphans", "update", "completion"],
};

export const cliCommands: Record<string, Command> = {
  init: { summary: "install Interlock for this project or user", load: () => import("./commands/init.js") },
  uninstall: { summary: "remove Interlock; the record stays", load: () => import("./commands/uninstall.js") },
  look: {
    summary: "replay recorded sessions: what would have been refused; installs nothing",
    load: () => import("./commands/look.js"),
  },
  status: {
    summary: "what is enforced and what happened lately",
    load: () => import("./commands/status.js"),
  },
  statusline: {
    summary: "Claude Code's status line: grade, gates, refusals; runs beside your own",
    load: () => import("./commands/statusline.js"),
  },
  dashboard: {
    summary: "sessions, gates, runs, intents, evidence and the record in your browser, live",
    load: () => import("./commands/dashboard.js"),
  },
  logs: { summary: "the newest records, one line each", load: () => import("./commands/logs.js") },
  why: { summary: "explain one verdict: interlock why v-12", load: () => import("./commands/why.js") },
  explain: {
    summary: "what a command or event would do and what each gate says; changes nothing",
    load: () => import("./commands/explain.js"),
  },
  learn: {
    summary: "propose rules for programs that were met and are not known; a person accepts them",
    load: () => import("./commands/learn.js"),
  },
  verify: {
    summary: "check the record: integrity, completeness, anchoring",
    load: () => import("./commands/verify.js"),
  },
  ci: {
    summary: "check a range of commits: checkpoints, traces, intents, SR&ED trailers, files of kits",
    load: () => import("./commands/ci.js"),
  },
  doctor: {
    summary: "prove that refusals hold; --fix repairs what it can",
    load: () => import("./commands/doctor.js"),
  },
  up: {
    summary: "start the resident server",
    load: () => import("./commands/up.js"),
  },
  down: { summary: "stop the resident server", load: () => import("./commands/down.js") },
  serve: {
    summary: "run the resident server in the foreground",
    load: () => import("./commands/serve.js"),
    plumbing: true,
  },
  allow: {
    summary: "let one refused call through, once: interlock allow v-12 --reason ...",
    load: () => import("./commands/allow.js"),
  },
  pause: { summary: "suspend refusals for a while", load: () => import("./commands/pause.js") },
  resume: { summary: "end a pause and revoke unused overrides", load: () => import("./commands/resume.js") },
  checkpoint: {
    summary: "print the newest record as a commit trailer, so that commits confirm it",
    load: () => import("./commands/checkpoint.js"),
  },
  compact: {
    summary: "compress the closed parts of the record; nothing is lost",
    load: () => import("./commands/compact.js"),
  },
  restore: {
    summary: "undo changes found after a call, or bring back lost work",
    load: () => import("./commands/restore.js"),
  },
  recover: { summary: "accept a damaged record with a reason and go on", load: () => import("./commands/recover.js") },
  erase: {
    summary: "remove prompts, outputs, commands and kept work; the chain stays intact",
    load: () => import("./commands/erase.js"),
  },
  key: {
    summary: "show where the signing key is; move it to the system's keyring and back",
    load: () => import("./commands/key.js"),
  },
  seal: {
    summary: "sign the record forward, so that its past can't be rewritten",
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
    summary: "commands of the discipline pack: safemode, breaker, research, plan, clear, summary",
    load: () => import("./commands/discipline.js"),
  },
  feedback: {
    summary: "say whether a refusal was right: interlock feedback v-12 wrong",
    load: () => import("./commands/feedback.js"),
  },
  orphans: {
    summary: "list orphaned agent and MCP processes",
    load: () => import("./commands/orphans.js"),
  },
  enable: { summary: "turn a pack on: interlock enable discipline", load: () => import("./commands/enable.js") },
  preset: {
    summary: "how strict the guard is: standard, strict, paranoid",
    load: () => import("./commands/preset.js"),
  },
  config: { summary: "show, check or set the configuration", load: () => import("./commands/config.js") },
  lifecycle: {
    summary: "a phase workflow: start, status, next, advance, redo, cancel, validate",
    load: () => import("./commands/lifecycle.js"),
  },
  intent: {
    summary: "what agents may work on: add, list, select, complete, scope, history",
    load: () => import("./commands/intent.js"),
  },
  mcp: { summary: "MCP server on stdio; a client starts it", load: () => import("./commands/mcp.js") },
  kit: {
    summary: "run a phase of a kit: interlock kit tdd red docs/feature.md",
    load: () => import("./commands/kit.js"),
  },
  run: {
    summary: "what happened in a run, and where the truth is",
    load: () => import("./commands/run.js"),
  },
  request: {
    summary: "ask another kit for work: interlock request math.full specs/lemma.md",
    load: () => import("./commands/request.js"),
  },
  pump: { summary: "run the requests of one kit to another", load: () => import("./commands/pump.js") },
  validate: {
    summary: "check capsules, manifests, requests and responses, for CI",
    load: () => import("./commands/validate.js"),
  },
  trace: {
    summary: "who wrote which line and why: blame, stats, verify, export, reconcile, install-hooks",
    load: () => import("./commands/trace.js"),
  },
  "query-log": {
    summary: "ask a log a question instead of reading it",
    load: () => import("./commands/query-log.js"),
  },
  sred: {
    summary: "R&D tax evidence from commits: check, suggest, squash, relink, install-hook",
    load: () => import("./commands/sred.js"),
  },
  open: { summary: "open the documentation: interlock open discipline", load: () => import("./commands/open.js") },
  update: { summary: "look for a newer version; installs nothing", load: () => import("./commands/update.js") },
  otel: {
    summary: "send calls and verdicts to an OpenTelemetry receiver: interlock otel export",
    load: () => import("./commands/otel.js"),
  },
  completion: {
    summary: "completion for your shell: bash, zsh, fish",
    load: () => import("./commands/completion.js"),
  },
  hook: {
    summary: "judge one event: payload on stdin, answer on stdout",
    load: () => import("./commands/hook.js"),
    plumbing: true,
  },
  downloads: { summary: "figures of the download counter", load: () => import("./commands/downloads.js") },
  report: { summary: "the daily report: interlock report daily", load: () => import("./commands/report.js") },
};
