// A session with everything a timeline can show, through the built program: a sub-agent's lane, a phase, a call that a
// person let through, and a call that only the agent's own transcript knows.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { launch, leastContrast, needsBrowser } from "../browser.js";
import { atTerminal } from "../guard/terminal.js";
import {
  type DemoProject,
  keepPicture,
  layoutFaults,
  playDemo,
  program,
  startDashboard,
  watchedPage,
} from "./dashboard-pages.js";

let browser: Browser;
let demo: DemoProject;
let context: BrowserContext;
let child: ChildProcess;
let base: string;
let link: string;

const force = { tool_name: "Bash", tool_input: { command: "git push --force origin main" } };
const agent = { agent_id: "a1b2c3d4", agent_type: "Explore" };

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** One row of a transcript, as Claude Code 2.1 writes it. */
const row = (type: "user" | "assistant", block: object): string =>
  `${JSON.stringify({
    type,
    sessionId: "crew",
    cwd: demo.project,
    isSidechain: false,
    uuid: `u-${Math.random()}`,
    timestamp: new Date().toISOString(),
    message: { role: type, content: [block] },
  })}\n`;

/** The calls of the session, each as the client reports it; the transcript has one more. */
function playCrew(): void {
  const transcript = join(demo.env["HOME"]!, ".claude/projects/greeter/crew.jsonl");
  const common = { session_id: "crew", transcript_path: transcript };
  let rows = "";
  let calls = 0;
  let verdict = "";
  const call = (payload: { tool_name: string; tool_input: object; agent_id?: string }): boolean => {
    const id = `toolu_crew_${++calls}`;
    const answer = demo.hook("PreToolUse", { ...common, ...payload, tool_use_id: id });
    const { tool_name: name, tool_input: input } = payload;
    const { permissionDecision: decision, permissionDecisionReason: reason = "" } = answer.hookSpecificOutput ?? {};
    const refused = decision === "deny";
    verdict = /\bv-\d+/.exec(reason)?.[0] ?? verdict;
    if (payload.agent_id === undefined) rows += row("assistant", { type: "tool_use", id, name, input });
    if (payload.agent_id === undefined)
      rows += row("user", { type: "tool_result", tool_use_id: id, content: refused ? "BLOCKED" : "ok" });
    return refused;
  };
  const read = (path: string, more = {}) =>
    call({ tool_name: "Read", tool_input: { file_path: join(demo.project, path) }, ...more });
  put(transcript, "");
  demo.hook("SessionStart", { ...common, source: "startup" });
  demo.hook("UserPromptSubmit", { ...common, prompt: "Release the greeter: look at it with a helper, then push." });
  read("src/main.js");
  call({ tool_name: "Bash", tool_input: { command: "ls src" } });
  const missing = { type: "tool_use", id: "toolu_unseen", name: "Bash", input: { command: "make release" } };
  rows += row("assistant", missing) + row("user", { type: "tool_result", tool_use_id: missing.id, content: "done" });
  read("src/main.js", agent);
  read("src/log.js", agent);
  assert.ok(call({ ...force, ...agent }), "a sub-agent is judged too");
  assert.ok(call(force));
  const allow = [process.execPath, program, "allow", verdict, "--reason", "the branch is mine"];
  const typed = atTerminal(allow, demo.project, demo.env, "y");
  assert.equal(typed.status, 0, typed.text);
  assert.equal(call(force), false, "a person let it through once");
  put(transcript, rows);
  read("src/main.js");
}

before(async () => {
  if (needsBrowser.skip) return;
  browser = await launch();
  demo = playDemo();
  playCrew();
  const started = await startDashboard(demo.project, demo.env);
  child = started.child;
  link = started.link;
  base = link.replace(/#.*/, "");
  context = await browser.newContext();
  const { page } = await watchedPage(context, link);
  await page.goto(link);
  await page.getByText("main agent").first().waitFor();
  await page.close();
});
after(async () => {
  child?.kill();
  await browser?.close();
  if (demo) rmSync(dirname(demo.project), { recursive: true, force: true });
});

for (const scheme of ["light", "dark"] as const)
  test(`${scheme}: lanes, a phase, an overridden call and one without a record`, needsBrowser, async () => {
    for (const width of [1280, 400]) {
      const { page, trouble } = await watchedPage(context, link);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${base}#/sessions/crew`);
      await page.getByText("sub-agent a1b2c3d4").waitFor();
      const lanes = page.locator(".timeline .lane");
      assert.equal(await lanes.count(), 2);
      const marks = (lane: number, mark: string) => lanes.nth(lane).locator(`.mark.${mark}`).count();
      assert.equal(await marks(0, "overridden"), 1);
      assert.equal(await marks(0, "ungoverned"), 1, "the one that only the transcript knows");
      assert.equal(await marks(1, "deny"), 1);
      assert.equal(await marks(1, "ungoverned"), 0);
      assert.match((await page.locator(".band title").allTextContents()).join(), /phase: 01-requirements/);
      assert.equal(await page.locator(".spot.selected").count(), 0, "nothing is selected yet");
      const fill = 'getComputedStyle(document.querySelector(".timeline .mark.ungoverned")).fill';
      assert.equal(await page.evaluate(fill), "none", "hollow");
      assert.match((await page.textContent(".lead")) ?? "", /1 overridden.*1 without a record.*2 agents/);
      assert.deepEqual(await layoutFaults(page), [], `at ${width}`);
      const { ratio, text } = await leastContrast(page);
      assert.ok(ratio >= 4.5, `contrast ${ratio.toFixed(2)}: ${text}`);
      await keepPicture(page, `lanes-${scheme}-${width}`);
      assert.deepEqual(trouble, []);
      await page.close();
    }
  });
