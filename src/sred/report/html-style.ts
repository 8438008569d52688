// The style sheet of the HTML report. Invariant: no outside font, image or address; the page's policy names its hash.
export const reportStyle = `
:root { color-scheme: light dark; --bg: #f6f5f1; --card: #ffffff; --ink: #1b2430; --muted: #5a6573; --line: #d8dbe0;
  --accent: #0a6a6a; --fail: #b0400a; --warn-bg: #fff4df; --warn: #7a4b00;
  --h0: #e8e9ea; --h1: #b5dcd8; --h2: #74bbb6; --h3: #30908d; --h4: #0a5c5e; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #11151b; --card: #191f28; --ink: #e7eaef; --muted: #9ea9b8; --line: #323b48;
    --accent: #58c9c2; --fail: #ff9d66; --warn-bg: #33270f; --warn: #ffd08a;
    --h0: #262d37; --h1: #1d4f50; --h2: #237878; --h3: #35a6a1; --h4: #7fe3da; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 24px 64px; }
h1 { font-size: 20px; font-weight: 600; margin: 0; color: var(--muted); }
h2 { font-size: 24px; margin: 0 0 4px; overflow-wrap: anywhere; }
h3 { font-size: 17px; margin: 28px 0 8px; }
h4 { font-size: 15px; margin: 16px 0 4px; }
p { margin: 6px 0; }
a { color: var(--accent); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 24px; margin: 20px 0; }
.draft { background: var(--warn-bg); color: var(--warn); border-radius: 8px; padding: 10px 14px; margin: 14px 0 0; }
.lead { font-size: 34px; line-height: 1.2; font-weight: 650; margin: 4px 0 10px; letter-spacing: -0.01em; }
.lead .fail, .fail { color: var(--fail); }
.muted, .note { color: var(--muted); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { overflow-wrap: normal; font-weight: 600; color: var(--muted); font-size: 13px; }
td.n, th.n { padding-right: 24px; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.pre, .quote { white-space: pre-wrap; }
table.wide { min-width: 860px; }
table.experiments { table-layout: fixed; }
table.experiments .when { width: 104px; }
table.experiments .tests { width: 110px; }
tr.cycle td { padding-top: 14px; }
code, .hash { font: 12.5px/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; }
.hash, .id { white-space: nowrap; }
.day { white-space: nowrap; font-variant-numeric: tabular-nums; }
.outcome { display: inline-block; font-size: 12px; font-weight: 650; border: 1px solid currentColor; border-radius: 4px;
  padding: 0 6px; margin-bottom: 3px; color: var(--muted); white-space: nowrap; }
.outcome.failed { color: var(--fail); }
.outcome.success { color: var(--accent); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 8px 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
ul.gaps { padding: 0; list-style: none; margin: 8px 0; }
ul.gaps li { border-left: 3px solid var(--fail); padding: 2px 0 2px 12px; margin: 10px 0; }
ul.gaps .refs { display: block; }
ol.quotes { padding-left: 22px; }
ol.quotes li { margin: 8px 0; }
ul.prompts li { color: var(--muted); }
.over { color: var(--fail); font-weight: 600; }
svg.work { display: block; min-width: 860px; width: 100%; height: auto; }
svg.work text { fill: var(--ink); font: 11.5px system-ui, "Segoe UI", sans-serif; }
svg.work .label, svg.work .muted { fill: var(--muted); }
svg.work .muted { font-size: 10.5px; }
svg.work .name, svg.work .head { font-weight: 650; }
svg.work .h0 { fill: var(--h0); } svg.work .h1 { fill: var(--h1); } svg.work .h2 { fill: var(--h2); }
svg.work .h3 { fill: var(--h3); } svg.work .h4 { fill: var(--h4); }
svg.work .success, svg.work .half { fill: var(--accent); }
svg.work .failed { fill: var(--fail); }
svg.work .cross { stroke: var(--card); stroke-width: 1.4; fill: none; }
svg.work .hollow { fill: none; stroke: var(--accent); stroke-width: 1.2; }
svg.work .cycle { fill: var(--muted); opacity: 0.55; }
@media (max-width: 700px) { main { padding: 12px; } section { padding: 16px; } .lead { font-size: 26px; } }
@media print {
  :root { --bg: #fff; --card: #fff; --ink: #000; --muted: #444; --line: #bbb; --accent: #0a5c5e; --fail: #9a3300;
    --warn-bg: #fff; --warn: #000; --h0: #eee; --h1: #b5dcd8; --h2: #74bbb6; --h3: #30908d; --h4: #0a5c5e; }
  body { font-size: 10pt; } main { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 18pt 0; } section.project { break-before: page; }
  .draft { border: 1px solid #000; } a { color: inherit; text-decoration: none; }
  table, table.wide, svg.work { min-width: 0; font-size: 8.5pt; } th { font-size: inherit; }
  td.n, th.n { padding-right: 12px; } tr, li, svg { break-inside: avoid; }
  .scroll { overflow: visible; } h3 { break-after: avoid; } * { print-color-adjust: exact; }
}
`;
