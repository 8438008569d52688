// The dashboard's process below the resident server: answers what the command line asks through the supervisor.
// Invariant: ends with its parent; each project is opened once and only read.
import { setPriority } from "node:os";
import { open } from "../hook/open-project.js";
import { isObject, type JsonObject } from "../model/json.js";
import { DashboardServer } from "./dashboard-server.js";
import { projectSource } from "./dashboard-source.js";
import { announcePort, assetsFolder } from "./open-dashboards.js";

const idleMs = 2 * 3600_000;

export async function answerParent(home: string, packageDir: string): Promise<never> {
  giveWay();
  process.on("disconnect", () => process.exit(0));
  const server = await DashboardServer.start(assetsFolder());
  const forget = announcePort(home, server.port);
  process.on("exit", forget);
  process.on("SIGTERM", () => process.exit(0));
  process.on("message", (message: unknown) => {
    if (!isObject(message) || !isObject(message["question"])) return;
    void answerQuestion(server, home, packageDir, message["question"]).then((answer) =>
      process.send?.({ id: message["id"], answer }),
    );
  });
  setInterval(() => server.idleFor() > idleMs && process.exit(0), 60_000);
  return new Promise<never>(() => {});
}

/** Hooks come first: this process gets what time they leave. */
function giveWay(): void {
  try {
    setPriority(10);
  } catch {
    // not allowed here: it runs like any other
  }
}

/** What `interlock dashboard` asks. Granting is not among it: that is done, and recorded, at the terminal. */
async function answerQuestion(
  server: DashboardServer,
  home: string,
  packageDir: string,
  question: JsonObject,
): Promise<JsonObject> {
  try {
    const { ask, key } = question;
    if (ask === "link") {
      const opened = await open(String(question["cwd"]), { env: process.env, home, packageDir });
      const source = server.add(projectSource(opened));
      return { url: server.link(source.key), key: source.key };
    }
    if (ask === "wishes") {
      server.wishes.lastTerminal = Date.now();
      return { wishes: server.wishes.waiting(String(key)).map((wish) => ({ ...wish })) };
    }
    if (ask === "answer") {
      const status = question["granted"] === true ? "granted" : "declined";
      return { done: server.wishes.answer(Number(question["id"]), status, String(question["answer"])) };
    }
    return { error: "unknown question" };
  } catch (error) {
    return { error: String((error as Error)?.message ?? error).slice(0, 300) };
  }
}
