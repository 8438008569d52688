// Which language a script is written in, by its first line or its name.
// Invariant: a text no rule recognises is a shell script, as for the shell that runs it; binaries are none.
import type { Language } from "../analyze/tool.js";

type ScriptLanguage = "shell" | Language;

const interpreters: Readonly<Record<string, ScriptLanguage>> = {
  ...spoken("shell", "sh bash dash ash ksh zsh"),
  ...spoken("python", "python"),
  ...spoken("node", "node deno bun"),
  ...spoken("ruby", "ruby"),
  ...spoken("perl", "perl"),
  ...spoken("php", "php"),
  ...spoken("awk", "awk gawk"),
  ...spoken("sed", "sed"),
  ...spoken("powershell", "pwsh"),
};

const extensions: Readonly<Record<string, ScriptLanguage>> = {
  ...spoken("shell", "sh bash zsh"),
  ...spoken("python", "py"),
  ...spoken("node", "js mjs cjs ts"),
  ...spoken("ruby", "rb"),
  ...spoken("perl", "pl"),
  ...spoken("php", "php"),
  ...spoken("awk", "awk"),
  ...spoken("powershell", "ps1"),
};

function spoken(language: ScriptLanguage, names: string): Record<string, ScriptLanguage> {
  return Object.fromEntries(names.split(" ").map((name) => [name, language]));
}

export function scriptLanguage(text: string, path: string | undefined): ScriptLanguage | undefined {
  const shebang = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*\/)?([a-z]+)/.exec(text)?.[1];
  if (shebang) return interpreters[shebang];
  const extension = /\.([a-z]+)$/i.exec(path ?? "")?.[1]?.toLowerCase();
  if (extension && extensions[extension]) return extensions[extension];
  // Without a first line that says so the calling shell runs the file itself; binaries carry bytes no script has.
  return text.includes("\0") || text.includes("\ufffd") ? undefined : "shell";
}
