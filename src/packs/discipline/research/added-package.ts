// Whether a call brings a package into the project that was not there: by a package manager, or in a manifest.
import type { Facts } from "../../../facts/index.js";
import { alternatives } from "../../../facts/lazy-pattern.js";
import type { ProgramCall } from "../../../facts/test-runners.js";

export function addsPackage(facts: Facts): boolean {
  const { tool } = facts.event;
  if (tool?.kind === "shell") return (facts.shell?.commands ?? []).some(adds);
  const [target] = facts.targets;
  if (!target || !manifest.test(target.path)) return false;
  const before = facts.edit?.before ?? "";
  const added = tool?.kind === "write" ? [tool.content ?? ""] : (tool?.edits ?? []).map((e) => e.new);
  return added.flatMap(packagesIn).some((name) => !before.includes(name));
}

const manifest =
  /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|requirements[\w-]*\.txt|Gemfile|pom\.xml)$/;

/** `"name": "^1.2"`, `name = "1.2"`, `name v1.2.3`, `name==1.2`, `gem "name"`. */
const dependency = alternatives(
  [
    String.raw`"(@?[a-z][\w@/.-]*)"\s*:\s*"(?:[\^~>=<*]|\d|npm:|git|latest)`,
    String.raw`^\s*(?:gem\s+)?["']?([A-Za-z][\w@/.-]*)["']?\s*(?:(?:==|>=|~=|=)\s*[{"'v]?[\^~]?\d|\sv\d)`,
    String.raw`^\s*gem\s+["']([\w-]+)`,
  ],
  "gm",
);
/** The project's own version, and the language's. */
const own = /^(?:version|go|toolchain|edition|rust-version|requires-python|python|node|npm|target-version)$/;

const packagesIn = (text: string): string[] =>
  [...text.matchAll(dependency)].map(([, a, b, c]) => a ?? b ?? c ?? "").filter((name) => !own.test(name));

/** The verbs with which package managers add what they are given. */
const verbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|install|add)$/,
  pnpm: /^(?:i|install|add)$/,
  yarn: /^add$/,
  bun: /^(?:i|install|add)$/,
  deno: /^add$/,
  go: /^get$/,
  cargo: /^add$/,
  pip: /^install$/,
  pip3: /^install$/,
  uv: /^add$/,
  poetry: /^add$/,
  pdm: /^add$/,
  bundle: /^add$/,
  composer: /^require$/,
};

function adds({ program, argv }: ProgramCall): boolean {
  const verb = verbs[program];
  const at = verb ? argv.findIndex((word) => word !== undefined && verb.test(word)) : -1;
  if (at < 0) return false;
  const named = argv.slice(at + 1).filter((word) => word === undefined || !word.startsWith("-"));
  // A path, or a package of the same workspace, is the project's own.
  return named.some(
    (word) => word === undefined || (!/^[./]|@(?:workspace|link|file|portal):/.test(word) && !/\.txt$/.test(word)),
  );
}
