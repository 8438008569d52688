// What a finished call changed of the work a phase is about: code, or any document of the project.
// Invariant: pure over the facts; what test runs, builds and the framework itself write is not work.
import { belowRoot, type Change } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { runnerOf } from "../../../facts/test-runners.js";

export interface WorkChange {
  path: string;
  code: boolean;
  /** In the same command, before its test run. */
  beforeTests: boolean;
}

const ours = /^(?:\.isdlc|\.claude|\.git|\.interlock)(?:\/|$)|^interlock\.ya?ml$/;
const made = /(?:^|\/)(?:node_modules|coverage|vendor|__pycache__|test-results|playwright-report)\//;
/** Output of builds stands beside the sources, not among them. */
const output = /^(?:(?!(?:src|lib|app|tests?|scripts|cmd|internal|pkg)\/)[^/]+\/)*(?:dist|build|out|target)\//;
/** Caches and settings of tools and of one machine; other hidden files (.github, .eslintrc) are work. */
const hidden = new RegExp(
  String.raw`(?:^|/)\.(?:cache|next|nuxt|output|svelte-kit|angular|vite|vitest|turbo|nx|parcel-cache|gradle|idea` +
    "|vscode|venv|tox|nox|eggs|nyc_output|hypothesis|terraform|dart_tool|stack-work|expo|docusaurus" +
    "|wrangler|swiftpm|yarn|pnpm-store|bundle|ipynb_checkpoints|DS_Store|env|coverage" +
    String.raw`|eslintcache|stylelintcache|[\w-]*_cache|phpunit)(?:[./]|$)`,
);
const plan = /(?:^|\/)(?:tasks\.md|atdd-checklist[\w-]*\.json)$/;
const document = /\.(?:md|mdx|markdown|txt|rst|adoc|pdf|png|jpe?g|gif|svg|log|out|tap)$/i;
/** What a test command may leave beside the code. */
const report = /\.(?:log|out|txt|tap|xml|json|html|lcov)$/i;

/** The last change of the call that is work; undefined: it changed none. */
export function workChangedBy(facts: Facts): WorkChange | undefined {
  const changes = [...facts.changes, ...filesOfMcp(facts)].filter(
    (c) => isWork(c) && !(facts.run && report.test(c.below!)),
  );
  const last = changes.findLast((c) => isCode(c)) ?? changes.at(-1);
  if (!last) return undefined;
  return { path: last.below!, code: isCode(last), beforeTests: facts.run !== undefined && precedes(facts, last) };
}

/** The files a writing tool of an MCP server was given. */
const filesOfMcp = ({ event, effects, world }: Facts): Change[] =>
  event.tool?.kind !== "mcp"
    ? []
    : effects.flatMap(({ kind, path, reason }) => {
        const below = path === undefined ? undefined : belowRoot(world.project.root, path);
        return kind === "write" && below !== undefined ? [{ kind, path, below, shown: below, reason }] : [];
      });

const isWork = ({ kind, below }: Change): boolean =>
  (kind === "write" || kind === "delete") && below !== undefined && !ours.test(below) && !skipped(below);

const skipped = (below: string): boolean =>
  [made, output].some((place) => place.test(`${below}/`)) || hidden.test(below) || plan.test(below);

const isCode = ({ below }: Change): boolean => !document.test(below!);

/** Whether the program that made the change runs before the test runner in the same command. */
function precedes({ shell }: Facts, { by }: Change): boolean {
  const commands = shell?.commands ?? [];
  const writer = commands.findLastIndex((c) => c.program === by);
  const runner = commands.findLastIndex((c) => runnerOf(c) !== undefined);
  return writer >= 0 && writer < runner;
}
