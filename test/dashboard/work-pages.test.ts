// The pages Runs, Intents and Evidence in a real browser, over the built program, with real runs, traces and commits.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { hostileTexts } from "../../src/testing/hostile-text.js";
import type { TracedRepository } from "../../src/testing/traced-repository.js";
import { launch, needsBrowser } from "../browser.js";
import { keepPicture, startDashboard, type Watched, watchedPage } from "./dashboard-pages.js";
import { workProject } from "./work-project.js";

let browser: Browser;
let made: Awaited<ReturnType<typeof workProject>>;
const started: ChildProcess[] = [];
before(async () => {
  if (needsBrowser.skip) return;
  browser = await launch();
  made = await workProject();
});
after(async () => {
  for (const child of started) child.kill();
  await browser?.close();
});

async function open(repository: TracedRepository, hash = "", width = 1280): Promise<Watched> {
  const { link, child } = await startDashboard(repository.root, repository.env);
  started.push(child);
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const watched = await watchedPage(context, link);
  await watched.page.goto(link);
  await watched.page.waitForSelector("nav a");
  if (hash) await goTo(watched.page, hash);
  return watched;
}

// In the browser: as text, because the types of this project know no window.
const goTo = (page: Page, hash: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
const statusOf = (page: Page, view: string): Promise<number> =>
  page.evaluate(`fetch(${JSON.stringify(`api/${view}`)}).then(({ status }) => status)`);

/** How far anything sticks out of the window. */
const tooWide = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

test("Runs: the tree with the handoff, one run by its address, its log asked", needsBrowser, async () => {
  const { page, trouble } = await open(made.repository, "#/runs");
  await page.waitForSelector(".tree .handoff .tree a, .tree .handoff ul a");
  assert.match((await page.textContent(".lead")) ?? "", /1\s*of 2 runs failed/);
  assert.match((await page.textContent(".handoff .edge")) ?? "", /Goal: find out whether the lemma holds/);
  await page.click(".handoff ul a");
  assert.match(page.url(), new RegExp(`#/runs/${made.child}$`));
  await page.selectOption("select[aria-label=question]", "errors");
  await page.click("form button[type=submit]");
  await page.waitForSelector("pre.log");
  await keepPicture(page, "runs-light-1280");
  assert.match((await page.textContent("pre.log")) ?? "", /the lemma is false/);
  await page.keyboard.press("Escape");
  await page.locator("main").focus();
  await page.keyboard.press("k");
  await page.waitForFunction(`location.hash.endsWith("${made.parent}")`);
  await page.waitForSelector("text=40 files, 500 KB of docs/**");
  assert.equal(await tooWide(page), 0);
  assert.deepEqual(trouble, []);
  await page.close();
});

test("Runs: a log that no run names is not read", needsBrowser, async () => {
  const { page } = await open(made.repository, "#/runs");
  const status = await statusOf(page, `runs/log?id=${made.child}&path=${encodeURIComponent("src/ui/view.ts")}`);
  assert.equal(status, 404);
  await page.close();
});

test("Intents: files by intent, what lies outside a scope, a file line by line", needsBrowser, async () => {
  const { page, trouble } = await open(made.repository, "#/intents");
  await page.waitForSelector(".treemap .file");
  assert.match((await page.textContent(".lead")) ?? "", /20 lines out of scope/);
  assert.equal(await page.locator('.treemap a[aria-label^="runs/"]').count(), 0, "what runs leave behind is no code");
  await page.emulateMedia({ colorScheme: "dark" });
  await keepPicture(page, "intents-dark-1280");
  assert.equal(await page.locator(".treemap .outside").count(), 1);
  const rows = await page.locator("table tbody tr").allTextContents();
  assert.match(rows[0]!, /INT-001.*Faster planner.*IN_PROGRESS.*70.*20$/);
  assert.match(rows[1]!, /INT-002.*35.*0$/);
  const file = page.locator('.treemap a[aria-label^="src/planner/search.ts"]');
  await file.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".lines tr.ai");
  assert.match(page.url(), /#\/intents\/file\/src%2Fplanner%2Fsearch\.ts$/);
  assert.equal(await page.locator(".lines tr.ai").count(), 50);
  assert.match((await page.textContent(".lines .who")) ?? "", /INT-001/);
  for (const path of ["../../etc/passwd", ".git/config", "/etc/passwd"]) {
    const status = await statusOf(page, `intents/file?path=${encodeURIComponent(path)}`);
    assert.equal(status, 404, path);
  }
  trouble.splice(0, trouble.length, ...trouble.filter((line) => !/status of 404/.test(line)));
  assert.deepEqual(trouble, []);
  await page.close();
});

test("Evidence: the calendar, projects and what they lack", needsBrowser, async () => {
  const { page, trouble } = await open(made.repository, "#/evidence");
  await page.waitForSelector(".calendar rect");
  const days = await page.locator(".calendar rect:not(.level-0)").count();
  assert.ok(days === 1 || days === 2, `${days} days with commits`); // two if midnight came between
  const rows = await page.locator("table tbody tr").allTextContents();
  assert.match(rows[0]!, /^PLANNER/);
  await keepPicture(page, "evidence-light-1280");
  assert.match(rows[1]!, /^UI/);
  assert.ok((await page.locator(".calendar rect").count()) >= 364);
  assert.equal(await tooWide(page), 0);
  assert.deepEqual(trouble, []);
  await page.close();
});

test("narrow windows: nothing sticks out", needsBrowser, async () => {
  const { page, trouble } = await open(made.repository, "#/runs", 400);
  for (const [hash, shown] of [
    [`#/runs/${made.child}`, "pre, .story"],
    ["#/intents", ".treemap .file"],
    ["#/intents/file/src%2Fui%2Flist.ts", ".lines tr"],
    ["#/evidence", ".calendar rect"],
  ] as const) {
    await goTo(page, hash);
    await page.waitForSelector(shown);
    assert.equal(await tooWide(page), 0, hash);
  }
  assert.deepEqual(trouble, []);
  await page.close();
});

test("hostile names and texts stay text", needsBrowser, async () => {
  const { repository, parent } = await workProject();
  const clean = hostileTexts.filter((text) => !/[\n\r\0]/.test(text));
  const capsule = clean.map((text) => `Goal: ${text}`).join("\n");
  writeFileSync(join(repository.root, `runs/${parent}/capsules/capsule.md`), capsule);
  await repository.agent("src/planner/hostile.ts", ...clean);
  for (const [i, text] of clean.slice(0, 20).entries()) {
    repository.person(`src/ui/${text.replaceAll("/", "_").slice(0, 60)}.ts`, `export const h${i} = 1;`);
    repository.commitAll(
      `feat: ${text}\n\nRESULT: ${text}\n\nSRED-Type: experimental-development\nSRED-Claim: PLANNER`,
    );
  }
  const { page, trouble } = await open(repository, `#/runs/${parent}`);
  await page.waitForSelector("pre");
  assert.ok(((await page.textContent("main")) ?? "").includes("<script>window.hacked=1</script>"));
  for (const [hash, shown] of [
    ["#/intents", ".treemap .file"],
    ["#/intents/file/src%2Fplanner%2Fhostile.ts", ".lines tr.ai"],
    ["#/evidence", ".calendar rect"],
  ] as const) {
    await goTo(page, hash);
    await page.waitForSelector(shown);
    assert.equal(await page.evaluate(`"hacked" in window`), false, hash);
    assert.equal(await page.locator("main script, main iframe, main img, main object, main style").count(), 0, hash);
  }
  assert.deepEqual(trouble, []);
  await page.close();
});
