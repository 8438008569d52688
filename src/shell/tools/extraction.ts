// Archives that tools take things out of: where the archive comes from, and what is said where it can't be listed.
// Invariant: an extraction that can't be named entry by entry names its folder.
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import type { ArchiveListing, Extraction } from "../archives/archive-disk.js";
import { literal } from "../spec/options.js";

/** Emits what comes out of the archive; false where that is not known. */
export const extracts = (listing: ArchiveListing | undefined, plan: Extraction | undefined, emit: Emit): boolean =>
  listing !== undefined && plan !== undefined && emit.extract?.(listing, plan) === true;

/** All that is known is the folder. */
export const intoFolder = ({ program, target }: Pick<Extraction, "program" | "target">, emit: Emit): void =>
  emit.write(target, `${program} extracts into it`, { recursive: true, glob: true });

/** A member's name below a folder. */
export function below(base: Arg | undefined, member: Arg): Arg {
  if (!base || member.value?.startsWith("/")) return member;
  const known = base.value !== undefined && member.value !== undefined;
  return {
    ...member,
    value: known ? `${base.value}/${member.value}` : undefined,
    prefix: known ? `${base.value}/${member.value}` : base.prefix,
  };
}

/** The name without what leads out of the folder: everything up to its last `..`, and slashes in front. */
export const withoutEscape = (name: string): string => name.replace(/^.*(?:^|\/)\.\.(?=\/|$)/s, "").replace(/^\/+/, "");

export const escapes = (name: string): boolean => /(?:^|\/)\.\.(?:\/|$)/.test(name);

/** Programs whose output is the one file they are given. */
const passes =
  /^(?:cat|gcat|zcat|gzcat|gunzip|gzip|pigz|unpigz|xzcat|xz|unxz|bzcat|bzip2|bunzip2|zstdcat|zstd|unzstd)$/;

/** The archive on standard input, when it is a file, what another program passes on, or what git packs. */
export function archiveOnInput(
  { stdin }: Invocation,
  emit: Emit,
  options?: { ignoreZeros?: boolean },
): ArchiveListing | undefined {
  if (stdin.kind === "file") return emit.archive?.(stdin.path, options);
  if (stdin.kind !== "pipe" || !stdin.command) return undefined;
  const { program, argv } = stdin.command;
  if (program === "git") return emit.gitArchive?.(stdin.command);
  const files = argv.filter((word) => word === undefined || !word.startsWith("-"));
  if (!passes.test(program) || files.length !== 1 || files[0] === undefined) return undefined;
  return emit.archive?.(literal(files[0]), options);
}
