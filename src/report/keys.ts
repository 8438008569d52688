// API keys: from the environment, or from a file of NAME=value lines that only its owner can read.
// Invariant: a file that others can read is refused, and a key's value is never in a message.
import { statSync } from "node:fs";
import { shellQuote } from "../model/shell-quote.js";
import { readBoundedText } from "../project/bounded-read.js";

export interface Keys {
  /** The value; throws a sentence that names the key where there is none. */
  need(name: string): string;
}

export class MissingKey extends Error {}

export function readKeys(file: string | undefined, env: NodeJS.ProcessEnv): Keys {
  let problem = "";
  let values: ReadonlyMap<string, string> = new Map();
  if (file !== undefined) {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) problem = `there is no key file ${file}`;
    else if (!stat.isFile()) problem = `${file} is no file`;
    else if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
      problem = `${file} can be read by others, so it was not used: chmod 600 ${shellQuote(file)}`;
    else if (process.getuid && stat.uid !== process.getuid()) problem = `${file} belongs to another user`;
    else
      try {
        values = parseKeys(readBoundedText(file, 64 * 1024));
      } catch (error) {
        problem = `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
      }
  }
  return {
    need(name) {
      const value = (env[name] || values.get(name))?.trim();
      if (value && !/^[\x21-\x7e]+$/.test(value))
        throw new MissingKey(
          `the key ${name} holds characters that no key has: blanks, line breaks or letters with accents`,
        );
      if (value) return value;
      throw new MissingKey(
        `no key ${name}${problem ? `: ${problem}` : ": set it in the environment or in the key file"}`,
      );
    },
  };
}

/** `NAME=value`, `export NAME="value"`; comments and blank lines are skipped. Nothing is expanded or run. */
export function parseKeys(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match) continue;
    const quoted = /^(["'])(.*)\1$/.exec(match[2]!);
    found.set(match[1]!, quoted ? quoted[2]! : match[2]!.replace(/\s+#.*$/, ""));
  }
  return found;
}
