// Which files of a call changed as code: not by remarks, layout, looks or a version number alone.
// Invariant: what can't be told apart counts as code.
import type { Facts } from "../../../facts/index.js";
import type { Project } from "../../../model/gate.js";
import { matchCompiled } from "../../../project/globs.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf, isLayout } from "../edits.js";

const remark = /(^|\s)(?:\/\/|#(?!\[|include|define|if|else|endif|pragma|!)|--\s|;;).*$|\/\*[^]*?\*\/|^\s*\*.*$/gm;
const withoutRemarks = (text: string): string => text.replace(remark, "$1").replace(/\s+/g, " ").trim();

/** In a language in which a line break says nothing: the same but for layout, and the same texts. */
function sameButLayout(path: string, old: string, now: string): boolean {
  if (!/\.(?:[cm]?[jt]sx?|rs|go|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|dart|scala|zig)$/i.test(path)) return false;
  const [was, is] = [old, now].map((text) => ({
    code: withoutRemarks(text)
      .replace(/\s*([{}()[\],;<>|&=+*/.:?!-])\s*/g, "$1")
      .replace(/,([)\]}>])/g, "$1"),
    texts: (text.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g) ?? []).join("\n"),
  }));
  return was!.code === is!.code && was!.texts === is!.texts;
}

/** An edit of comments and layout alone. */
function onlyRemarks({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" ? tool.edits : undefined;
  return (
    !!edits?.length &&
    edits.every(
      (e) =>
        e.old !== e.new &&
        (withoutRemarks(e.old) === withoutRemarks(e.new) ||
          sameButLayout(String(tool?.input["file_path"] ?? ""), e.old, e.new)),
    )
  );
}

const markup = /\.(?:tsx|jsx|vue|svelte|astro|html?)$/i;
const presented =
  /\bclass(?:Name)?=(?:"[^"]*"|'[^']*'|\{`[^`$]*`\})|"(?:[A-Z][^"\n]*|[^"\n]* [^"\n]*)"|>[^<>{}=;()]*(?=<|$)/g;
const withoutLooks = (text: string): string => text.replace(presented, " _ ").replace(/\s+/g, " ").trim();

/** A part of a list of classes: `text-center sm:text-xl`. */
const onlyClasses = (text: string): boolean =>
  /^\s*(?:[\w:/.[\]%#-]+\s+)*[\w:/.[\]%#-]+\s*$/.test(text) && /\w-\w/.test(text);

/** An edit of a page that changes classes and words a person reads, and nothing else. */
function onlyLooks({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" && markup.test(String(tool.input["file_path"] ?? "")) ? tool.edits : undefined;
  const looks = (e: { old: string; new: string }) =>
    withoutLooks(e.old) === withoutLooks(e.new) || (onlyClasses(e.old) && onlyClasses(e.new));
  return !!edits?.length && edits.every((e) => e.old !== e.new && looks(e));
}

export const manifest = /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|pubspec\.yaml|\.?mise\.toml)$/;
const ownVersion = /^\s*(?:"version"\s*:|version\s*[:=]|go\s|toolchain\s)\s*["']?(?:go)?\d[\w.+-]*["']?,?\s*$/;

/** A release's number or the language's in a manifest: no line of code is another for it. */
export function onlyVersion({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" && manifest.test(String(tool.input["file_path"] ?? "")) ? tool.edits : undefined;
  const bare = (text: string) => text.replace(/\s*"version"\s*:\s*"[^"]*",?/g, "");
  const same = (old: string, now: string) => bare(old) === bare(now) || versionOnly(old.split("\n"), now.split("\n"));
  return !!edits?.length && edits.every((e) => !e.all && same(e.old, e.new));
}

const versionOnly = (old: readonly string[], now: readonly string[]): boolean =>
  old.length === now.length &&
  old.every((line, i) => line === now[i] || (ownVersion.test(line) && ownVersion.test(now[i]!)));

/** Changed files that need verification: text files that exist, and deleted files with an extension; no folders. */
export function changedCode(facts: Facts, options: DisciplineOptions, project: Project): string[] {
  if (onlyRemarks(facts) || onlyLooks(facts) || onlyVersion(facts)) return [];
  const byShell = facts.event.tool?.kind === "shell";
  return editsOf(facts, options).flatMap((change) => {
    const { kind, below, broad } = change;
    // By a package manager, or a version that a command puts in: nothing says that code is another for it.
    if (byShell && below !== undefined && manifest.test(below)) return [];
    if (below === undefined || isLayout(change) || matchCompiled(options.verify.exempt, below)) return [];
    const there = kind === "delete" || broad ? /\.\w+$/.test(below) : project.read(below) !== undefined;
    return there ? [below] : [];
  });
}
