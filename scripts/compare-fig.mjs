// `npm run compare-fig`: compares the tools' texts with the completion specs of the npm package @withfig/autocomplete:
// how many words an option takes, and sub-commands that nobody described. Development only; needs the npm registry.
// A difference is mended in the tool's text or excused in compare-fig.excuses.json; any other one makes it exit 1.
// `--unlisted` prints the options fig knows and the texts do not list, which cost precision but no safety.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackage } from "./clients.mjs";
import { root, transpile } from "./transpile.mjs";

// MIT licence; nothing of it is copied into this repository.
const version = "2.692.3";
const fig = join(installPackage("@withfig/autocomplete", version), "build");
await transpile();
const load = (path) => import(pathToFileURL(join(root, "build/src/shell", path)).href);
const { families } = await load("tools/index.js");
const { record } = await load("tools/testing.js");

/** Sub-commands of sub-commands; some specs contain themselves. */
const deepest = 3;
const words = { none: "takes nothing", optional: "takes what is attached", required: "takes a word" };
const destructive =
  /(^|[-:_])(delete|remove|rm|del|destroy|purge|reset|prune|drop|clear|clean|erase|wipe|uninstall|kill)([-:_]|$)/;

/** Groups of `differences` (tool: words, "*" and "?" for any text and any one character) that share a reason. */
const groups = JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), "compare-fig.excuses.json")));
const excuses = groups.flatMap(({ differences }) =>
  Object.entries(differences).flatMap(([tool, words]) => words.split(" ").map((about) => ({ tool, about }))),
);
const used = new Set();
const compared = new Set();
let excused = 0;
const open = [];
const unlisted = [];

for (const family of families) {
  if (!("spec" in family)) continue;
  for (const name of family.names) {
    const theirs = await figSpec(name);
    if (!theirs) continue;
    compared.add(name);
    for (const { about, text } of [
      ...optionDifferences(family, name, theirs),
      ...quietCommands(family, name, theirs),
    ]) {
      const excuse = excuses.find((one) => one.tool === name && matches(one.about, about));
      if (!excuse) open.push(`${family.file}: ${name}: ${text}`);
      else {
        used.add(excuse);
        excused++;
      }
    }
  }
}

if (process.argv.includes("--unlisted")) console.log(unlisted.join("\n"));
for (const line of open) console.log(line);
const idle = excuses.filter((one) => compared.has(one.tool) && !used.has(one));
for (const { tool, about } of idle) console.log(`compare-fig.excuses.json: ${tool}: ${about} has nothing to excuse`);
console.log(`${compared.size} tools compared: ${open.length} differences, ${excused} excused`);
process.exit(open.length || idle.length ? 1 : 0);

function matches(pattern, text) {
  const literal = pattern
    .replace(/[.+^${}()[\]\\|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${literal}$`).test(text);
}

/** A tool's options and sub-commands; undefined where fig has none. */
async function figSpec(name) {
  const file = join(fig, `${name}.js`);
  if (!existsSync(file)) return;
  const { default: spec } = await import(pathToFileURL(file).href);
  if (typeof spec !== "object") return;
  await complete(spec, 0);
  return spec;
}

/** Sub-commands that lie in a file of their own are put in their place. */
async function complete(spec, depth) {
  if (depth === deepest) delete spec.subcommands;
  for (const sub of spec.subcommands ?? []) {
    const file = typeof sub.loadSpec === "string" && join(fig, `${sub.loadSpec}.js`);
    if (file && existsSync(file)) {
      const { default: more } = await import(pathToFileURL(file).href);
      sub.options ??= more.options;
      sub.subcommands ??= more.subcommands;
    }
    await complete(sub, depth + 1);
  }
}

/** Every spelling with what it takes in each sub-command. */
function figOptions(spec, found = new Map(), depth = 0) {
  for (const option of spec.options ?? [])
    for (const spelling of [option.name].flat()) {
      // Some specs write the argument into the name: "--output=FILE".
      const [, written, argument] = /^([^= ]+)([= ].*)?$/.exec(spelling) ?? [];
      const takes = found.get(written) ?? new Set();
      for (const one of argument ? ["required"] : takesOf(option)) takes.add(one);
      found.set(written, takes);
    }
  if (depth < deepest) for (const sub of spec.subcommands ?? []) figOptions(sub, found, depth + 1);
  return found;
}

function takesOf({ args, requiresSeparator, requiresEquals }) {
  const [first] = [args ?? []].flat();
  if (!first) return ["none"];
  if (first.isOptional) return ["optional"];
  // Fig says so also of options that accept the argument either way.
  return requiresSeparator || requiresEquals ? ["required", "optional"] : ["required"];
}

/** Whether what a tool does depends on its operands; if not, it does not matter which words an option takes. */
function looksAtOperands({ rules, also, always, otherwise }) {
  const every = [...rules, ...also];
  const actions = [...always, ...otherwise, ...every.flatMap((rule) => rule.then)];
  return (
    every.some(({ when }) => when.flat().some(({ kind }) => /^(step|operand|count|unresolved)$/.test(kind))) ||
    actions.some((action) => action.do === "code" || (action.target && !/^(option|path)$/.test(action.target.kind)))
  );
}

function optionDifferences(family, name, theirs) {
  if (!looksAtOperands(family.spec())) return [];
  const { specs, style } = family.spec().syntax;
  const differences = [];
  const missing = [];
  for (const [written, takes] of figOptions(theirs)) {
    const [, dashes, bare] = /^(--?)([^-].*)$/.exec(written) ?? [];
    if (!bare || (dashes === "-" && bare.length > 1 && !style.oneDash)) continue;
    const ours = specs.get(bare)?.takes;
    if (ours === undefined) missing.push(`${bare}${takes.has("required") ? "=" : takes.has("optional") ? "=?" : ""}`);
    else if (!takes.has(ours) && isDifferent(ours, takes, bare.length === 1))
      differences.push({
        about: written,
        text: `${written} ${words[ours]}, for fig it ${[...takes].map((one) => words[one]).join(" or ")}`,
      });
  }
  if (missing.length) unlisted.push(`${family.file}: ${name}: ${missing.join(" ")}`);
  return differences;
}

/** A long option reads what is attached to it anyway. */
function isDifferent(ours, takes, isLetter) {
  return isLetter || ours === "required" || takes.has("required");
}

/** Sub-commands without any effect: those no rule names and no code looks at, and those that sound destructive. */
function quietCommands(family, name, theirs) {
  const { rules, otherwise } = family.spec();
  const first = rules.flatMap(({ when }) => when.map((way) => way.find((one) => one.kind === "step")?.word));
  const isNamed = (word) => first.some((test) => test?.(word)) || otherwise.some((action) => action.do === "code");
  return commandsOf(theirs).flatMap((path) => {
    const sounds = destructive.test(path.at(-1)) && !/^(get|describe|list)-/.test(path.at(-1));
    if (!sounds && (path.length > 1 || isNamed(path[0]))) return [];
    const effects = record([family], `${name} ${path.join(" ")} ${sounds ? "x" : ""}`);
    if (effects.some((line) => !line.startsWith("network"))) return [];
    return { about: path.join("."), text: `\`${path.join(" ")}\` is quiet${sounds ? "" : ", no rule names it"}` };
  });
}

function commandsOf(spec, path = []) {
  return (spec.subcommands ?? []).flatMap((sub) =>
    [sub.name].flat().flatMap((name) => {
      const here = [...path, name];
      return /^\w[\w:.-]*$/.test(name) && !/^(help|version)$/.test(name)
        ? [here, ...(here.length < 3 ? commandsOf(sub, here) : [])]
        : [];
    }),
  );
}
