// Makes the shell's tool families, the language analysers and the packs' gates load one by one: the source imports them all, a hook call needs a few.
// Invariant: the bundle finds the same family for every name, and the same gates for every event, as the source does; both are taken from the source while building.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

const tools = join(root, "src/shell/tools/index.ts");
const languages = join(root, "src/shell/languages/index.ts");

const packs = ["guard", "discipline", "lifecycle"];
const indexOf = (pack) => join(root, `src/packs/${pack}/index.ts`);

/** `import { a, b } from "./c.js"` lines of a file: what comes from where. */
const importsOf = (text) =>
  [...text.matchAll(/^import \{ ([\w, ]+) \} from "\.\/([\w/-]+)\.js";$/gm)].map(([, names, from]) => ({
    names: names.split(", "),
    from,
  }));

/** Each module, and each group of gates, as an entry of its own, so that esbuild keeps it apart. */
export function lazyEntries(groups) {
  const entries = { "tools-claims": "claims" };
  Object.assign(entries, Object.fromEntries(groups.map(({ name }) => [name, `pack:${name}`])));
  for (const [kind, index] of [
    ["tools", tools],
    ["language", languages],
  ])
    for (const { from } of importsOf(readFileSync(index, "utf8")))
      entries[`${kind}-${from}`] = join(index, "..", `${from}.ts`);
  return entries;
}

/** Replaces the indexes by ones that require a module when one of its names is asked for. */
export function lazyIndexes(esbuild, groups) {
  const grouped = new Map(groups.map((group) => [group.name, group]));
  return {
    name: "lazy-indexes",
    setup(build) {
      for (const pack of packs)
        build.onLoad({ filter: new RegExp(`src/packs/${pack}/index\\.ts$`) }, () => ({
          contents: latePack(
            pack,
            groups.filter((group) => group.pack === pack),
          ),
          loader: "ts",
        }));
      build.onLoad({ filter: /src\/packs\/.*\.ts$/ }, ({ path }) => withoutPages(esbuild, path));
      build.onResolve({ filter: /^pack:/ }, ({ path }) => ({ path: path.slice("pack:".length), namespace: "pack" }));
      build.onLoad({ filter: /./, namespace: "pack" }, ({ path }) => {
        const { pack, members } = grouped.get(path);
        const lines = members.map(({ name, real, from }) => `export { ${real} as ${name} } from "./${from}.js";`);
        return { contents: lines.join("\n"), resolveDir: join(indexOf(pack), "..") };
      });
      const lazily = lazyTools(esbuild);
      build.onLoad({ filter: /src\/shell\/tools\/index\.ts$/ }, async () => ({
        contents: (await lazily).index,
        loader: "js",
      }));
      build.onResolve({ filter: /^claims$/ }, ({ path }) => ({ path, namespace: "claims" }));
      build.onLoad({ filter: /./, namespace: "claims" }, async () => ({ contents: (await lazily).claims }));
      build.onLoad({ filter: /src\/shell\/languages\/index\.ts$/ }, () => ({
        contents: lazyLanguages(),
        loader: "ts",
      }));
      build.onResolve({ filter: /^\.\/(?:tools|language|pack)-[\w-]+\.cjs$/ }, ({ path }) => ({
        path,
        external: true,
      }));
    },
  };
}

/** Stands for the chunk's own `require` where esbuild would not leave one alone: it knows no names made at run time. */
export const requireLater = "REQUIRE_LATER";

/** The families of most commands; whose names are whose among the others is looked up in a table of its own. */
export const usualTools = ["readers", "harmless", "git", "search", "files", "npm", "wrappers", "shells"];

async function lazyTools(esbuild) {
  const claims = (await claimsOf(esbuild)).map(([from, list, names]) => [from, list, ` ${names.join(" ")} `]);
  const usual = claims.filter(([from]) => usualTools.includes(from));
  const others = claims.filter(([from]) => !usualTools.includes(from));
  return {
    index: `
const usual = ${JSON.stringify(usual)};
const others = () => require("./tools-claims.cjs").claims;
const claimed = (claims, name) => claims.find(([, , names]) => names.includes(\` \${name} \`));
export function claimant(name) {
  if (name.includes(" ")) return undefined;
  const [from, list] = claimed(usual, name) ?? claimed(others(), name) ?? [];
  return from && [].concat(${requireLater}(\`./tools-\${from}.cjs\`)[list]).find((family) => family.names.includes(name));
}
export const claimedNames = () => [...usual, ...others()].flatMap(([, , names]) => names.trim().split(" "));
`,
    claims: `export const claims = ${JSON.stringify(others)};`,
  };
}

/** [module, list, the names that fall to it] in the order of the source: the first list that claims a name has it. */
async function claimsOf(esbuild) {
  const text = readFileSync(tools, "utf8");
  const from = new Map(importsOf(text).flatMap((i) => i.names.map((name) => [name, i.from])));
  const order = [...text.matchAll(/^ {2}(?:\.\.\.)?(\w+),$/gm)]
    .map(([, name]) => name)
    .filter((name) => from.has(name));
  if (order.length !== from.size) throw new Error("src/shell/tools/index.ts: an imported family is not in the list");
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: order.map((name) => `export { ${name} } from "./${from.get(name)}.js";`).join("\n"),
      resolveDir: join(tools, ".."),
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const lists = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const taken = new Set();
  return order.map((name) => {
    const names = [lists[name]]
      .flat()
      .flatMap((family) => family.names)
      .filter((one) => !taken.has(one));
    for (const one of names) taken.add(one);
    return [from.get(name), name, [...new Set(names)]];
  });
}

function lazyLanguages() {
  const text = readFileSync(languages, "utf8");
  const each = importsOf(text).flatMap(({ names, from }) =>
    names.map((name) => `  ${name}: (text, emit) => require("./language-${from}.cjs").${name}(text, emit),`),
  );
  const [table] = /^const analysers: [^;]+;$/m.exec(text) ?? [];
  if (!table) throw new Error("src/shell/languages/index.ts: no table of analysers");
  return text.replace(/^import \{ .*\n/gm, "").replace(table, `const analysers: any = {\n${each.join("\n")}\n};`);
}

/** What of each pack is loaded together: what hears a tool before it is used, what of it only hears those that run programs, and all others. */
export async function packGroups(esbuild, define) {
  const groups = [];
  for (const pack of packs) {
    const members = await membersOf(esbuild, pack, define);
    for (const when of ["before", "program", "other"]) {
      const chosen = members.filter((member) => whenOf(member) === when);
      if (chosen.length) groups.push({ name: `pack-${pack}-${when}`, pack, when, members: chosen });
    }
  }
  return groups;
}

const programs = ["shell", "script", "mcp", "unknown"];

function whenOf({ kind, head }) {
  if (kind === "act") return "program";
  const before = head.on.filter((l) => l.kind === "tool.before");
  if (!before.length) return "other";
  return before.every((l) => l.tools?.every((tool) => programs.includes(tool))) ? "program" : "before";
}

/** What every listener of a kind must say at once; the rest waits until it is heard. */
const heads = { gate: ["id", "on", "onError", "env", "hindsight", "protecting"], memory: ["id", "on"] };

async function membersOf(esbuild, pack, define) {
  const imports = importsOf(readFileSync(indexOf(pack), "utf8")).flatMap(({ names, from }) =>
    names.map((one) => {
      const [real, name = real] = one.split(" as ");
      return { name, real, from };
    }),
  );
  const lines = imports.map(({ name, real, from }) => `export { ${real} as ${name} } from "./${from}.js";`);
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { default } from "./index.js";\n${lines.join("\n")}`,
      resolveDir: join(indexOf(pack), ".."),
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    define,
  });
  const built = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const { gates, memories = [], acts = {} } = built.default;
  return imports.flatMap((one) => {
    const value = built[one.name];
    const kind = gates.includes(value) ? "gate" : memories.includes(value) ? "memory" : undefined;
    if (kind) return [{ ...one, kind, head: Object.fromEntries(heads[kind].map((key) => [key, value[key]])) }];
    return Object.values(acts).includes(value) ? [{ ...one, kind: "act" }] : [];
  });
}

/** A pack's index whose gates, memories and acts are loaded when they are first asked for more than whom they hear. */
function latePack(pack, groups) {
  const late = groups.flatMap(({ name, members }) => members.map((member) => ({ ...member, group: name })));
  const kept = readFileSync(indexOf(pack), "utf8").replace(
    /^import \{ ([\w, ]+) \} from ("\.\/[\w/-]+\.js";)$/gm,
    (_, names, from) => {
      const rest = names.split(", ").filter((one) => !late.some(({ name }) => name === one.split(" as ").pop()));
      return rest.length ? `import { ${rest.join(", ")} } from ${from}` : "";
    },
  );
  const made = late.map(({ name, kind, head, group }) =>
    kind === "act"
      ? `const ${name} = (...given: any[]) => require("./${group}.cjs").${name}(...given);`
      : `const ${name}: any = new Late(${JSON.stringify(head)}, ${group.replaceAll("-", "_")}, ${JSON.stringify(name)});`,
  );
  for (const { name } of groups) made.unshift(`const ${name.replaceAll("-", "_")} = () => require("./${name}.cjs");`);
  return `${lateClass}\n${made.join("\n")}\n${kept}`;
}

const lateClass = `
class Late {
  constructor(head: object, private readonly load: () => any, private readonly name: string) { Object.assign(this, head); }
  get judge() { return this.load()[this.name].judge; }
  get learn() { return this.load()[this.name].learn; }
  get state() { return this.load()[this.name].state; }
}`;

/** A gate's texts for its page are of no use to a program that runs; esbuild writes each on a line of its own. */
async function withoutPages(esbuild, path) {
  const { code } = await esbuild.transform(readFileSync(path, "utf8"), {
    loader: "ts",
    target: "node20",
    minifySyntax: true,
  });
  const contents = code.replace(
    /^((?:export )?(?:const|let|var) .*\bgate\(\{\n)([^]*?)(?=^\}\))/gm,
    (_, open, body) => {
      return (
        open +
        body.replace(/^ {2}(?:title|about|remedy|window|reset): (?:"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\$])*`),\n/gm, "")
      );
    },
  );
  return { contents, loader: "js" };
}
