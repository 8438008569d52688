// The dashboard's pages in a real browser, on the demo's session: readable, inert, live, by address and by keyboard.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { hostileTexts } from "../../src/testing/hostile-text.js";
import { ordinaryEvents, type PlainRecord, writeLedgerLines } from "../../src/testing/ledger-lines.js";
import { temporary } from "../../src/testing/temporary.js";
import { until } from "../../src/testing/until.js";
import { launch, leastContrast, needsBrowser } from "../browser.js";
import {
  type DemoProject,
  keepPicture,
  layoutFaults,
  playDemo,
  startDashboard,
  watchedPage,
} from "./dashboard-pages.js";

/** Each page: its address, what its first figure says on the demo, and something to find on it. */
const rows = [
  ["sessions", /^16 of 29 calls refused$/, "main agent"],
  ["gates", /^3 times the same error$/, "guard/self-protect"],
  ["record", /^The record is whole$/, "verify now"],
] as const;

let browser: Browser;
let demo: DemoProject;
let context: BrowserContext;
let link: string;
let base: string;
const children: ChildProcess[] = [];
const place = temporary("dashboard");

before(async () => {
  if (needsBrowser.skip) return;
  browser = await launch();
  demo = playDemo();
  const started = await startDashboard(demo.project, demo.env);
  children.push(started.child);
  link = started.link;
  base = link.replace(/#.*/, "");
  context = await browser.newContext();
  const { page, trouble } = await watchedPage(context, link);
  await page.goto(link);
  await page.getByText("main agent").first().waitFor();
  assert.deepEqual(trouble, []);
  assert.equal(page.url(), `${base}#/`, "the code is gone from the address");
  await page.close();
});
after(async () => {
  for (const child of children) child.kill();
  await browser?.close();
  if (demo) rmSync(dirname(demo.project), { recursive: true, force: true });
});

test("a link works once; without its cookie, from another host or origin nothing is told", needsBrowser, async () => {
  const code = /code=(.*)$/.exec(link)![1];
  const json = { "content-type": "application/json" };
  const again = await fetch(`${base}session`, { method: "POST", headers: json, body: JSON.stringify({ code }) });
  assert.equal(again.status, 401);
  assert.equal((await fetch(`${base}api/sessions`)).status, 401);
  const cookies = await context.cookies(base);
  assert.equal(cookies.length, 1);
  assert.deepEqual([cookies[0]!.httpOnly, cookies[0]!.sameSite], [true, "Strict"]);
  const cookie = `${cookies[0]!.name}=${cookies[0]!.value}`;
  const ask = async (headers: Record<string, string>) => (await fetch(`${base}api/frame`, { headers })).status;
  assert.equal(await ask({ cookie }), 200);
  assert.equal(await ask({ cookie, origin: "http://example.invalid" }), 403);
  assert.equal(await ask({ cookie, "sec-fetch-site": "cross-site" }), 403);
  const { request } = await import("node:http");
  const rebound = await new Promise<number>((resolve, reject) => {
    const headers = { host: "attacker.example", cookie };
    request(`${base}api/frame`, { headers }, (answer) => resolve(answer.statusCode ?? 0))
      .on("error", reject)
      .end();
  });
  assert.equal(rebound, 421);
  const posted = await fetch(`${base}api/do/verify`, { method: "POST", headers: { ...json, cookie }, body: "{}" });
  assert.equal(posted.status, 404, "an action needs our own header");
});

test("the policy forbids inline scripts and other origins", needsBrowser, async () => {
  const response = await fetch(base);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(await response.text(), /<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
});

for (const [id, figure, word] of rows)
  for (const scheme of ["light", "dark"] as const)
    test(`${id}, ${scheme}: nothing overlaps, everything can be read, nothing goes wrong`, needsBrowser, async () => {
      for (const width of [1280, 400]) {
        const { page, trouble } = await watchedPage(context, link);
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${base}#/${id}`);
        await page.getByText(word).first().waitFor();
        const lead = page.locator(".lead strong");
        assert.match((await lead.textContent()) ?? "", figure);
        const size = await page.evaluate(
          'parseFloat(getComputedStyle(document.querySelector(".lead strong")).fontSize)',
        );
        assert.ok(Number(size) >= 26, "one thing to look at first");
        assert.deepEqual(await layoutFaults(page), [], `at ${width}`);
        const { ratio, text } = await leastContrast(page);
        assert.ok(ratio >= 4.5, `contrast ${ratio.toFixed(2)}: ${text}`);
        assert.deepEqual(trouble, []);
        await keepPicture(page, `${id}-${scheme}-${width}`);
        await page.close();
      }
    });

test(
  "an address opens the call it names, with facts, opinions, the answer and what came next",
  needsBrowser,
  async () => {
    const { page, trouble } = await watchedPage(context, link);
    await page.goto(`${base}#/sessions/demo`);
    await page.locator(".call", { hasText: "git push --force" }).click();
    const detail = page.locator(".detail");
    await detail.waitFor();
    const address = page.url();
    assert.match(address, /#\/sessions\/demo\/\d+$/);
    const other = await watchedPage(context, link);
    await other.page.goto(address);
    const text = async () => (await other.page.locator(".detail").textContent()) ?? "";
    await other.page.locator(".detail").waitFor();
    assert.match(await text(), /refused by guard\/destructive/);
    assert.match(await text(), /BLOCKED guard\/destructive/);
    assert.match(await text(), /What each gate said.*deny.*guard\/destructive/);
    assert.match(await text(), /What it did next.*Edit/);
    assert.match(await text(), /would do/);
    assert.deepEqual([...trouble, ...other.trouble], []);
    await page.close();
    await other.page.close();
  },
);

test("the keyboard alone reaches everything", needsBrowser, async () => {
  const { page, trouble } = await watchedPage(context, link);
  await page.goto(`${base}#/sessions`);
  await page.getByText("main agent").first().waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(/#\/sessions\/demo\/\d+$/);
  const first = page.url();
  await page.keyboard.press("j");
  await page.waitForURL((url) => url.href !== first);
  const second = page.url();
  await page.keyboard.press("k");
  await page.waitForURL(first);
  assert.notEqual(first, second);
  await page.keyboard.press("n");
  await page.locator(".verdict.deny").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("npm publish");
  const found = page.locator(".virtual li");
  const only = async () => (await found.count()) === 1 && (await found.textContent())?.includes("npm publish");
  await until(only, "one call; typing p or n in a field is no command");
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.waitForURL(/#\/gates$/);
  await page.getByText("guard/self-protect").first().waitFor();
  await page.keyboard.press("j");
  await page.locator("[data-chosen]").waitFor();
  await page.keyboard.press("t");
  const theme = await page.evaluate("document.documentElement.dataset.theme");
  assert.equal(theme, "dark");
  await page.keyboard.press("t");
  await page.keyboard.press("?");
  await page.locator("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("6");
  await page.waitForURL(/#\/record$/);
  const button = page.getByRole("button", { name: "verify now" });
  await button.waitFor();
  for (let i = 0; i < 20 && (await page.evaluate("document.activeElement.textContent")) !== "verify now"; i++)
    await page.keyboard.press("Tab");
  const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  assert.equal(outline, "solid", "the focus can be seen");
  await page.keyboard.press("Enter");
  await page.locator("[data-verified=intact]").waitFor();
  assert.deepEqual(trouble, []);
  await page.close();
});

test("a call that happens now appears by itself", needsBrowser, async () => {
  const { page, trouble } = await watchedPage(context, link);
  await page.goto(`${base}#/sessions/demo`);
  await page.getByText("main agent").first().waitFor();
  const input = { command: "ls live-event-folder" };
  demo.hook("PreToolUse", { tool_name: "Bash", tool_input: input, tool_use_id: "toolu_live" });
  await page.locator(".call", { hasText: "ls live-event-folder" }).waitFor();
  assert.deepEqual(trouble, []);
  await page.close();
});

test("search and export", needsBrowser, async () => {
  const { page, trouble } = await watchedPage(context, link);
  await page.goto(`${base}#/record`);
  await page.getByLabel("search the record").fill("guard/secrets");
  await page.getByText("1, newest first").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("export JSON lines").click()]);
  const { readFileSync } = await import("node:fs");
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n");
  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0]!).body.verdict.gate, "guard/secrets");
  assert.deepEqual(trouble, []);
  await page.close();
});

const ours = new Set(
  (
    "a article b button code dd details dialog div dl dt form h2 h3 header input kbd label li main nav noscript ol " +
    "option p pre progress script section select small span strong summary table tbody td th thead tr ul canvas " +
    "svg g path rect line text title circle"
  ).split(" "),
);

/** A ledger with a hostile text in every field that comes from outside. */
function* hostileRecords(): Generator<PlainRecord> {
  const at = Date.parse("2026-02-01T08:00:00Z");
  for (const [i, text] of hostileTexts.entries()) {
    const opinion = { gate: text, kind: "deny", mode: text, what: text, why: text, next: text };
    const verdict = { id: `v-${i + 1}`, outcome: "deny", gate: text, text };
    const tool = { name: text, kind: "shell", id: text, input: { command: text, [text]: text } };
    const effects = [{ kind: text, path: text, hazard: text }];
    const body = { cwd: text, event: "tool.before", hostEvent: text, digest: "", ms: 1, tool, verdict, effects };
    const failures = { recent: [{ at: at + i, signature: text, shown: text, tool: text, command: text }] };
    const prompt = { text };
    const outcome = { ok: false, text };
    const session = i % 2 ? "hostile" : text.slice(0, 60);
    const common = { at: at + i * 1000, session, agent: i % 3 ? "" : text.slice(0, 60) };
    yield { ...common, body: { ...body, event: "prompt", prompt, verdict: { id: "v", outcome: "pass" } } };
    const patch = {
      [`discipline/failures@${session}`]: failures,
      [`discipline/work@${session}`]: { unverified: [text] },
    };
    yield { ...common, ids: [`v-${i + 1}`], body: { ...body, opinions: [opinion], permissionMode: text }, patch };
    yield { ...common, body: { ...body, event: "tool.failed", outcome, verdict: { id: "v", outcome: "pass" } } };
  }
}

test("60 hostile texts in every field run nothing, load nothing and are shown as text", needsBrowser, async () => {
  assert.ok(hostileTexts.length >= 60);
  const folder = writeLedgerLines(join(place, "hostile"), hostileRecords());
  const started = await startDashboard(place, { ...demo.env }, "--file", folder);
  children.push(started.child);
  const { page, trouble } = await watchedPage(await browser.newContext(), started.link);
  await page.goto(started.link);
  const own = started.link.replace(/#.*/, "");
  const plain = hostileTexts.filter((t) => t.length < 60 && !/[^\x21-\x7e]/.test(t));
  const addresses = ["#/sessions/hostile", "#/sessions/hostile/5", "#/gates", "#/record", "#/record/5"];
  for (const address of addresses) {
    await page.goto(`${own}${address}`);
    await page.locator(".lead").waitFor();
    await page.waitForLoadState("networkidle");
    const names = (await page.evaluate('[...document.querySelectorAll("body *")].map((e) => e.localName)')) as string[];
    const strange = names.filter((name) => !ours.has(name));
    assert.deepEqual(strange, [], address);
    assert.equal(await page.evaluate("window.hacked"), undefined, address);
  }
  assert.ok(plain.length > 5);
  const asText = `${JSON.stringify(plain)}.some((one) => document.querySelector("main").textContent.includes(one))`;
  await page.waitForFunction(asText);
  assert.deepEqual(trouble, []);
  await page.close();
});

test("100,000 events: pages open, stay small, and the oldest record is one scroll away", needsBrowser, async () => {
  const folder = writeLedgerLines(join(place, "many"), ordinaryEvents(100_000));
  const started = await startDashboard(place, { ...demo.env }, "--file", folder);
  children.push(started.child);
  const { page, trouble } = await watchedPage(await browser.newContext(), started.link);
  await page.goto(started.link);
  await page.locator(".lane").first().waitFor();
  const own = started.link.replace(/#.*/, "");
  const nodes = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;
  assert.ok((await nodes()) < 3_000, "calls are summed");
  assert.equal(await page.locator(".density").count(), 2, "both agents have too many calls to draw each");
  for (let i = 0; i < 9; i++) await page.keyboard.press("+");
  await page.locator(".density").first().waitFor({ state: "detached" });
  assert.ok((await page.locator(".spot").count()) > 10, "near enough, each call is a mark again");
  await page.goto(`${own}#/gates`);
  await page.getByText("guard/destructive").first().waitFor();
  await page.goto(`${own}#/record`);
  await page.getByText("100,000, newest first").waitFor();
  await page.locator(".virtual").evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await page.locator('.virtual a[href="#/record/1"]').waitFor();
  assert.ok((await nodes()) < 1_500, "only rows in sight are in the page");
  assert.deepEqual(trouble, []);
  await page.close();
});
