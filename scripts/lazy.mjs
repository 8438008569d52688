// Makes the shell's tool families and language analysers load one by one: the source imports them all, a hook call needs two or three.
// Invariant: the bundle finds the same family for every name as the source does; the names are taken from the source itself while building.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

const tools = join(root, "src/shell/tools/index.ts");
const languages = join(root, "src/shell/languages/index.ts");

/** `import { a, b } from "./c.js"` lines of a file: what comes from where. */
const importsOf = (text) =>
  [...text.matchAll(/^import \{ ([\w, ]+) \} from "\.\/([\w-]+)\.js";$/gm)].map(([, names, from]) => ({
    names: names.split(", "),
    from,
  }));

/** Each module as an entry of its own, so that esbuild keeps it apart. */
export function lazyEntries() {
  const entries = {};
  for (const [kind, index] of [
    ["tools", tools],
    ["language", languages],
  ])
    for (const { from } of importsOf(readFileSync(index, "utf8")))
      entries[`${kind}-${from}`] = join(index, "..", `${from}.ts`);
  return entries;
}

/** Replaces the two indexes by ones that require a module when one of its names is asked for. */
export function lazyIndexes(esbuild) {
  return {
    name: "lazy-indexes",
    setup(build) {
      build.onLoad({ filter: /src\/shell\/tools\/index\.ts$/ }, async () => ({
        contents: await lazyTools(esbuild),
        loader: "js",
      }));
      build.onLoad({ filter: /src\/shell\/languages\/index\.ts$/ }, () => ({
        contents: lazyLanguages(),
        loader: "ts",
      }));
      build.onResolve({ filter: /^\.\/(?:tools|language)-[\w-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

async function lazyTools(esbuild) {
  const claims = await claimsOf(esbuild);
  return `
const claims = ${JSON.stringify(claims.map(([from, name, names]) => [from, name, ` ${names.join(" ")} `]))};
const required = {
${claims.map(([from, name]) => `  ${name}: () => require("./tools-${from}.cjs").${name},`).join("\n")}
};
export function claimant(name) {
  if (name.includes(" ")) return undefined;
  for (const [, list, names] of claims)
    if (names.includes(\` \${name} \`)) return [].concat(required[list]()).find((family) => family.names.includes(name));
  return undefined;
}
export const claimedNames = () => claims.flatMap(([, , names]) => names.trim().split(" "));
`;
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
