// The report in a real browser: no request, no console message, no overlap, readable in both themes and on paper;
// hostile commit texts stay text.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { makeCommits } from "../../src/testing/evidence-history.js";
import { hostileTexts } from "../../src/testing/hostile-text.js";
import { launch, leastContrast, needsBrowser } from "../browser.js";
import { reportProject, year } from "./report-project.js";

let browser: Browser | undefined;
before(async () => {
  if (!needsBrowser.skip) browser = await launch();
});
after(() => browser?.close());

const project = reportProject();
const file = join(project.place, "report.html");
const made = project.sred("report", ...year, "--fiscal-year-end", "03-31", "--out", file);
assert.equal(made.status, 0, made.stderr);

/** Opens a file and collects everything that should not happen. */
async function open(path: string, scheme: "light" | "dark", width: number): Promise<{ page: Page; trouble: string[] }> {
  const page = await browser!.newPage({ colorScheme: scheme, viewport: { width, height: 900 } });
  const trouble: string[] = [];
  const address = pathToFileURL(path).href;
  page.on("console", (message) => trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("request", (request) => request.url() !== address && trouble.push(`request: ${request.url()}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, trouble };
}

/** Labels and marks of the pictures that cover each other, cells whose text sticks out, and a page too wide. */
const overlaps = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = [];
    for (const svg of document.querySelectorAll("svg.work")) {
      const items = [...svg.querySelectorAll("text, rect:not(.cycle)")].map((e) => [e, e.getBoundingClientRect()]);
      const inside = 0.75;
      for (const [i, [a, p]] of items.entries())
        for (const [b, q] of items.slice(i + 1)) {
          if (a.tagName !== "text" && b.tagName !== "text") continue;
          const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
          const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
          // Letters fill less than the line box that is measured.
          if (wide > inside && high > 4)
            found.push(a.textContent + " covers " + (b.textContent || b.getAttribute("class")));
        }
      const box = svg.getBoundingClientRect();
      for (const [e, r] of items)
        if (r.right > box.right + 1 || r.left < box.left - 1) found.push("sticks out: " + e.textContent);
    }
    for (const cell of document.querySelectorAll("td, th, dd, h2, li"))
      if (cell.scrollWidth > cell.clientWidth + 1) found.push("too wide: " + cell.textContent.slice(0, 60));
    for (const cell of document.querySelectorAll("td, th, dt")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const word = texts.currentNode.data.trim();
        if (!word || word.length > 12 || /\\s/.test(word)) continue;
        const range = document.createRange();
        range.selectNode(texts.currentNode);
        const tops = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
        if (tops.size > 1) found.push("broken word: " + word);
      }
    }
    const root = document.scrollingElement;
    if (root.scrollWidth > root.clientWidth + 1) found.push("the page scrolls sideways");
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    if (new Set(ids).size !== ids.length) found.push("an id twice");
    for (const a of document.querySelectorAll("a"))
      if (!document.querySelector(a.hash)) found.push("dead link " + a.hash);
    return found;
  })()`);

for (const scheme of ["light", "dark"] as const)
  test(`${scheme}: nothing is asked for, nothing overlaps, everything can be read`, needsBrowser, async () => {
    for (const width of [1280, 800, 400]) {
      const { page, trouble } = await open(file, scheme, width);
      assert.deepEqual(trouble, []);
      assert.deepEqual(await overlaps(page), [], `at ${width}`);
      const { ratio, text } = await leastContrast(page);
      assert.ok(ratio >= 4.5, `contrast ${ratio.toFixed(2)}: ${text}`);
      assert.match(
        (await page.locator(".lead").textContent()) ?? "",
        /^\d+ experiments in 6 projects, \d+ of them failed$/,
      );
      const size = await page.evaluate('parseFloat(getComputedStyle(document.querySelector(".lead")).fontSize)');
      assert.ok(Number(size) >= 26, "one thing to look at first");
      if (process.env["INTERLOCK_SCREENSHOTS"])
        await page.screenshot({ path: join(process.env["INTERLOCK_SCREENSHOTS"], `sred-${scheme}-${width}.png`) });
      await page.close();
    }
  });

test("it prints: every project begins on a page of its own", needsBrowser, async () => {
  const { page } = await open(file, "dark", 1280);
  const paper = await page.pdf({ format: "Letter", printBackground: true });
  assert.ok((paper.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length > 6);
  await page.emulateMedia({ media: "print" });
  const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
  assert.equal(background, "rgb(255, 255, 255)", "paper is white in the dark theme too");
  await page.close();
});

const ours = new Set(
  (
    "main header section h1 h2 h3 p div table thead tbody tr th td span a strong code dl dt dd ul ol li br " +
    "svg g rect path text title"
  ).split(" "),
);

test("60 hostile texts in commits run nothing, load nothing and are shown as text", needsBrowser, async () => {
  const hostile = reportProject((root) =>
    makeCommits(
      root,
      hostileTexts.map((text, i) => ({
        message:
          `feat: ${text}\n\nHYPOTHESIS: ${text}\nEXPERIMENT: ${text}\nRESULT: FAILED ${text}\n` +
          `ADVANCEMENT: ${text}\n\nSRED-Type: basic-research\n` +
          `SRED-Claim: ${i % 2 ? "ALPHA" : text.replace(/\s+/g, " ").trim().slice(0, 60)}\n`,
        at: Date.parse("2025-06-01T00:00:00Z") / 1000 + i * 3600,
      })),
    ),
  );
  const path = join(hostile.place, "hostile.html");
  const { status, stderr } = hostile.sred("report", ...year, "--out", path);
  assert.equal(status, 0, stderr);
  const { page, trouble } = await open(path, "light", 1280);
  assert.deepEqual(trouble, []);
  assert.equal(await page.evaluate("window.hacked"), undefined);
  const names = (await page.evaluate('[...document.querySelectorAll("body *")].map((e) => e.localName)')) as string[];
  const strange = names.filter((name) => !ours.has(name));
  assert.deepEqual(strange, []);
  const text = (await page.locator("main").textContent()) ?? "";
  for (const one of hostileTexts.filter((t) => t.length < 200 && !/[^\x20-\x7e]/.test(t)))
    assert.ok(text.replace(/\s+/g, " ").includes(one.trim().replace(/\s+/g, " ")), one);
  assert.deepEqual(await overlaps(page), []);
  await page.close();
});

test("the page forbids scripts itself, should an escape ever fail", needsBrowser, async () => {
  const broken = join(project.place, "broken.html");
  writeFileSync(broken, readFileSync(file, "utf8").replace("<main>", "<main><script>window.hacked = 1</script>"));
  const { page, trouble } = await open(broken, "light", 1280);
  assert.equal(await page.evaluate("window.hacked"), undefined);
  assert.ok(trouble.some((t) => /Content Security Policy/.test(t)));
  await page.close();
});
