// Generates what is derived from the code: schema/, interop/schemas/, docs/gates/ (a page per gate),
// docs/discipline-rules.md, docs/tools/ (a page per domain of tools), docs/hazards.md, the man page and THIRD-PARTY.md.
// `--check` writes nothing and exits 1 when a file is not up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { manPage } from "./man-page.mjs";
import { hazardPage, toolPages } from "./tool-pages.mjs";
import { root, transpile, walk } from "./transpile.mjs";

const checking = process.argv.includes("--check");
await transpile();
const load = (path) => import(pathToFileURL(join(root, "build/src", path)).href);
const files = new Map();
/** Gates that judge what a shell command does. */
const readsCommands = new Set(["guard/destructive", "guard/secrets", "guard/privileged"]);
const furtherReading =
  "All [hazards](../hazards.md), what Interlock knows [of each tool](../tools/README.md), and how a " +
  "[shell command](../shell.md) is read.";

const { configSchema } = await load("config/schema.js");
const { toJsonSchema } = await import("@valibot/to-json-schema");
const schema = toJsonSchema(await configSchema(), { errorMode: "ignore" });
files.set("schema/interlock.schema.json", `${JSON.stringify({ ...schema, title: "interlock.yaml" }, null, 2)}\n`);

const { publishedSchemas } = await load("runs/schemas.js");
for (const [name, { title, schema }] of Object.entries(publishedSchemas)) {
  const json = toJsonSchema(schema, { errorMode: "ignore" });
  files.set(`interop/schemas/${name}`, `${JSON.stringify({ ...json, title }, null, 2)}\n`);
}

const { activeIntents } = await load("intents/intent-schema.js");
const intentsSchema = toJsonSchema(activeIntents, { errorMode: "ignore" });
files.set(
  "schema/active-intents.schema.json",
  `${JSON.stringify({ ...intentsSchema, title: ".orchestration/active_intents.yaml" }, null, 2)}\n`,
);
const { traceRecordSchema } = await load("trace/trace-schema.js");
files.set("schema/agent-trace.schema.json", `${JSON.stringify(traceRecordSchema, null, 2)}\n`);
const { reportSchema } = await load("sred/report/report-schema.js");
const reportJson = {
  ...toJsonSchema(reportSchema, { errorMode: "ignore" }),
  title: "interlock sred report --format json",
};
files.set("schema/sred-report.schema.json", `${JSON.stringify(reportJson, null, 2)}\n`);

const { registry } = await load("packs/registry.js");
const packs = await Promise.all(registry.map((entry) => entry.load()));
for (const pack of packs)
  for (const gate of pack.gates) files.set(`docs/gates/${gate.id.replace("/", "-")}.md`, gatePage(gate));
const { builtInRefusals } = await load("model/refusal.js");
for (const [id, refusal] of Object.entries(builtInRefusals))
  files.set(`docs/gates/${id.replace("/", "-")}.md`, refusalPage(id, refusal));
files.set("docs/gates/README.md", gateTable(packs, builtInRefusals));
files.set("docs/discipline-rules.md", ruleTable(await load("packs/discipline/rule-map.js")));
const { families } = await load("shell/tools/index.js");
const { hazardCatalogue, classAdvice } = await load("model/hazards.js");
const { presets } = await load("packs/guard/presets.js");
for (const [path, text] of toolPages(families, hazardCatalogue)) files.set(path, text);
files.set("docs/hazards.md", hazardPage(hazardCatalogue, classAdvice, presets));
const { cliCommands } = await load("cli/command-list.js");
files.set("man/interlock.1", await manPage(cliCommands));
files.set("THIRD-PARTY.md", thirdParty());

let stale = 0;
for (const [path, text] of files) {
  const full = join(root, path);
  if (existsSync(full) && readFileSync(full, "utf8") === text) continue;
  stale++;
  if (checking) console.error(`not up to date: ${path}`);
  else {
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    console.error(`wrote ${path}`);
  }
}
for (const file of ["docs/gates", "docs/tools"].flatMap((folder) => [...walk(join(root, folder))])) {
  if (files.has(relative(root, file))) continue;
  stale++;
  if (checking) console.error(`nothing generates it any more: ${relative(root, file)}`);
  else rmSync(file);
}
if (checking && stale) {
  console.error("run: node scripts/generate.mjs");
  process.exit(1);
}

function gatePage(gate) {
  const [pack, name] = gate.id.split("/");
  const rows = [
    ["listens to", listening(gate)],
    ["a fault of it means", gate.onError === "deny" ? "refusal: it protects" : "pass: it is about process"],
    ["remedy", gate.remedy],
    ["window", gate.window ?? "none: it remembers nothing"],
    ["reset", gate.reset ?? "nothing to reset"],
  ];
  return `<!-- generated from the gate's metadata by scripts/generate.mjs -->
# ${gate.id}

**${gate.title}.** ${gate.about}

| | |
|---|---|
${rows.map(([k, v]) => `| ${k} | ${cell(v)} |`).join("\n")}

Modes per gate in \`interlock.yaml\`: \`packs: ${pack}: gates: ${name}: observe | warn | enforce\`.
${readsCommands.has(gate.id) ? `\n${furtherReading}\n` : ""}`;
}

/** Of a refusal that no gate of a pack gives. */
function refusalPage(id, refusal) {
  const rows = [
    ["when", refusal.when],
    ["refuses", refusal.what],
    ["remedy", refusal.next],
    ["recorded", refusal.recorded],
  ];
  return `<!-- generated from src/model/refusal.ts by scripts/generate.mjs -->
# ${id}

**${refusal.title}.** Built in: no pack turns it off and no override lifts it; its cause has to be repaired.

| | |
|---|---|
${rows.map(([k, v]) => `| ${k} | ${cell(v)} |`).join("\n")}
`;
}

/** The seed's rules, the gates that enforce them, and the rules of each kind of task. */
function ruleTable({ disciplineRules, rulesOfGate, rulesOfTask }) {
  const elsewhere = "the [guard pack](gates/README.md)";
  const gatesOf = (n) =>
    Object.entries(rulesOfGate)
      .filter(([, rules]) => rules.includes(n))
      .map(([name]) => `[${name}](gates/discipline-${name}.md)`)
      .join(", ");
  return `<!-- generated from src/packs/discipline/rule-map.ts by scripts/generate.mjs -->
# The rules behind the discipline pack

\`interlock why v-12\` names the rules behind a refusal.

| # | rule | enforced by |
|---|---|---|
${disciplineRules.map((rule, n) => `| ${n} | ${cell(rule)} | ${gatesOf(n) || elsewhere} |`).join("\n")}

| kind of task | rules it is most likely to break |
|---|---|
${Object.entries(rulesOfTask)
  .map(([type, rules]) => `| ${type} | ${rules.map((n) => `#${n}`).join(" ")} |`)
  .join("\n")}
`;
}

function gateTable(all, builtIn) {
  const rows = all.flatMap((p) =>
    p.gates.map((g) => `| [${g.id}](${g.id.replace("/", "-")}.md) | ${columnsOf(g).map(cell).join(" | ")} |`),
  );
  return `<!-- generated from the gates' metadata by scripts/generate.mjs -->
# Gates

${all.map((p) => `- **${p.id}**: ${p.title}, ${p.gates.length} gate${p.gates.length === 1 ? "" : "s"}`).join("\n")}

| gate | rule | trigger | remedy | window | reset |
|---|---|---|---|---|---|
${rows.join("\n")}

## Built-in refusals

Refusals that no gate gives, because there was no event to judge, no time, or no record to judge by. Refusals of adopted
hooks carry the id \`adopted/<number>-<name>\` and the hook's own words.

| id | rule | remedy |
|---|---|---|
${Object.entries(builtIn)
  .map(([id, r]) => `| [${id}](${id.replace("/", "-")}.md) | ${cell(r.title)} | ${cell(r.next)} |`)
  .join("\n")}
`;
}

function listening(gate) {
  return gate.on.map((l) => `${l.kind}${l.tools ? ` (${l.tools.join(", ")})` : ""}`).join("; ");
}

function columnsOf(gate) {
  return [gate.title, listening(gate), gate.remedy, gate.window ?? "-", gate.reset ?? "-"];
}

function cell(text) {
  return text.replace(/\|/g, "\\|").replace(/\n/g, " ");
}

function thirdParty() {
  const imported = [
    "@modelcontextprotocol/sdk",
    "@lezer/javascript",
    "@lezer/python",
    "d3-hierarchy",
    "diff",
    "jsonc-parser",
    "picomatch",
    "preact",
    "re2js",
    "unbash",
    "uplot",
  ];
  /** What those bring with them. */
  const brought = {
    "@lezer/javascript": ["@lezer/common", "@lezer/highlight", "@lezer/lr"],
    "@modelcontextprotocol/sdk": [
      ...["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse", "zod-to-json-schema"],
    ],
  };
  const bundled = [...imported, "valibot", "yaml", "zod"]
    .filter((name) => usedInSource(name))
    .flatMap((name) => [name, ...(brought[name] ?? [])])
    .sort();
  const parts = bundled.map((name) => {
    const folder = join(root, "node_modules", name);
    const { version, license, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `(${license})`;
    return `## ${name} ${version} (${license})\n\n${homepage ?? ""}\n\n\`\`\`\n${text}\n\`\`\`\n`;
  });
  return `<!-- generated by scripts/generate.mjs -->\n# Software bundled in dist/\n\n${parts.join("\n")}`;
}

function usedInSource(name) {
  const isCode = (f) => /\.tsx?$/.test(f) && !f.endsWith(".test.ts");
  for (const file of ["src", "web"].flatMap((area) => [...walk(join(root, area), isCode)]))
    if (new RegExp(`from "${name}[/"]|import\\("${name}[/"]`).test(readFileSync(file, "utf8"))) return true;
  return false;
}
