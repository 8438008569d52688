// A conversation of several prompts with the real Claude Code, over its SDK protocol on stdin: the test is the person
// who types and answers questions. Only the scripted model and the given ports can be reached.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { loopbackClientEnv } from "../../src/live/claude.js";
import { confine, isolation } from "../../src/live/isolate.js";
import { type Script, startModel } from "../../src/live/model.js";
import { type Told, toldIn } from "../../src/live/stream.js";
import { binary, type Workplace } from "./workplace.js";

export interface ConversationOptions {
  scripts: Script[];
  /** What the person types, one after the other. */
  prompts: string[];
  /** The person's answer to a question of the client. */
  answer?(question: string): string;
  ports?: number[];
  /** Put before PATH. */
  bin?: string;
  settings?: Record<string, unknown>;
  timeoutMs?: number;
}

interface Message {
  type: string;
  request_id?: string;
  request?: { subtype: string; tool_name?: string; input: Record<string, unknown> };
}

/** What the model was told about each call, in order. */
export async function conversation(
  place: Pick<Workplace, "project" | "home">,
  options: ConversationOptions,
): Promise<Told[]> {
  const { scripts, prompts, answer = () => "", ports = [], bin = "", settings, timeoutMs = 180_000 } = options;
  const model = await startModel(scripts);
  mkdirSync(join(place.home, "tmp"), { recursive: true });
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  args.push("--permission-prompt-tool", "stdio", "--permission-mode", "bypassPermissions");
  if (settings) args.push("--settings", JSON.stringify(settings));
  const confined = await confine([binary, ...args], {
    cwd: place.project,
    env: {
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: place.home,
      TMPDIR: join(place.home, "tmp"),
      ...loopbackClientEnv(model.port),
    },
    ports: [model.port, ...ports],
    way: isolation(),
    stdin: "pipe",
  });
  const { child } = confined;
  const say = (message: object) => child.stdin!.write(`${JSON.stringify(message)}\n`);
  const left = [...prompts];
  const type = () => {
    const content = left.shift();
    if (content === undefined) return child.stdin!.end();
    return say({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      let rest = "";
      let errors = "";
      const limit = setTimeout(() => reject(new Error(`the client did not come to an end: ${errors}`)), timeoutMs);
      child.stderr!.on("data", (part: Buffer) => void (errors += part.toString("utf8")));
      child.stdout!.on("data", (part: Buffer) => {
        rest += part.toString("utf8");
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines.filter((l) => l.startsWith("{"))) {
          const message = JSON.parse(line) as Message;
          if (message.type === "control_request") say(reply(message, answer));
          if (message.type === "result") type();
        }
      });
      child.on("close", () => {
        clearTimeout(limit);
        resolve();
      });
      type();
    });
    return toldIn(model.requests).told;
  } finally {
    await confined.end();
    await model.close();
  }
}

function reply({ request_id, request }: Message, answer: (question: string) => string): object {
  const input = request?.input ?? {};
  const questions = Array.isArray(input["questions"]) ? (input["questions"] as { question: string }[]) : [];
  const answers = Object.fromEntries(questions.map(({ question }) => [question, answer(question)]));
  const updatedInput = questions.length ? { ...input, answers } : input;
  return {
    type: "control_response",
    response: { subtype: "success", request_id, response: { behavior: "allow", updatedInput } },
  };
}
