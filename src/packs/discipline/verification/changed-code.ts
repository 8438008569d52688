// Which files of a call changed as code: not by remarks, layout, looks or a version number alone.
// Invariant: what can't be told apart counts as code.
import type { Facts } from "../../../facts/index.js";
import { lazyRegExp } from "../../../facts/lazy-pattern.js";
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

/** Python and Perl keep documentation in the code; a docstring with examples is a test. */
function withoutDocumentation(path: string, text: string): string {
  if (/\.pyi?$/.test(path))
    return text.replace(/^([^\n]*?)[rRuU]?("""|''')([^]*?)\2([^\n]*)$/gm, (whole, before, _quote, said, behind) =>
      `${before}${behind}`.trim() === "" && !said.includes(">>>") ? "" : whole,
    );
  return text.replace(/^=[a-z]\w*\b[^]*?(?:^=cut\b.*$|$(?![^]))/gm, "");
}

/** An edit of documentation in the code: what was there before is told by putting the old text back. */
function onlyDocumentation({ event: { tool }, targets }: Facts, project: Project): boolean {
  const [path] = targets.map((t) => t.path);
  if (tool?.kind !== "edit" || !tool.edits?.length || !/\.(?:pyi?|p[lm]|pod)$/.test(path ?? "")) return false;
  const now = project.read(path!);
  if (now === undefined || tool.edits.some((e) => e.all || e.new === "" || !now.includes(e.new))) return false;
  const was = tool.edits.reduceRight((text, e) => text.replace(e.new, () => e.old), now);
  return was !== now && withoutDocumentation(path!, was).trim() === withoutDocumentation(path!, now).trim();
}

const markup = /\.(?:tsx|jsx|vue|svelte|astro|html?)$/i;
const styleSheet = /<link\b[^>]*\brel="(?:stylesheet|icon)"[^>]*>/g;
const presented =
  /\bclass(?:Name)?=(?:"[^"]*"|'[^']*'|\{`[^`$]*`\})|"(?:[A-Z][^"\n]*|[^"\n]* [^"\n]*)"|>[^<>{}=;()]*(?=<|$)/g;
const withoutLooks = (text: string): string =>
  text
    .replace(styleSheet, "")
    .replace(presented, " _ ")
    .replace(/\s+/g, " ")
    .replace(/_(?: _)+/g, "_")
    .trim();

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
const ownVersion = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\s*(?:"version"\s*:|(?:[\w$*; ]*[^\w-])?(?:__)?version(?:__)?\s*:?[:=]|go\s|toolchain\s)\s*` +
        String.raw`["']?(?:go)?\d[\w.+-]*["']?[,;]?\s*$`,
      "i",
    ),
);

/** What a package says about itself, and how it is packed. */
const described = lazyRegExp(
  () =>
    new RegExp(
      String.raw`\s*"(?:(?:version|description|license|author|homepage)"\s*:\s*"[^"]*"` +
        String.raw`|(?:engines|repository|bugs|build|publishConfig)"\s*:\s*\{[^{}]*\}` +
        String.raw`|(?:keywords|files)"\s*:\s*\[[^\]]*\]),?`,
      "g",
    ),
);

/** A release's number, the language's, or a description in a manifest: no line of code is another for it. */
export function onlyVersion(facts: Facts): boolean {
  const { tool } = facts.event;
  if (tool?.kind === "shell") return substitutesVersion(facts);
  const edits = tool?.kind === "edit" ? tool.edits : undefined;
  const about = manifest.test(String(tool?.input["file_path"] ?? ""));
  const bare = (text: string) => (about ? text.replace(described(), "") : text);
  const same = (old: string, now: string) => bare(old) === bare(now) || versionOnly(old.split("\n"), now.split("\n"));
  return !!edits?.length && edits.every((e) => !e.all && (about || e.old !== e.new) && same(e.old, e.new));
}

/** `sed -i 's/1.2.0/1.3.0/' src/version.py`, and nothing else is changed. */
function substitutesVersion({ changes, shell }: Facts): boolean {
  const written = changes.filter((c) => c.kind !== "commit" && c.kind !== "push");
  return (
    written.length > 0 &&
    written.every((c) => c.by === "sed") &&
    shell!.commands
      .filter((c) => c.program === "sed")
      .every(({ argv }) => {
        const [script = "", ...files] = argv.filter((w) => w !== "" && !w?.startsWith("-"));
        return (
          isVersionChange(script) && !files.includes(undefined) && !argv.some((w) => /^-[ef]|^--[ef]/.test(w ?? ""))
        );
      })
  );
}

function isVersionChange(script: string): boolean {
  const [, , old = "", now = ""] = /^s([/|#,])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1g?$/.exec(script) ?? [];
  const bare = (text: string) => text.replaceAll("\\", "").replace(/\d+(?:\.\d+)+(?:-[\w.]+)?/g, "\0");
  return bare(old).includes("\0") && bare(old) === bare(now);
}

const versionOnly = (old: readonly string[], now: readonly string[]): boolean =>
  old.length === now.length &&
  old.every((line, i) => line === now[i] || (ownVersion().test(line) && ownVersion().test(now[i]!)));

/** Programs that are given a file to open; whether they change it shows afterwards. */
const isEditor = (by: string | undefined): boolean => /^(?:emacs|emacsclient|n?vim|vi|ex|ed)$/.test(by ?? "");

/**
 * The tree is as it was: a file to be deleted was not there before the call, or it was made by it; an editor only
 * opened one.
 */
const isUntouched = ({ observed }: Facts, path: string): boolean =>
  observed !== undefined && observed.truncated === undefined && !observed.changes.some((c) => c.path === path);

/** Changed files that need verification: text files that exist, and deleted files with an extension; no folders. */
export function changedCode(facts: Facts, options: DisciplineOptions, project: Project): string[] {
  if (onlyRemarks(facts) || onlyLooks(facts) || onlyVersion(facts) || onlyDocumentation(facts, project)) return [];
  const byShell = facts.event.tool?.kind === "shell";
  return editsOf(facts, options).flatMap((change) => {
    const { kind, path, below, broad, by } = change;
    // By a package manager, or a version that a command puts in: nothing says that code is another for it.
    if (byShell && below !== undefined && manifest.test(below)) return [];
    if (below === undefined || isLayout(change) || matchCompiled(options.verify.exempt, below)) return [];
    if ((kind === "delete" || isEditor(by)) && !broad && isUntouched(facts, path!)) return [];
    const there = kind === "delete" || broad ? /\.\w+$/.test(below) : project.read(below) !== undefined;
    return there ? [below] : [];
  });
}
