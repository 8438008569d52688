// What JavaScript programs do to files, processes and the network, under Node, Deno and Bun.
// Invariant: a module or call not listed makes the program unknown.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Token } from "./tokens.js";
import type { Bindings, Meaning, Vocabulary } from "./vocabulary.js";

const recursiveDelete: Meaning = (call, scope) =>
  m.deletes(m.argument(0), call.keywords.get("recursive")?.[0]?.text === "true")(call, scope);

const openFlags: Meaning = (call, scope) => m.opens("flags")(call, scope);

const fetches: Meaning = (call, scope) => {
  const method = scope.constant(call.keywords.get("method")) ?? "GET";
  m.networkCall(!/^(GET|HEAD|OPTIONS)$/i.test(method) || call.keywords.has("body"))(call, scope);
};

const denoCommand: Meaning = (call, scope) => {
  const args = scope.list(call.keywords.get("args"));
  scope.emit.run(
    [scope.word(call.args[0]), ...(args ?? [])],
    `${call.name} starts it`,
    args ? {} : { extraArgs: "unknown" },
  );
};

const cmdKey: Meaning = (call, scope) => {
  const words = scope.list(call.keywords.get("cmd")) ?? scope.list(call.args[0]);
  if (words) scope.emit.run(words, `${call.name} starts it`);
  else scope.emit.unknown(`${call.name} starts a program`);
};

const fork: Meaning = (call, scope) => scope.emit.script(scope.word(call.args[0]), `${call.name} runs it`, "node");

const file: Record<string, Meaning> = {
  writeFile: m.writes(),
  appendFile: m.writes(),
  truncate: m.writes(),
  mkdir: m.writes(),
  mkdtemp: m.writes(),
  chmod: m.writes(),
  chown: m.writes(),
  utimes: m.writes(),
  symlink: m.links,
  link: m.links,
  unlink: m.deletes(),
  rm: recursiveDelete,
  rmdir: recursiveDelete,
  rename: m.transfers({ moves: true, recursive: true }),
  copyFile: m.transfers(),
  cp: m.transfers({ recursive: true }),
  open: openFlags,
  readFile: m.readsPath(),
};

const extra: Record<string, Meaning> = {
  outputFile: m.writes(),
  outputJson: m.writes(),
  writeJson: m.writes(),
  remove: m.deletes(m.argument(0), true),
  emptyDir: m.deletes(m.argument(0), true),
  move: m.transfers({ moves: true, recursive: true }),
  copy: m.transfers({ recursive: true }),
  ensureDir: m.writes(),
  ensureFile: m.writes(),
  readJson: m.readsPath(),
};

const meanings: Record<string, Meaning> = {
  "fs.createWriteStream": m.writes(),
  "fs.createReadStream": m.readsPath(),
  ...spread("fs.", file),
  ...spread("fs.promises.", file),
  ...spread("fs-extra.", { ...file, ...extra }),
  "rimraf.sync": m.deletes(m.argument(0), true),
  rimraf: m.deletes(m.argument(0), true),
  "child_process.exec": m.runsShell(),
  "child_process.execSync": m.runsShell(),
  "child_process.spawn": m.spawns,
  "child_process.spawnSync": m.spawns,
  "child_process.execFile": m.spawns,
  "child_process.execFileSync": m.spawns,
  "child_process.fork": fork,
  fetch: fetches,
  "http.request": m.networkCall(true),
  "https.request": m.networkCall(true),
  "http.get": m.networkCall(),
  "https.get": m.networkCall(),
  "net.connect": m.networkCall(true, () => undefined),
  "net.createConnection": m.networkCall(true, () => undefined),
  "axios.get": m.networkCall(),
  "axios.post": m.networkCall(true),
  axios: m.networkCall(true),
  "process.kill": m.kills,
  "process.chdir": (_call, scope) => scope.emit.unknown("the program changes its directory"),
  eval: m.evaluates,
  Function: m.evaluates,
  "vm.runInThisContext": m.evaluates,
  "vm.runInNewContext": m.evaluates,
  "module.require": m.loads,
  require: m.loads,
  import: m.loads,
  "Deno.writeTextFile": m.writes(),
  "Deno.writeFile": m.writes(),
  "Deno.create": m.writes(),
  "Deno.mkdir": m.writes(),
  "Deno.truncate": m.writes(),
  "Deno.chmod": m.writes(),
  "Deno.remove": recursiveDelete,
  "Deno.rename": m.transfers({ moves: true, recursive: true }),
  "Deno.copyFile": m.transfers(),
  "Deno.symlink": m.links,
  "Deno.link": m.links,
  "Deno.readTextFile": m.readsPath(),
  "Deno.readFile": m.readsPath(),
  "Deno.open": m.writes(),
  "Deno.Command": denoCommand,
  "Deno.run": cmdKey,
  "Deno.env.toObject": (_call, scope) => scope.emit.hazard(hazard("env-dump"), "uses the whole environment"),
  "Bun.write": m.writes(),
  "Bun.file": m.readsPath(),
  "Bun.spawn": cmdKey,
  "Bun.spawnSync": cmdKey,
};
for (const name of Object.keys(meanings))
  if (/^(Deno\.(?!run|Command|env)|)/.exec(name)![0]) meanings[`${name}Sync`] ??= meanings[name]!;

const modules = wordSet(`
  fs fs.promises path path.posix os util url querystring crypto child_process http https net events assert
  assert.strict zlib stream buffer readline string_decoder timers timers.promises perf_hooks process vm module v8
  worker_threads tty dns fs-extra rimraf glob fast-glob yaml js-yaml semver chalk lodash axios typescript zod ajv
  minimatch picomatch uuid dayjs moment date-fns bun zx`);

const harmless = wordSet(`
  console.* JSON.* Math.* Object.* Array.* String.* Number.* Promise.* Reflect.ownKeys Date.* Symbol.* BigInt.*
  Buffer.* Intl.* URL.* Atomics.* path.* os.* util.* url.* querystring.* crypto.* assert.* zlib.* events.*
  readline.* stream.* perf_hooks.* timers.* dns.* semver.* chalk.* lodash.* yaml.* js-yaml.* glob.* fast-glob.*
  minimatch.* picomatch.* zod.* dayjs.* v8.* string_decoder.* tty.* assert glob dayjs moment chalk minimatch semver
  String Number Boolean Object Array Date Map Set WeakMap WeakSet Promise RegExp Error TypeError RangeError Symbol
  BigInt URL URLSearchParams TextEncoder TextDecoder Uint8Array Buffer Proxy Intl AbortController Headers FormData
  Blob performance.now structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob
  btoa alert Uint32Array Float64Array ArrayBuffer DataView super process.exit process.cwd process.uptime
  process.hrtime process.memoryUsage process.on process.once process.nextTick process.stdout.write
  process.stderr.write process.stdin.on process.stdin.setEncoding process.stdin.resume process.emitWarning
  process.hrtime.bigint process.cpuUsage process.getuid process.exitCode fs.existsSync fs.statSync fs.stat
  fs.lstatSync fs.lstat fs.readdirSync fs.readdir fs.accessSync fs.access fs.realpathSync fs.realpath
  fs.readlinkSync fs.watch fs.constants fs.closeSync fs.close fs.promises.stat fs.promises.readdir
  fs.promises.access fs.promises.realpath fs.promises.lstat fs.exists fs-extra.existsSync fs-extra.pathExists
  require.resolve import.meta.resolve Deno.cwd Deno.exit Deno.readDir Deno.readDirSync Deno.stat Deno.statSync
  Deno.env.get Deno.inspect Bun.inspect Bun.sleep Bun.hash Bun.version .push .pop .shift .unshift .slice .splice
  .concat .join .reverse .sort .map .filter .reduce .reduceRight .forEach .find .findIndex .findLast .some .every
  .includes .indexOf .lastIndexOf .flat .flatMap .fill .keys .values .entries .at .with .toSorted .toReversed
  .toSpliced .split .replace .replaceAll .trim .trimStart .trimEnd .padStart .padEnd .repeat .startsWith .endsWith
  .charAt .charCodeAt .codePointAt .substring .substr .toLowerCase .toUpperCase .toLocaleString .toLocaleUpperCase
  .match .matchAll .search .test .exec .normalize .localeCompare .toString .valueOf .toFixed .toPrecision .get .set
  .has .add .delete .clear .size .then .catch .finally .getTime .getFullYear .getMonth .getDate .getDay .getHours
  .getMinutes .getSeconds .toISOString .toJSON .toLocaleDateString .toLocaleTimeString .getTimezoneOffset
  .hasOwnProperty .isPrototypeOf .json .text .arrayBuffer .blob .update .digest .on .once .off .emit .end .pipe
  .call .apply .bind .isFile .isDirectory .isSymbolicLink .log .error .warn .info .table .write .next .return
  .setEncoding .resume .close .readUInt8 .readUInt16LE .readUInt32LE .readUInt32BE .equals .subarray .append .getAll
  .parse .safeParse .format .readline .stringify .formatToParts .isArray .assign .resolve .reject .unref .ref .hex
  .spawned .toHex`);

const keywords = wordSet(`
  if else for while do switch case return function class const let var new typeof instanceof in of delete void throw
  try catch finally await async yield default export static get set extends break continue with debugger true false
  null undefined this arguments interface type enum namespace as implements from`);

function spread(prefix: string, table: Record<string, Meaning>): Record<string, Meaning> {
  const out: Record<string, Meaning> = {};
  for (const [name, meaning] of Object.entries(table)) {
    out[`${prefix}${name}`] = meaning;
    out[`${prefix}${name}Sync`] = meaning;
  }
  return out;
}

/** require("x"), import("x"), import declarations: the module's own name takes their place. */
function imports(tokens: Token[], bindings: Bindings): Token[] {
  const collapsed: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const loads =
      token.kind === "name" &&
      /^(require|import)$/.test(token.text) &&
      tokens[index + 1]?.text === "(" &&
      tokens[index + 2]?.kind === "string" &&
      tokens[index + 3]?.text === ")";
    if (loads) {
      const afterDot = collapsed.at(-1)?.text === ".";
      if (afterDot)
        while (collapsed.length && (collapsed.at(-1)!.text === "." || collapsed.at(-1)!.kind === "name"))
          collapsed.pop();
      if (collapsed.at(-1)?.text === "await") collapsed.pop();
      collapsed.push(...module(tokens[index + 2]!.value, bindings));
      index += 3;
      // `(await import("fs")).x` and `(require("fs")).x`
      const wrapped = collapsed.length >= 2 && tokens[index + 1]?.text === ")" && tokens[index + 2]?.text === ".";
      if (wrapped) {
        const open = collapsed.map((part) => part.text).lastIndexOf("(");
        if (open >= 0) {
          collapsed.splice(open, 1);
          index++;
        }
      }
      continue;
    }
    const exported = token.kind === "name" && token.text === "export" ? reexported(tokens, index) : undefined;
    if (exported !== undefined) note(moduleName(exported), bindings);
    if (token.kind === "name" && token.text === "import" && (index === 0 || /^[;\n}]$/.test(tokens[index - 1]!.text))) {
      const end = declaration(tokens, index, bindings);
      if (end > index) {
        index = end;
        continue;
      }
    }
    collapsed.push(token);
  }
  return assignments(collapsed, bindings);
}

/** `export * from "./x"`, `export { a } from "./x"` */
function reexported(tokens: readonly Token[], start: number): string | undefined {
  if (!/^[*{]$/.test(tokens[start + 1]?.text ?? "")) return undefined;
  for (let at = start + 2; at < tokens.length && !/^[;=(]$/.test(tokens[at]!.text); at++)
    if (tokens[at]!.text === "from" && tokens[at + 1]?.kind === "string") return tokens[at + 1]!.value;
  return undefined;
}

function declaration(tokens: readonly Token[], start: number, bindings: Bindings): number {
  let end = start + 1;
  while (end < tokens.length && tokens[end]!.kind !== "string" && tokens[end]!.text !== ";") end++;
  const source = tokens[end];
  if (source?.kind !== "string") return start;
  const name = moduleName(source.value);
  note(name, bindings);
  const words = tokens.slice(start + 1, end).filter((token) => token.kind !== "newline");
  let inBraces = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word.text === "{" || word.text === "}") inBraces = word.text === "{";
    if (word.kind !== "name" || word.text === "from" || word.text === "as") continue;
    const alias = words[index + 1]?.text === "as" ? words[index + 2]?.text : undefined;
    if (words[index - 1]?.text === "as" && words[index - 2]?.text !== "*") continue;
    bindings.aliases.set(alias ?? word.text, inBraces && word.text !== "default" ? `${name}.${word.text}` : name);
  }
  return end;
}

/** const fs = <module>; const { a, b: c } = <module>; const f = <module>.promises */
function assignments(tokens: readonly Token[], bindings: Bindings): Token[] {
  const patterns = new Set<Token>();
  for (let index = 0; index < tokens.length; index++) {
    if (
      tokens[index]!.text !== "=" ||
      tokens[index + 1]?.kind !== "name" ||
      !bindings.aliases.has(tokens[index + 1]!.text)
    )
      continue;
    const parts = [bindings.aliases.get(tokens[index + 1]!.text)!];
    let at = index + 1;
    while (tokens[at + 1]?.text === "." && tokens[at + 2]?.kind === "name") {
      parts.push(tokens[at + 2]!.text);
      at += 2;
    }
    if (tokens[at + 1]?.text === "(") continue;
    const target = parts.join(".");
    const left = tokens[index - 1];
    if (!left) continue;
    if (left.kind === "name") bindings.aliases.set(left.text, target);
    if (left.text !== "}") continue;
    for (const token of tokens.slice(index + 1, at + 1)) patterns.add(token);
    for (let from = index - 2; from >= 0 && tokens[from]!.text !== "{"; from--) {
      patterns.add(tokens[from]!);
      if (tokens[from]!.kind !== "name" || tokens[from - 1]?.text === ":") continue;
      const renamed = tokens[from + 1]?.text === ":" ? tokens[from + 2]!.text : tokens[from]!.text;
      bindings.aliases.set(renamed, `${target}.${tokens[from]!.text}`);
    }
  }
  return tokens.filter((token) => !patterns.has(token));
}

function module(value: string | undefined, bindings: Bindings): Token[] {
  const name = moduleName(value);
  note(name, bindings);
  bindings.aliases.set(name.split(".")[0]!, name.split(".")[0]!);
  return name.split(".").flatMap((part, index): Token[] =>
    index
      ? [
          { kind: "op", text: "." },
          { kind: "name", text: part },
        ]
      : [{ kind: "name", text: part }],
  );
}

const moduleName = (value: string | undefined): string =>
  value === undefined ? "?" : value.replace(/^node:/, "").replace(/^(fs|path|timers|assert)\//, "$1.");

/** Data files and packages that only compute may be loaded; anything else runs code we do not see. */
function note(name: string, bindings: Bindings): void {
  if (modules.has(name) || /\.json$/.test(name)) return;
  bindings.unknownModules.push(name);
}

const endings = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"];

/** ./x is a file with one of the endings, or the index of a folder; TypeScript writes .js and means .ts. */
function moduleFiles(module: string): string[][] {
  if (!/^\.{0,2}\//.test(module)) return [];
  const typed = module.replace(/\.([mc]?)js$/, ".$1ts");
  return [[...endings.map((ending) => module + ending), typed, ...endings.slice(1).map((e) => `${module}/index${e}`)]];
}

const join = (parts: string[]) => parts.reduce((left, right) => `${left}/${right}`);

const vocabulary: Vocabulary = {
  language: "JavaScript",
  id: "node",
  dialect: {
    lineComments: ["//", "#!"],
    blockComments: [["/*", "*/"]],
    quotes: { plain: "'\"", computed: "" },
    interpolation: "${",
    backquote: "string",
    regex: true,
    dollar: true,
  },
  keywords,
  dots: new Set([".", "?."]),
  meanings,
  harmless,
  modules,
  globals: wordSet(`
  fs path os util child_process crypto http https net url zlib events assert readline vm console JSON Math Object
  Array String Number Promise Reflect Date Symbol BigInt Buffer Intl URL process performance Deno Bun require import
  globalThis module`),
  imports,
  moduleFiles,
  environment: wordSet("process.env Deno.env"),
  texts: { "process.env.HOME": "~" },
  tags: wordSet("$ Bun.$ $.raw bun.$ zx.$"),
  folds: {
    "path.join": join,
    "path.resolve": join,
    join,
    resolve: join,
    "os.homedir": () => "~",
    "Deno.env.get": ([name]) => (name === "HOME" ? "~" : undefined),
    atob: m.base64,
    "Buffer.from": ([text = "", how = ""]) =>
      how === "base64" ? m.base64([text]) : how === "hex" ? m.hex([text]) : text,
  },
  forbidden: /^(constructor|__proto__|mainModule|binding|globalThis|_load|dlopen)$/,
};

/** `fetch(u).then((r) => r.text()).then(eval)` */
const handsToEval = /\b(?:fetch|axios|https?)\b[\s\S]*\.then\(\s*(?:eval|Function)\s*\)/;

export const node = (text: string, emit: Emit): void => {
  if (handsToEval.test(text)) emit.unknown("downloaded text is evaluated", { hazard: hazard("download-and-run") });
  analyseWith(vocabulary, text, emit);
};
