// Writes docs/tools/ (a page per domain: what Interlock knows of each tool) and docs/hazards.md from the code's data.
// Invariant: every rule of every tool has a row, and every tool is named on one page or in the index.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

const generated = (from) => `<!-- generated from ${from} by scripts/generate.mjs -->`;

/** Paths and texts of the pages. `families` are all tools, `catalogue` all hazards. */
export function toolPages(families, catalogue) {
  const described = families.filter((family) => "spec" in family);
  const byCode = families.filter((family) => !("spec" in family));
  const domains = [...new Set(described.map((family) => family.file))].sort();
  const pages = domains.map((domain) => [
    `docs/tools/${domain}.md`,
    domainPage(
      domain,
      described.filter((family) => family.file === domain),
      catalogue,
    ),
  ]);
  return [["docs/tools/README.md", indexPage(domains, described, byCode)], ...pages];
}

/** Nothing happens unless a rule or an option's role says so, and no code looks at every use. */
function isQuietOtherwise({ otherwise, always, also }) {
  const anyUse = [...always, ...also.flatMap((rule) => rule.then)];
  return otherwise.every((action) => action.do === "quiet") && !anyUse.some((action) => action.do === "code");
}

function indexPage(domains, described, byCode) {
  const rows = domains.map((domain) => {
    const names = described.filter((family) => family.file === domain).flatMap((family) => family.names);
    const few = names.slice(0, 6).map(code).join(", ");
    return `| [${domain}](${domain}.md) | ${names.length} | ${few}${names.length > 6 ? ", ..." : ""} |`;
  });
  const quiet = domains.flatMap((domain) => {
    const found = described.filter((family) => family.file === domain && isQuietOtherwise(family.spec()));
    return found.length ? [`- ${domain}: ${names(found)}`] : [];
  });
  const others = byCode.length
    ? `\n## Tools that only code knows\n\nNo text describes them, so they have no page: ${names(byCode)}\n`
    : "";
  return `${generated("the tools' texts in src/shell/tools/")}
# What Interlock knows of each tool

A page per domain. Each tool has a table: a use of the tool, and what Interlock takes it for. The first row that fits
decides; the row "anything else" holds when none does. The guard then judges hazards by level ([hazards](../hazards.md))
and paths by where they lie ([shell](../shell.md)). \`--help\` and \`--version\` do nothing, whatever the tool.

An option that no page lists may or may not take the next word: Interlock tries both and counts all effects.
To change or add a tool, see [teach it a command](../teach-a-command.md).

| domain | program names | such as |
|---|---|---|
${rows.join("\n")}

## Quiet unless a row says otherwise

For these tools "anything else" is nothing. That is right only where no use does harm beyond its rows and options.

${quiet.join("\n")}
${others}`;
}

const names = (families) =>
  families
    .flatMap((family) => family.names)
    .map(code)
    .join(", ");

function domainPage(domain, families, catalogue) {
  return `${generated(`src/shell/tools/${domain}.ts`)}
# ${domain[0].toUpperCase()}${domain.slice(1)}

${families.map((family) => toolSection(family, catalogue)).join("\n")}${codeHazards(domain, catalogue)}`;
}

/** Hazards that the domain's code makes, which no rule shows. */
function codeHazards(domain, catalogue) {
  const text = readFileSync(join(root, `src/shell/tools/${domain}.ts`), "utf8");
  const calls = [...text.matchAll(/\bhazard\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, inner]) => inner);
  const found = calls.flatMap((inner) => [...inner.matchAll(/"([\w-]+)"/g)].map(([, id]) => id));
  const ids = [...new Set(found)].filter((id) => Object.hasOwn(catalogue, id)).sort();
  if (ids.length === 0) return "";
  const rows = ids.map((id) => `- ${hazardText({ id }, catalogue)}`);
  return `
## Hazards found by code

Where a row says "is looked into by code", these can be found too:

${rows.join("\n")}
`;
}

function toolSection({ names, spec }, catalogue) {
  const tool = spec();
  const say = (actions, way) => cell(actions.map((one) => actionText(one, tool, catalogue, way)).join("; "));
  const row = (use, actions, way) => `| ${cell(use)} | ${say(actions, way)} |`;
  const rows = [
    ...(tool.always.length ? [row("every use", tool.always)] : []),
    ...tool.also.map((rule) => row(`also ${whenText(rule, tool)}`, rule.then, rule.when[0])),
    ...tool.rules.map((rule) => row(whenText(rule, tool), rule.then, rule.when[0])),
    row(tool.rules.length ? "anything else" : "any use", tool.otherwise),
  ];
  const simulated = tool.dry.length
    ? [`Only a simulation with ${either(tool.dry.map((one) => dashed(one, tool)))}.`]
    : [];
  const [roles, plain, flags] = optionLists(tool);
  const lists = [
    ...simulated,
    ...(roles.length ? [`Options that say more: ${roles.join("; ")}.`] : []),
    ...(plain.length ? [`Options that take an argument: ${plain.join(", ")}.`] : []),
    ...(flags.length ? [`Options that take none: ${flags.join(", ")}.`] : []),
  ];
  return `## ${names.join(", ")}

| use | what it is taken for |
|---|---|
${rows.join("\n")}
${lists.map((line) => `\n${line}\n`).join("")}`;
}

const code = (text) => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);
const cell = (text) => text.replaceAll("|", "\\|");
const either = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
const eitherOf = (test) => either(test.source.split("|").map(code));

function dashed(name, { syntax: { style } }) {
  if (style.slash) return code(`/${name}`);
  if (style.plus && name === "+") return code("+");
  return code(`${name.length > 1 && !style.oneDash ? "--" : "-"}${name}`);
}

/** Options with a role, other options with an argument, flags; each with all its spellings. */
function optionLists(tool) {
  const lists = [[], [], []];
  const spellings = new Map();
  for (const [spelling, { name, takes }] of tool.syntax.specs) {
    const one = spellings.get(name) ?? { takes, all: [] };
    one.all.push(dashed(spelling, tool));
    spellings.set(name, one);
  }
  for (const [name, { takes, all }] of spellings) {
    const role = tool.roles.get(name);
    const shown = all.join(" ");
    if (role) lists[0].push(`${shown} ${roleText(role)}`);
    else if (takes !== "none") lists[1].push(takes === "optional" ? `${shown} (attached only)` : shown);
    else lists[2].push(shown);
  }
  return lists;
}

function roleText({ kind, mark, name }) {
  if (kind === "shell") return "runs it as shell text";
  if (kind === "program") return "runs it";
  if (kind === "script") return "runs that script";
  if (kind === "code") return `is looked into by code (${code(name)})`;
  return `${verbs[kind]} it${extentText(mark)}`;
}

function whenText({ when }, tool) {
  return when.map((way) => wayText(way, tool)).join(", or ");
}

function wayText(way, tool) {
  const steps = way.filter((one) => one.kind === "step").map(({ word }) => word.source);
  const rest = way.filter((one) => one.kind !== "step").map((one) => conditionText(one, tool));
  const path = steps.map((source) => (source === "*" ? "any word" : eitherOf({ source }))).join(", then ");
  return [path, ...rest].filter(Boolean).join(" ");
}

function conditionText(one, tool) {
  const without = one.not ? "not " : "";
  switch (one.kind) {
    case "option": {
      const pattern = one.pattern ? one.pattern.source.split("|").filter((name) => name.includes("*")) : [];
      const options = either([...one.names, ...pattern].map((name) => dashed(name, tool)));
      if (!one.value) return `${one.not ? "without" : "with"} ${options}`;
      return `${one.not ? "unless" : "with"} ${options} is ${eitherOf(one.value)}`.replace(
        /^with (.*) is /,
        "with $1 ",
      );
    }
    case "operand":
      return `${without}naming ${eitherOf(one.word)}`;
    case "unresolved":
      return one.not ? "with every word known" : "with a word that is not known";
    case "program":
      return `${without}called as ${eitherOf(one.word)}`;
    case "input":
      return one.not ? "without piped input" : "with piped input";
    case "count": {
      const { least, most } = one;
      if (most === 0) return "without operands";
      return `with ${least}${most === least ? "" : " or more"} operand${most === 1 ? "" : "s"}`;
    }
  }
}

const verbs = { read: "reads", write: "writes", delete: "deletes" };

function actionText(action, tool, catalogue, way) {
  const to = (target) => targetText(target, tool);
  const why = action.reason ? ` (${action.reason})` : "";
  switch (action.do) {
    case "quiet":
      return "nothing";
    case "unknown":
      return `unknown${why}`;
    case "hazard":
      return hazardText(action.hazard, catalogue, example(tool, way));
    case "read":
    case "write":
    case "delete": {
      const instead = action.otherwise ? `, or ${to(action.otherwise)} when there is none` : "";
      const found = action.hazard ? `: ${hazardText(action.hazard, catalogue, example(tool, way))}` : "";
      return `${verbs[action.do]} ${to(action.target)}${extentText(action.mark)}${instead}${found}`;
    }
    case "network":
      return [action.upload ? "sends data" : "talks to a service", action.target && ` at ${to(action.target)}`, why]
        .filter(Boolean)
        .join("");
    case "exec":
      return `runs code that can't be seen${why}`;
    case "privilege":
      return `gains other rights${action.target ? `: those of ${to(action.target)}` : ""}`;
    case "run":
      return `runs ${to(action.target)} as a command${action.cwd ? ` in ${to(action.cwd)}` : ""}`;
    case "shell":
      return `runs ${to(action.target)} as shell text`;
    case "script":
      return `runs the script ${to(action.target)}`;
    case "remote":
      return `runs ${to(action.target)} on another machine${action.host ? `, ${to(action.host)}` : ""}`;
    case "code":
      return `is looked into by code (${code(action.name)})`;
  }
}

/** `name` is what a refusal shows where it is not the id; `fill` puts an example in place of its placeholders. */
function hazardText({ id, name }, catalogue, fill = (text) => text) {
  const { title, level, class: cls } = catalogue[id];
  const shown = name ? `, shown as ${code(fill(name))}${/\{/.test(name) ? " or alike" : ""}` : "";
  return `**${title}** ([${id}](../hazards.md#${cls}), level ${level}${shown})`;
}

/** The name of a hazard as the first program and the first sub-command of a rule give it. */
function example(tool, way = []) {
  const program = way.find((one) => one.kind === "program" && !one.not)?.word.source.split("|")[0] ?? tool.names[0];
  const steps = way.filter((one) => one.kind === "step").map(({ word }) => word.source.split("|")[0].replace("*", "x"));
  return (name) =>
    name
      .replaceAll("{name}", program)
      .replaceAll("{path}", [program, ...steps].join("-"))
      .replace(/\{(\d)\}/g, (_, at) => steps[at - 1] ?? "x");
}

const extents = {
  tree: " with all below",
  all: " (any file below)",
  "tree?": " with all below unless it looks like a file",
};
const purposes = {
  use: "to use it",
  stage: "to stage it",
  edit: "in place",
  link: "as a link",
  move: "by moving",
  mode: "only its mode",
  truncate: "by cutting it off",
  "own-store": "in its own store",
  trash: "into the trash",
};
const extentText = ({ extent, how }) => `${extent ? extents[extent] : ""}${how ? `, ${purposes[how]}` : ""}`;

const ordinals = ["first", "second", "third", "fourth", "fifth"];
const places = {
  last: "the last operand",
  others: "every operand but the last",
  sources: "the sources",
  landing: "the destinations",
  words: "all words that follow",
  stdin: "standard input",
};

function targetText(target, tool) {
  switch (target.kind) {
    case "operands": {
      const { from, to } = target;
      const nth = ordinals[from] ?? `${from + 1}th`;
      if (to === from + 1) return `the ${nth} operand`;
      return from === 0 ? "every operand" : `every operand from the ${nth} on`;
    }
    case "option":
      return `the argument of ${either(target.names.map((name) => dashed(name, tool)))}`;
    case "path":
      return code(target.path);
    default:
      return places[target.kind];
  }
}

const excuses = {
  "in-git": "git has a copy",
  "nothing-to-lose": "git would lose nothing",
};

/** docs/hazards.md: every hazard by class, and what each preset does at each level. */
export function hazardPage(catalogue, advice, presets) {
  const entries = Object.entries(catalogue);
  const classes = Object.keys(advice).filter((cls) => entries.some(([, entry]) => entry.class === cls));
  const reaction = (one) => (one === "deny" ? "refuses" : one === "ask" ? "asks" : "lets pass");
  const presetRows = Object.entries(presets).map(([name, { levels, shared, excuses, unknown }]) => {
    const [one, two, three] = levels.map(reaction);
    const cells = [one, two, reaction(levels[1] ?? shared), three, excuses ? "yes" : "no", reaction(unknown)];
    return `| ${code(name)} | ${cells.join(" | ")} |`;
  });
  const sections = classes.map((cls) => {
    const rows = entries
      .filter(([, entry]) => entry.class === cls)
      .map(([id, { level, title, name, excuse }]) => {
        const shown = name && name !== id ? `${code(id)}, shown as ${code(name)}` : code(id);
        return `| ${shown} | ${level} | ${cell(title)} | ${excuse ? excuses[excuse] : "-"} |`;
      });
    const { why, next } = advice[cls];
    return `## ${cls}

Why it is refused: ${why}. What to do instead: ${next}.

| id | level | what it does | excused when |
|---|---|---|---|
${rows.join("\n")}
`;
  });
  return `${generated("src/model/hazards.ts")}
# Hazards

Everything a command can be refused for. A refusal names the hazard; that name or the id can stand in
\`packs.guard.except\`. Level 3 is a proven disaster, level 2 is dangerous unless the context excuses it, level 1
matters only to the stricter presets. Which tool leads to which hazard: [tools](tools/README.md).

| preset | level 1 | level 2 | level 2, databases and infrastructure | level 3 | takes excuses | unknown effects |
|---|---|---|---|---|---|---|
${presetRows.join("\n")}

${sections.join("\n")}`;
}
