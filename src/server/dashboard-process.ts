// The dashboard as a process of the resident server: started when somebody asks for a link, ended with the server.
// Invariant: pages are never answered by the process that answers hooks, so a heavy page can't delay a call.
import { type ChildProcess, spawn } from "node:child_process";
import { serverEnv } from "../hook/server-address.js";
import { isObject, type JsonObject } from "../model/json.js";

const answerMs = 20_000;

export class DashboardProcess {
  #child: ChildProcess | undefined;
  #next = 1;
  readonly #waiting = new Map<number, (value: JsonObject) => void>();

  constructor(
    private readonly home: string,
    private readonly script: string,
    private readonly log: (line: string) => void,
  ) {}

  /** Passes a question on; what it means is the dashboard's business. */
  ask(question: JsonObject): Promise<JsonObject> {
    const child = (this.#child ??= this.#start());
    const id = this.#next++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => done({ error: "the dashboard does not answer" }), answerMs);
      const done = (value: JsonObject) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(value);
      };
      this.#waiting.set(id, done);
      child.send({ id, question }, (error) => error && done({ error: `the dashboard ended: ${error.message}` }));
    });
  }

  end(): void {
    this.#child?.kill();
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [this.script, "serve", "--dashboard", "--home", this.home], {
      cwd: this.home,
      env: serverEnv(process.env),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      windowsHide: true,
    });
    child
      .stderr!.setEncoding("utf8")
      .on("data", (text: string) => this.log(`dashboard: ${text.trimEnd().slice(0, 2_000)}`));
    child.on("message", (message: unknown) => {
      if (!isObject(message)) return;
      const { id, answer } = message;
      if (isObject(answer)) this.#waiting.get(Number(id))?.(answer);
    });
    const gone = (how: string) => {
      if (this.#child === child) this.#child = undefined;
      for (const done of [...this.#waiting.values()]) done({ error: `the dashboard ended: ${how}` });
    };
    child.on("error", (error) => gone(error.message));
    child.on("exit", (code, signal) => gone(String(signal ?? code)));
    return child;
  }
}
