// Honest sessions of many kinds with everything enforced: at most one refusal in two hundred calls, and each can be
// satisfied.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JsonObject } from "../../../src/model/json.js";
import { Agent, type Heard } from "../agent.js";
import { follow } from "../replay/player.js";
import { calledTool, honestSessions, type ScriptStep, type SessionScript } from "./session-script.js";

const all = { calls: 0, ends: 0, asked: 0, refused: 0, impossible: 0 };
const sessions = honestSessions();

test("there are thirty sessions", () => assert.ok(sessions.length >= 30, `${sessions.length} sessions`));

for (const session of sessions)
  test(`honest: ${session.title}`, async (t) => {
    const a = new Agent({ files: session.files });
    t.after(() => a.close());
    prepare(a, session.setup);
    const played = await new Player(a, session).play();
    all.calls += played.calls;
    all.ends += played.ends;
    all.asked += played.asked;
    all.refused += played.refused.length;
    all.impossible += played.impossible.length;
    for (const text of played.refused) console.log(`refused: ${text}`);
    for (const text of played.impossible) console.log(`again: ${text}`);
    assert.ok(played.calls >= 40, `${played.calls} calls`);
    assert.deepEqual([...played.refused, ...played.impossible], []);
  });

after(() => console.log(`honest sessions: ${sessions.length} ${JSON.stringify(all)}`));

/** A repository with one commit and a remote; then what the session's setup says. */
function prepare(a: Agent, setup: string): void {
  const start = "git add -A && git commit -qm 'Initial import' && git init -q --bare ../origin.git -b main";
  const remote = "git remote add origin ../origin.git && git push -q -u origin main";
  const done = shell(a, `set -e; ${start} && ${remote}\n${setup}`);
  assert.equal(done.exit, 0, done.output);
}

function shell(a: Agent, command: string): { output: string; exit: number } {
  const who = { GIT_AUTHOR_NAME: "Dev", GIT_AUTHOR_EMAIL: "dev@example.org" };
  const env = {
    ...a.env,
    ...who,
    GIT_COMMITTER_NAME: "Dev",
    GIT_COMMITTER_EMAIL: "dev@example.org",
    GIT_EDITOR: "true",
  };
  const done = spawnSync("bash", ["-c", command], { cwd: a.root, env, encoding: "utf8", timeout: 20_000 });
  return { output: `${done.stdout}${done.stderr}`, exit: done.status ?? 1 };
}

interface PlayedSession {
  calls: number;
  ends: number;
  asked: number;
  refused: string[];
  /** Refused again after everything the refusal named was done. */
  impossible: string[];
}

class Player {
  readonly #played: PlayedSession = { calls: 0, ends: 0, asked: 0, refused: [], impossible: [] };
  /** What TaskOutput shows of a command in the background. */
  #task = { id: "", output: "" };
  #outer: { type: string; prompt: string; id: string } | undefined;

  constructor(
    readonly a: Agent,
    readonly session: SessionScript,
  ) {}

  async play(): Promise<PlayedSession> {
    await this.a.start();
    for (const step of this.session.steps) {
      step.text = step.text.replaceAll("{root}", this.a.root);
      if (step.verb === "prompt") await this.a.prompt(step.text);
      else if (step.verb === "end-of-turn") await this.#end(step);
      else if (step.verb === "start") await this.a.start(step.text);
      else await this.#call(step);
    }
    return this.#played;
  }

  async #end(step: ScriptStep): Promise<void> {
    this.#played.ends++;
    const said = await this.a.stop(step.text);
    if (said.outcome === "pass") return;
    this.#played.refused.push(this.#described(step, said));
    await follow(this.a, said);
    const again = await this.a.stop(step.text, true);
    if (again.outcome !== "pass") this.#played.impossible.push(this.#described(step, again));
  }

  async #call(step: ScriptStep): Promise<void> {
    this.#played.calls++;
    const said = await this.#make(step);
    const expected = step.expected === undefined ? "" : step.expected;
    if (said.outcome === "pass") {
      if (expected) this.#played.refused.push(`${this.#described(step, said)}: passed, expected "${expected}"`);
      return;
    }
    if (said.outcome === "ask") {
      this.#played.asked++;
      if (expected !== `ask ${said.gate}`) this.#played.refused.push(this.#described(step, said));
      return;
    }
    this.#played.refused.push(this.#described(step, said));
    await follow(this.a, said);
    const again = await this.#make(step);
    if (again.outcome !== "deny") return;
    this.#played.impossible.push(this.#described(step, again));
    // The rest of the session builds on it.
    if (step.verb === "bash" && step.output === undefined) shell(this.a, step.text);
    if (step.verb === "edit")
      this.a.put(
        step.text,
        this.a.text(step.text).replace(step.old.join("\n"), () => step.next.join("\n")),
      );
    if (step.verb === "write") this.a.put(step.text.split("\n")[0]!, `${step.text.split("\n").slice(1).join("\n")}\n`);
  }

  #described({ line, verb, text }: ScriptStep, { outcome, text: why }: Heard): string {
    return `${this.session.name}:${line} ${verb} ${text.slice(0, 160)}\n  ${outcome}: ${why}`;
  }

  #make(step: ScriptStep): Promise<Heard> {
    const { a } = this;
    const { verb, text, output } = step;
    switch (verb) {
      case "read":
        return a.read(text);
      case "grep":
        return this.#grep(text);
      case "glob":
        return a.call("Glob", { pattern: text }, { filenames: shell(a, "git ls-files").output.split("\n") });
      case "search":
        return a.call("WebSearch", { query: text }, { results: [output ?? `A page that explains ${text} at length`] });
      case "fetch":
        return a.call("WebFetch", { url: text, prompt: "What does it say?" }, { result: output ?? `It says: ${text}` });
      case "edit":
        return this.#edit(step);
      case "write": {
        const [path, ...content] = text.split("\n");
        return a.write(path!, `${content.join("\n")}\n`);
      }
      case "plan":
        return a.call("ExitPlanMode", { plan: text }, { plan: text, isAgent: false });
      case "call":
        return this.#tool(step);
      case "agent":
        return this.#begin(text);
      case "end":
        return this.#finish(text);
      case "background":
        return this.#background(text, output ?? "");
      default:
        return this.#bash(step);
    }
  }

  #grep(pattern: string): Promise<Heard> {
    const found = spawnSync("git", ["grep", "-nE", pattern], { cwd: this.a.root, encoding: "utf8" });
    return this.a.grep(pattern, found.stdout, "");
  }

  #edit({ text: path, old, next, line }: ScriptStep): Promise<Heard> {
    const [from, to] = [old.join("\n"), next.join("\n")];
    const at = `${this.session.name}:${line}`;
    assert.ok(existsSync(join(this.a.root, path)), `${at}: ${path} exists`);
    assert.ok(this.a.text(path).includes(from), `${at}: ${path} contains ${from}`);
    return this.a.edit(path, from, to);
  }

  #tool({ text, output, exit }: ScriptStep): Promise<Heard> {
    const { tool, input } = calledTool(text);
    if (tool === "TaskOutput" || tool === "BashOutput") {
      const task = { task_id: this.#task.id, status: "completed", exitCode: exit, output: this.#task.output };
      return this.a.call(tool, { ...input, task_id: this.#task.id }, { retrieval_status: "success", task });
    }
    const response = tool.startsWith("mcp__")
      ? { content: [{ type: "text", text: output ?? "" }] }
      : (output ?? "done");
    return this.a.call(tool, input, response, () => carryOut(this.a, tool, input));
  }

  async #begin(text: string): Promise<Heard> {
    const [, type, prompt] = /^([\w-]+): ([^]*)$/.exec(text)!;
    const id = `agent-${this.a.calls + 1}`;
    const said = await this.a.before("Agent", {
      subagent_type: type!,
      description: prompt!.slice(0, 30),
      prompt: prompt!,
    });
    this.#outer = { type: type!, prompt: prompt!, id: `toolu_${this.a.calls}` };
    this.a.agent = { id, type: type! };
    await this.a.send("SubagentStart", {});
    return said;
  }

  async #finish(report: string): Promise<Heard> {
    const said = await this.a.send("SubagentStop", { stop_hook_active: false, last_assistant_message: report });
    this.a.agent = undefined;
    const { type, prompt, id } = this.#outer!;
    await this.a.after(
      "Agent",
      { subagent_type: type, prompt, description: prompt.slice(0, 30) },
      { status: "completed", content: [{ type: "text", text: report }] },
      Number(id.slice("toolu_".length)),
    );
    return said;
  }

  #background(command: string, output: string): Promise<Heard> {
    const id = `b${this.a.calls + 1}x7k`;
    this.#task = { id, output };
    const response = { stdout: "", stderr: "", interrupted: false, backgroundTaskId: id };
    return this.a.call("Bash", { command, run_in_background: true, description: "Start it" }, response);
  }

  /** A command without a given output is really run once it may. */
  async #bash({ text: command, output, exit }: ScriptStep): Promise<Heard> {
    if (output !== undefined) return this.a.bash(command, output ? `${output}\n` : "", exit);
    const said = await this.a.before("Bash", { command });
    if (said.outcome === "deny") return said;
    const done = shell(this.a, command);
    if (done.exit) await this.a.failed("Bash", { command }, `Exit code ${done.exit}\n${done.output}`);
    else await this.a.after("Bash", { command }, { stdout: done.output, stderr: "", interrupted: false });
    return said;
  }
}

/** What the less common editing tools do to a file. */
function carryOut(a: Agent, tool: string, input: JsonObject): void {
  const path = String(input["notebook_path"] ?? input["file_path"]).replace(`${a.root}/`, "");
  if (tool === "NotebookEdit") {
    const book = JSON.parse(a.text(path)) as { cells: JsonObject[] };
    book.cells.push({ cell_type: "code", source: input["new_source"]!, outputs: [] });
    a.put(path, JSON.stringify(book));
  }
  if (tool === "MultiEdit")
    for (const { old_string, new_string } of input["edits"] as { old_string: string; new_string: string }[])
      a.put(path, a.text(path).replaceAll(old_string, new_string));
}
