// Archives while a tool call is followed: listed once per analysis, and what comes out of them.
// Invariant: an archive this text itself makes is not listed; reading one costs work like everything else.
import { isTemporary } from "../hazards/places.js";
import type { EmittingCall } from "./emit-paths.js";
import { pathEffects } from "./path-effects.js";
import { isInside, resolvePath } from "./paths.js";
import type { Arg, Emit } from "./tool.js";

type Unpacking = Required<Pick<Emit, "archive" | "gitArchive" | "extract" | "stateOf" | "isScratch" | "unpacked">>;

export function unpacker({ analyzer, context, call }: EmittingCall, self: () => Emit): Unpacking {
  // Asked for only where it is needed: an analysis that looked at the disk is not kept.
  const disk = () => analyzer.options.archives?.();
  const here = context.remote === undefined && !context.views?.length;
  const at = (target: Arg): string | undefined => {
    const path = target.value === undefined || target.glob ? undefined : resolvePath(context.scope.cwd, target.value);
    return path === undefined || analyzer.written.has(path) || !here ? undefined : path;
  };

  return {
    archive(file, options) {
      const path = at(file);
      const archives = path === undefined ? undefined : disk();
      if (path === undefined || !archives) return undefined;
      return analyzer.listed(`${path} ${options?.ignoreZeros ?? false}`, () => {
        const found = archives.list(path, options);
        analyzer.spend(context, 4 + ((found?.bytes ?? 0) >> 11) + ((found?.listing.entries.length ?? 0) >> 3));
        return found?.listing;
      });
    },

    gitArchive({ argv, cwd }) {
      const asked = archivedTree(argv);
      const folder = asked && resolvePath(cwd, asked.folder);
      const archives = folder === undefined || !here ? undefined : disk();
      if (!asked || folder === undefined || !archives) return undefined;
      return analyzer.listed(`git ${folder} ${asked.tree} ${asked.paths.join(" ")} ${asked.prefix}`, () => {
        const entries = archives.treeFiles(folder, asked.tree, asked.paths);
        analyzer.spend(context, 20 + ((entries?.length ?? 0) >> 3));
        return entries && { entries: entries.map((entry) => ({ ...entry, name: asked.prefix + entry.name })) };
      });
    },

    extract: (listing, extraction) => disk()?.extract(listing, extraction, self()) ?? false,

    stateOf(target) {
      const path = at(target);
      return path === undefined ? undefined : disk()?.stateOf(path);
    },

    isScratch(folder) {
      const path = folder.value === undefined ? undefined : resolvePath(context.scope.cwd, folder.value);
      const { root, cwd } = analyzer.options;
      const project = root ?? cwd;
      return path !== undefined && isTemporary(path) && !isInside(path, project) && !isInside(project, path);
    },

    unpacked(target, reason, extra, link) {
      pathEffects(analyzer, context, "write", target, reason, { by: call.name, ...extra });
      const path = target.value === undefined ? undefined : resolvePath(context.scope.cwd, target.value);
      if (path === undefined) return;
      analyzer.remember(path, { from: [call.name] });
      const meant = link === undefined ? undefined : resolvePath(path.replace(/\/[^/]*$/, "") || "/", link);
      if (meant && meant !== path && analyzer.links.size < 64) analyzer.links.set(path, meant);
    },
  };
}

/** `git -C dir archive --prefix=x/ HEAD src`: a tree of this repository, or undefined. */
function archivedTree(
  argv: readonly (string | undefined)[],
): { folder: string; tree: string; prefix: string; paths: string[] } | undefined {
  if (argv.some((word) => word === undefined)) return undefined;
  const words = argv as string[];
  let folder = ".";
  let at = 0;
  for (; words[at]?.startsWith("-"); at++)
    if (words[at] === "-C") folder = words[++at] ?? ".";
    else if (words[at] === "-c") at++;
    else return undefined;
  if (words[at] !== "archive") return undefined;
  let prefix = "";
  const operands: string[] = [];
  for (at++; at < words.length; at++) {
    const word = words[at]!;
    if (/^--(?:remote|exec|add-file|add-virtual-file)\b|^-o|^--output\b/.test(word)) return undefined;
    if (word === "--prefix") prefix = words[++at] ?? "";
    else if (word === "--format") at++;
    else if (word.startsWith("--prefix=")) prefix = word.slice(9);
    else if (!word.startsWith("-")) operands.push(word);
  }
  const [tree, ...paths] = operands;
  return tree === undefined ? undefined : { folder, tree, prefix, paths };
}
