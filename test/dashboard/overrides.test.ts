// Overrides from the page: it only asks; a person at the terminal declines or grants; an agent can do neither.
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { temporary } from "../../src/testing/temporary.js";
import { until } from "../../src/testing/until.js";
import { launch, needsBrowser } from "../browser.js";
import { type DemoProject, playDemo, program, watchedPage } from "./dashboard-pages.js";
import { type OpenTerminal, openTerminal } from "./person-terminal.js";

let browser: Browser;
let demo: DemoProject;
let terminal: OpenTerminal;
const place = temporary("dashboard-terminal");
mkdirSync(place, { recursive: true });

before(async () => {
  if (needsBrowser.skip) return;
  browser = await launch();
  demo = playDemo();
  const argv = [process.execPath, program, "dashboard", "--no-open"];
  terminal = openTerminal(place, argv, demo.project, demo.env, ["n", "y"]);
});
after(async () => {
  terminal?.end();
  await browser?.close();
  if (demo) rmSync(dirname(demo.project), { recursive: true, force: true });
});

const push = { tool_name: "Bash", tool_input: { command: "git push --force origin main" } };
const refusedNow = (id: string): boolean => {
  const answer = demo.hook("PreToolUse", { ...push, tool_use_id: id });
  return answer.hookSpecificOutput?.permissionDecision === "deny";
};

async function ask(page: Page, base: string, reason: string): Promise<void> {
  await page.goto(`${base}#/sessions/demo`);
  await page.locator(".call", { hasText: "git push --force" }).first().click();
  await page.getByLabel("reason for letting it through").fill(reason);
  await page.getByRole("button", { name: "ask to allow" }).click();
}

test("the terminal declines, then grants; the call passes once", needsBrowser, async () => {
  await until(() => /#code=\S+\s/.test(terminal.text()), "the link");
  const link = /http:\S+/.exec(terminal.text())![0];
  const base = link.replace(/#.*/, "");
  const { page, trouble } = await watchedPage(await browser.newContext(), link);
  await page.goto(link);
  await page.getByText("main agent").first().waitFor();
  await ask(page, base, "");
  await page.getByText("Not possible: a reason is needed").waitFor();
  await ask(page, base, "a first try");
  await page.locator('[data-wish="declined"]').waitFor();
  assert.match(terminal.text(), /The dashboard asks to let v-\d+ through once[\s\S]*a first try/);
  assert.ok(refusedNow("toolu_declined"), "a declined wish lifts nothing");
  await page.reload();
  await ask(page, base, "the branch is mine");
  await page.locator('[data-wish="granted"]').waitFor();
  assert.equal(refusedNow("toolu_granted"), false, "once");
  await page.locator(".call", { hasText: "git push" }).first().waitFor();
  assert.ok(refusedNow("toolu_again"), "and not a second time");
  assert.deepEqual(trouble, []);
  await page.close();
});

test(
  "an agent gets no link: the command sees it, and the guard refuses the command and the port",
  needsBrowser,
  async () => {
    const { spawnSync } = await import("node:child_process");
    const env = { ...demo.env, CLAUDECODE: "1" };
    const run = spawnSync(process.execPath, [program, "dashboard", "--no-open"], {
      cwd: demo.project,
      env,
      encoding: "utf8",
    });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /only a person may do this/);
    const port = new URL(/http:\S+/.exec(terminal.text())![0]).port;
    for (const command of ["npx interlock dashboard --no-open", `curl -s http://127.0.0.1:${port}/p/x/api/frame`]) {
      const input = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${command.length}` };
      assert.equal(demo.hook("PreToolUse", input).hookSpecificOutput?.permissionDecision, "deny", command);
    }
  },
);
