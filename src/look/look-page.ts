// A look as one HTML file that opens anywhere.
// Invariant: no script and no request: the policy forbids both; every text is escaped.
import { createHash } from "node:crypto";
import { counted } from "../model/text.js";
import type { LookCase } from "./findings.js";
import { dayOf, type LookLine, type LookReport } from "./look-report.js";

const style = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#59636e;--line:#d1d9e0;--back:#fff;--card:#f6f8fa;--bad:#b3261e;
--good:#1a7f37;--maybe:#8a5a00}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9198a1;--line:#3d444d;--back:#0d1117;--card:#151b23;
--bad:#ff8b80;--good:#57c975;--maybe:#e3b341}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:2rem 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--text);
background:var(--back)}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
p{margin:.3rem 0}.soft{color:var(--soft)}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;background:var(--card)}
summary{cursor:pointer;padding:.55rem .8rem;display:grid;grid-template-columns:2.6rem 1fr auto .8rem;gap:.1rem .8rem;
align-items:baseline}
summary:hover{background:color-mix(in srgb,var(--line) 35%,transparent)}
summary::after{content:"\\203A";color:var(--soft);font-size:1.25rem;line-height:1;text-align:center}
details[open] summary::after{transform:rotate(90deg)}
summary small{grid-column:3;grid-row:1}summary::after{grid-column:4;grid-row:1}
@media(max-width:34rem){summary{grid-template-columns:2.6rem 1fr .8rem}summary small{grid-column:2;grid-row:2}
summary::after{grid-column:3}}
summary b{font-size:1.25rem;text-align:right;color:var(--bad);font-variant-numeric:tabular-nums}
summary b.none{color:var(--good)}
ul{list-style:none;margin:0;padding:0}
li{border-top:1px solid var(--line);padding:.5rem .8rem;overflow-wrap:anywhere}
li.maybe{border-left:4px solid var(--maybe)}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow-x:auto}
small{color:var(--soft)}.doubt{color:var(--maybe)}
`;

/** Cases on the page for each line; the rest is in --json. */
const mostCases = 200;

export function lookPage(report: LookReport): string {
  const { sessions, calls, from, to, skipped, suggestion } = report;
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const span = from ? `${dayOf(from)} to ${dayOf(to)}` : "";
  const passed = skipped.unknownFormat + skipped.failed.length;
  const others = passed ? `. ${counted(passed, "file")} of another format passed over` : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>interlock look</title><style>${style}</style></head><body>
<p class="soft"><b>interlock look</b>: recorded sessions, replayed</p>
<h1>${escaped(`${counted(sessions, "session")}, ${counted(calls, "call")}`)}</h1>
<p class="soft">${escaped(`${span}${others}`)}</p>
<h2>What happened</h2>
${report.incidents.map(section).join("\n")}
<h2>Interlock would have refused, with every gate enforced</h2>
${report.refusals.map(section).join("\n") || "<p>Nothing.</p>"}
<h2>Suggested interlock.yaml</h2>
<pre>${escaped(suggestion.yaml.join("\n"))}</pre>
<ul>${suggestion.reasons.map((reason) => `<li>${escaped(reason)}</li>`).join("")}</ul>
<p class="soft">Made on your machine by interlock look. Secrets were removed; read it before you pass it on.</p>
</body></html>
`;
}

function section(line: LookLine): string {
  const { number, id, title, count, doubtful, sessions, cases, tokens } = line;
  const name = id.includes("/") ? `<code>${escaped(id)}</code> ${escaped(title)}` : escaped(title);
  const parts = [
    count ? `in ${counted(sessions, "session")}` : "",
    tokens ? `about ${Math.round(tokens / 1000)}k tokens` : "",
    doubtful ? `${doubtful} ${count ? "more " : ""}maybe` : "",
  ].filter(Boolean);
  const rest = cases.length - mostCases;
  return `<details id="n${number}"><summary><b${count ? "" : ' class="none"'}>${count}</b><span>${name}</span>
<small>${escaped(parts.join(", "))}</small></summary><ul>
${cases.slice(0, mostCases).map(item).join("\n") || "<li>No case.</li>"}
${rest > 0 ? `<li>${rest} more: see --json.</li>` : ""}</ul></details>`;
}

function item({ what, why, doubt, times, time, file, line, agent }: LookCase): string {
  const when = time ? `${dayOf(time)}, ` : "";
  const by = agent === undefined ? "" : ", by a sub-agent";
  return `<li${doubt === undefined ? "" : ' class="maybe"'}><code>${escaped(what)}</code>${
    times > 1 ? ` <small>${times} times</small>` : ""
  }<br>${escaped(why)}${doubt === undefined ? "" : `<br><span class="doubt">Maybe not: ${escaped(doubt)}</span>`}<br>
<small>${escaped(`${when}${file}:${line}${by}`)}</small></li>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c]!);
