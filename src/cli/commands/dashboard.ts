// interlock dashboard: opens the pages in the browser and, at a terminal, confirms what they ask for.
// Invariant: the link works once; a page can only ask for an override, a person at this terminal grants it.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import type { DashboardServer } from "../../dashboard/dashboard-server.js";
import type { OverrideWish } from "../../dashboard/override-wishes.js";
import { allow, defaultMs } from "../../engine/overrides/grant.js";
import { interlockHome } from "../../hook/folders.js";
import type { Opened } from "../../hook/open-project.js";
import type { JsonObject } from "../../model/json.js";
import { whoAsks } from "../../person/terminal.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, clock, dim, green, shown } from "../lib/paint.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock dashboard [--no-open] [--file <ledger>] [--json]

  Opens this project's dashboard in your browser, live: sessions, gates, runs, intents, evidence, record.
  The link works once, for five minutes. The pages only read; what they ask for (letting one refused call through) is
  confirmed here.
  --no-open        print the link instead of opening it
  --file <ledger>  look at a ledger file or folder, without a project or a server
  --json           print the link as JSON and return, where the resident server runs
`;

/** A dashboard, in this process or in the resident server's. */
interface OpenDashboard {
  url: string;
  /** It ends with this process. */
  here: boolean;
  wishes(): Promise<readonly OverrideWish[]>;
  answer(id: number, granted: boolean, answer: string): Promise<void>;
}

export async function run(args: string[]): Promise<number> {
  const spec = { "no-open": "flag", file: "text", json: "flag", cwd: "text", home: "text" } as const;
  const { values } = parseOptions(args, spec, usage);
  if (person(values.json, "script") === undefined) return 1;
  const home = interlockHome(process.env, values.home);
  const opened = values.file === undefined ? await openHere(values) : undefined;
  const open = opened
    ? ((await ofResident(home, opened)) ?? (await ofProject(home, opened)))
    : await ofFile(home, values.file!);
  if (values.json) printJson({ url: open.url, ends: open.here ? "with this process" : "with the resident server" });
  else say(open.url);
  if (!values["no-open"] && !values.json && process.stdout.isTTY) showInBrowser(open.url);
  const atTerminal = opened !== undefined && whoAsks("terminal").person;
  if (!open.here && (values.json || !atTerminal)) return 0;
  const ends = open.here ? "The dashboard ends with Ctrl-C." : "Ctrl-C ends this; the pages stay open.";
  sayError(dim(`${ends}${atTerminal ? " What the pages ask for is confirmed here." : ""}`));
  if (opened && atTerminal) return confirmWishes(open, opened);
  return new Promise<never>(() => {});
}

async function ofResident(home: string, opened: Opened): Promise<OpenDashboard | undefined> {
  const { runningSoon } = await import("../../server/start-stop.js");
  const { requestServer } = await import("../../server/client.js");
  const up = await runningSoon(home);
  if (!up) return undefined;
  const ask = (question: JsonObject) =>
    requestServer(up.door.socket, "POST", "/dashboard", JSON.stringify(question), 25_000);
  const link = await ask({ ask: "link", cwd: opened.repository.root });
  if (typeof link?.["url"] !== "string") return undefined; // an older server, or one that could not start it
  const key = String(link["key"]);
  return {
    url: link["url"],
    here: false,
    wishes: async () => ((await ask({ ask: "wishes", key }))?.["wishes"] ?? []) as unknown as OverrideWish[],
    answer: async (id, granted, answer) => void (await ask({ ask: "answer", id, granted, answer })),
  };
}

async function ofProject(home: string, opened: Opened): Promise<OpenDashboard> {
  const { projectSource } = await import("../../dashboard/dashboard-source.js");
  const server = await startHere(home);
  const { key } = server.add(projectSource(opened));
  return {
    url: server.link(key),
    here: true,
    wishes: async () => {
      server.wishes.lastTerminal = Date.now();
      return server.wishes.waiting(key);
    },
    answer: async (id, granted, answer) => void server.wishes.answer(id, granted ? "granted" : "declined", answer),
  };
}

async function ofFile(home: string, file: string): Promise<OpenDashboard> {
  const { fileSource } = await import("../../dashboard/dashboard-source.js");
  const source = (() => {
    try {
      return fileSource(file);
    } catch (error) {
      throw new UsageError(`${(error as Error).message}\n${usage}`);
    }
  })();
  const server = await startHere(home);
  const { key } = server.add(source);
  return { url: server.link(key), here: true, wishes: async () => [], answer: async () => {} };
}

async function startHere(home: string): Promise<DashboardServer> {
  const { DashboardServer } = await import("../../dashboard/dashboard-server.js");
  const { announcePort, assetsFolder } = await import("../../dashboard/open-dashboards.js");
  process.argv[1] = realpathSync(process.argv[1]!);
  const server = await DashboardServer.start(assetsFolder());
  process.on("exit", announcePort(home, server.port));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
  return server;
}

/** Asks here about each wish of the pages, one after the other. */
async function confirmWishes(open: OpenDashboard, { store }: Opened): Promise<never> {
  for (;;) {
    const [wish] = await open.wishes();
    if (!wish) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      continue;
    }
    say(`\n${bold("The dashboard asks")} to let ${wish.verdict} through once: ${shown(wish.what, 160)}`);
    say(`  refused by ${shown(wish.gates.join(", "), 120)}; reason given: ${shown(wish.reason, 200)}`);
    const yes = await confirm("Allow it?");
    const asker = whoAsks("terminal");
    if (!yes || !asker.person) {
      await open.answer(wish.id, false, asker.person ? "declined at the terminal" : asker.why);
      say("Declined.");
      continue;
    }
    const request = { reason: wish.reason, by: asker.by, channel: "terminal", ms: defaultMs, now: Date.now() } as const;
    const granted = allow(store, wish.verdict, request);
    const until = granted.ok ? clock(granted.override.expires) : "";
    const answer = granted.ok ? `allowed once, until ${until}; the agent has to repeat exactly this call` : granted.why;
    await open.answer(wish.id, granted.ok, answer);
    say(granted.ok ? `${green("Allowed once")}: ${answer}.` : `Not allowed: ${answer}.`);
  }
}

function showInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(program!, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => sayError("interlock: no browser was found; open the link above yourself."));
  child.unref();
}
