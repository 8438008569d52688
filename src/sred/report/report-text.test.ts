// 60 hostile texts in every place a commit can put them: each format keeps its structure and shows them as text.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeCommits } from "../../testing/evidence-history.js";
import { hostileTexts } from "../../testing/hostile-text.js";
import { temporary } from "../../testing/temporary.js";
import { readCommits, withFiles } from "../read-commits.js";
import { buildReport } from "./build-report.js";
import { csvIndex } from "./csv-index.js";
import { htmlReport } from "./html-report.js";
import { markdownReport } from "./markdown-report.js";
import { claimPeriod } from "./period.js";
import type { SredReport } from "./report-schema.js";
import { csvCell, escapeHtml, escapeMarkdown, visible } from "./report-text.js";

function reportWith(texts: readonly string[]) {
  const root = join(temporary("hostile"), "repository");
  makeCommits(
    root,
    texts.map((text, i) => ({
      message:
        `feat: ${text}\n\nHYPOTHESIS: ${text}\nEXPERIMENT: ${text}\nRESULT: SUCCESS ${text}\nANALYSIS: ${text}\n` +
        `ADVANCEMENT: ${text}\n\nSRED-Type: basic-research\nSRED-Claim: ALPHA\n`,
      at: Date.parse("2026-01-01T00:00:00Z") / 1000 + i * 3600,
      author: [
        text
          .replace(/[<>\n]/g, "")
          .slice(0, 60)
          .trim() || "n",
        "n@example.org",
      ],
    })),
  );
  const report = buildReport({
    history: readCommits(root),
    files: (found) => withFiles(root, found),
    period: claimPeriod({ from: "2026-01-01", to: "2026-12-31", zone: "UTC" }),
    tests: new Map(),
    ledger: { verdict: "none", records: 0 },
    repository: "<b>repository</b>",
    now: 0,
    tool: "interlock test",
  });
  assert.equal(report.evidence.length, texts.length);
  return report;
}

/** The same report with another text in every place where a commit's text stands. */
const plain = reportWith(["PLACEHOLDER"]);
const holding = (text: string): SredReport =>
  JSON.parse(JSON.stringify(plain).replaceAll("PLACEHOLDER", () => JSON.stringify(text).slice(1, -1)));
const tags = (html: string): string[] => (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/[\s=>].*$/s, ""));

test("there are at least 60", () => {
  assert.ok(hostileTexts.length >= 60 && new Set(hostileTexts).size === hostileTexts.length);
});

test("each text leaves the tags of the page as they are, in every place", () => {
  const expected = tags(htmlReport(plain));
  for (const text of hostileTexts) {
    const html = htmlReport(holding(text));
    assert.deepEqual(tags(html), expected, text);
    assert.ok(!/<script|<img|<iframe|<link|<base|<form|<object|<embed/i.test(html), text);
  }
});

test("Markdown keeps its lines and its cells", () => {
  const shape = (text: string) =>
    text.split("\n").map((line) => line.replace(/\\\\/g, "").replace(/\\\|/g, "").split("|").length);
  const expected = shape(markdownReport(plain));
  for (const text of hostileTexts) {
    const markdown = markdownReport(holding(text));
    assert.deepEqual(shape(markdown), expected, text);
    assert.ok(!/<(?:script|img|svg|iframe|b|h1)/i.test(markdown), text);
    assert.ok(!/(?<!\\)!\[|(?<!\\)\]\(/.test(markdown), `a link or an image: ${text}`);
  }
});

test("CSV has seven cells in every row and nothing a spreadsheet computes", () => {
  const report = reportWith(hostileTexts);
  const rows = parseCsv(csvIndex(report));
  assert.equal(rows.length, 1 + 2 * hostileTexts.length);
  for (const row of rows) {
    assert.equal(row.length, 7, row.join(" / "));
    for (const cell of row) assert.ok(!/^\s*[=+\-@\t\r＝]/.test(cell), cell);
  }
});

test("hidden characters are spelled out, everything else is kept", () => {
  assert.equal(visible("a\u202eb\u200bc\u0007"), "a\\u{202e}b\\u{200b}c\\u{7}");
  assert.equal(visible("é 漢 👍 𝔘\tx\ny"), "é 漢 👍 𝔘\tx\ny");
  assert.equal(visible("a\r\nb\rc"), "a\nb\nc");
  assert.equal(escapeHtml(`<a b="c" d='e'>&`), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  assert.equal(escapeMarkdown("a | b\n* c"), "a \\| b \\* c");
  assert.match(escapeHtml("x".repeat(5000)), /x{4000} … \[cut here; 5000 characters in the commit\]$/);
});

test("cells are quoted as RFC 4180 asks", () => {
  const rows: [string, string][] = [
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1", "'=1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["a=1", "a=1"],
    ["+a,b", '"\'+a,b"'],
    ["", ""],
  ];
  for (const [text, cell] of rows) assert.equal(csvCell(text), cell);
});

/** Strict RFC 4180: quoted cells, CRLF between rows. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        assert.ok(at < text.length, "an open quotation");
        cell += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    } else
      for (; at < text.length && text[at] !== "," && text[at] !== "\r"; at++) {
        assert.notEqual(text[at], '"', "a quotation mark in a bare cell");
        cell += text[at];
      }
    rows.at(-1)!.push(cell);
    if (text[at] === ",") at++;
    else {
      assert.equal(text.slice(at, at + 2), "\r\n");
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}
