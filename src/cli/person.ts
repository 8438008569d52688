// Asking the person at the terminal. Invariant: no terminal means no; `--yes` is the only other way.
import { createInterface } from "node:readline/promises";

export async function confirm(question: string, yes = false): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    console.error(`${question} There is no terminal to ask; run again with --yes to agree.`);
    return false;
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await line.question(`${question} [y/N] `)).trim());
  } finally {
    line.close();
  }
}
