// The changes of a call that gates treat as edits: project files, and effects that cannot be determined.
// Invariant: scratch files, build output, test runs, research commands and Interlock's own commands are not edits;
// commits are judged elsewhere.
import { join, resolve } from "node:path";
import { belowRoot, type Change, scratch } from "../../facts/changes.js";
import { writesByName } from "../../facts/effects.js";
import type { Facts } from "../../facts/index.js";
import { setOf } from "../../facts/lazy-pattern.js";
import type { ProgramCall } from "../../facts/test-runners.js";
import { matchCompiled } from "../../project/globs.js";
import { type DisciplineOptions, researchCategories } from "./discipline-options.js";
import { matchesName, startsWithAnyOf } from "./name-patterns.js";
import { onlyStep } from "./session/startup-steps.js";

/** Cached per event: nearly every gate of the pack asks, and the pack has one configuration. */
export const editsOf = (facts: Facts, config: DisciplineOptions): readonly Change[] =>
  // The user configured the start-up steps, so they may change files; the changes are compared afterwards.
  facts.event.kind === "tool.before" && onlyStep(config.startup.steps, facts)
    ? []
    : facts.once("discipline/edits-only", () => changesIn(facts, config).filter((c) => !isMotion(c, facts)));

/**
 * An empty folder, committed content that git puts in place, git's own settings, an installed program, a program that
 * is only asked.
 */
const isMotion = (c: Change, facts: Facts): boolean =>
  c.by === "mkdir" ||
  c.committed === true ||
  (c.by === "git" && /^\.git(?:\/|$)/.test(c.below ?? "")) ||
  (c.kind === "unknown" && (isInstalled(c) || isPlugin(c, facts) || onlyAsks(c, facts)));

/**
 * A program by its name alone, with no program text that the agent could have written. Most look or check; what it
 * changes all the same is seen after the call.
 */
const isInstalled = ({ programs }: Change): boolean =>
  programs !== undefined && programs.length > 0 && programs.every((p) => p.path === undefined);

/** A script of a plug-in that the user has installed in the client. */
function isPlugin({ shown }: Change, { world, event }: Facts): boolean {
  const path = shown.replace(/^(["'])(.*)\1$/, "$2");
  const plugins = join(world.userHome, ".claude", "plugins");
  return belowRoot(plugins, resolve(event.cwd, path)) !== undefined && !path.includes("..");
}

const asking = new RegExp(
  "^(?:list|ls|show|status|view|get|explain|info|version|help|describe|search|find|doctor|logs?|diff|print|dump" +
    "|inspect|query|whoami|stats?|tree|history|ps|top|report|summary|preview|plan|outdated|graph|which|env|--help|-h" +
    "|--version|-V|--?(?:get|list|show|status|info|print)[\\w-]*|(?:get|list|show)-[a-z]+|[a-z]+-(?:status|info|version))$",
);

/** `pnpm --filter api dev` runs the project, as its tests do. */
const packageManager = /^(?:npm|pnpm|yarn|bun|make|just|task|turbo|nx|mise)$/;
/** A file by its path; a program text is more than that. */
const plainPath = /^[\w@./-]+\.\w+$/;
const serving = /^(?:dev|start|serve|preview|storybook|run|up)(?::[\w-]+)?$/;

/** What stands beside a program without changing anything. */
const bystanders = setOf("which type command cd echo printf head tail cat grep sort wc true");

/** The project's own program, asked for what it knows: `./bin/tool list`, `node dist/cli.js --help`. */
function onlyAsks({ shown, programs }: Change, { shell }: Facts): boolean {
  const written = shell?.commands.filter((c) => c.depth === 0) ?? [];
  const named = programs ?? written.filter((c) => c.argv.includes(shown));
  // Nothing is named where the program's own text is what nobody can see through.
  const called: readonly ProgramCall[] = named.length ? named : written.filter((c) => !bystanders.has(c.program));
  return (
    called.length > 0 &&
    (named.length > 0 || (called.length === 1 && called[0]!.path === undefined)) &&
    called.every(({ program, argv }) => {
      const isServing = packageManager.test(program) && argv.some((w) => w !== undefined && serving.test(w));
      if (named.length > 0 && isServing) return true;
      const file = named.length ? argv.indexOf(shown) : argv.findIndex((w) => w !== undefined && plainPath.test(w));
      const words = argv.slice(file + 1);
      return (
        words.includes("--help") ||
        asking.test(words.find((w) => w === undefined || !w.startsWith("-")) ?? words[0] ?? "")
      );
    })
  );
}

const formatters = setOf(`
  prettier biome gofmt gofumpt goimports black isort ruff rustfmt dprint stylua shfmt clang-format swiftformat ktlint
  swift-format yapf autopep8 oxfmt taplo`);

/** A formatter's change: there is nothing to find out before it, and nothing to test after it. */
export const isLayout = ({ by }: Change): boolean => by !== undefined && formatters.has(by);

/** Deleting what the agent made itself in this session loses nothing of anybody's. */
export const withoutOwn = (edits: readonly Change[], made: readonly string[] = []): readonly Change[] =>
  edits.filter((c) => !(c.kind === "delete" && c.below !== undefined && made.includes(c.below)));

/** The same, including what start-up steps change. */
export const changesIn = (facts: Facts, config: DisciplineOptions): readonly Change[] =>
  facts.once("discipline/edits", () => deriveEdits(facts, config));

function deriveEdits(facts: Facts, config: DisciplineOptions): Change[] {
  const { userHome } = facts.world;
  return [...facts.changes, ...strangers(facts)].filter((c) => {
    if (c.kind === "commit" || c.kind === "push" || scratch(c, userHome)) return false;
    if (
      c.below !== undefined &&
      (matchCompiled(config.outputs, c.below) || matchCompiled(config.outputs, `${c.below}/.`))
    )
      return false;
    if (c.kind === "unknown" && c.programs?.length && c.programs.every((p) => declared(p, config, facts))) return false;
    return !(c.kind === "unknown" && researchServer(facts, config));
  });
}

/** A program in scratch space may be anything, whatever its name. */
function strangers({ shell, world: { project, userHome } }: Facts): Change[] {
  return (shell?.commands ?? []).flatMap(({ path }) =>
    path !== undefined && inScratch(path, project.root, userHome)
      ? [{ kind: "unknown", shown: path, reason: "a program in scratch space" }]
      : [],
  );
}

/** Programs the configuration names for research, verification and the like; not a namesake in scratch space. */
const declared = (
  program: ProgramCall,
  { research, startup, verify, release }: DisciplineOptions,
  facts: Facts,
): boolean => {
  const { userHome, project } = facts.world;
  const is = (list: readonly string[]) => startsWithAnyOf(program, list, project.root);
  if (program.path !== undefined && inScratch(program.path, project.root, userHome)) return false;
  return (
    /^(?:agent-)?interlock$/.test(program.program) ||
    is(verify.commands) ||
    is(startup.steps.flatMap((s) => s.run ?? [])) ||
    release.rules.some((r) => is([...r.producers, ...r.verifiers, ...r.publishers].map(fixedWords))) ||
    researchCategories.some((c) => is(research[c].commands))
  );
};

const fixedWords = (pattern: string): string => pattern.replace(/\s+(?:-\S+\s+)?\{.*$/, "");

/** A home that lies below the temporary folder is still a home, with programs installed in it. */
const inScratch = (path: string, root: string, userHome: string): boolean =>
  belowRoot(userHome, path) === undefined &&
  scratch({ kind: "write", path, below: belowRoot(root, path), shown: path, reason: "" }, userHome);

function researchServer({ event }: Facts, { research }: DisciplineOptions): boolean {
  const mcp = event.tool?.mcp;
  if (!mcp || writesByName(mcp.tool)) return false;
  return researchCategories.some((c) => research[c].mcp.some((pattern) => matchesName(pattern, mcp.server)));
}

/** "edit src/a.ts" or "Bash: change src/a.ts and 2 more". */
export function describeEdits(facts: Facts, edits: readonly Change[]): string {
  const { tool } = facts.event;
  const [first] = edits;
  const more = edits.length > 1 ? ` and ${edits.length - 1} more` : "";
  if (tool?.kind === "shell" || tool?.kind === "mcp" || tool?.kind === "script") {
    const verb =
      first?.kind === "unknown"
        ? "a command with effects that can't be known:"
        : first?.kind === "delete"
          ? "delete"
          : "change";
    return `${tool.name}: ${verb} ${first?.shown ?? ""}${more}`;
  }
  return `${tool?.name ?? "change"} ${first?.shown ?? ""}${more}`;
}
