// interlock sred squash: the message of a squash commit, with every trailer of its commits in the last paragraph.
import { execFileSync } from "node:child_process";
import { squashMessage } from "../../../sred/compose.js";
import { parseOptions, UsageError } from "../args.js";
import { withProgress } from "../progress.js";

export const usage = `Usage: interlock sred squash <from>..<to> [--subject <text>]

Prints one message for the commits of the range: their texts, oldest first, then all their trailers, each once, as the
last paragraph. Trailers inside the text of a squash commit are lost to git log.

  --subject <text>   the first line; unless told, that of the oldest commit
  --cwd <folder>     the repository, instead of the current folder

Example:
  interlock sred squash main..HEAD --subject "feat(cache): tiers" | git commit -F -
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { subject: "text", cwd: "text" } as const, usage, "words");
  const [range] = words;
  if (range === undefined || words.length > 1 || range.startsWith("-"))
    throw new UsageError(`give one range of commits\n${usage}`);
  const message = await withProgress("reading the commits", () => {
    const messages = messagesIn(values.cwd ?? process.cwd(), range);
    if (!messages.length) throw new UsageError(`there are no commits in ${range}`);
    return squashMessage(values.subject, messages);
  });
  process.stdout.write(message);
  return 0;
}

/** Oldest first, without merges. */
function messagesIn(cwd: string, range: string): string[] {
  const options = ["log", "--reverse", "--no-merges", "--no-show-signature", "--format=%B%x00", range, "--"];
  let log: string;
  try {
    log = execFileSync("git", ["-C", cwd, ...options], { encoding: "utf8", maxBuffer: 1 << 30, stdio: "pipe" });
  } catch (error) {
    throw new UsageError(`git can't read ${range}: ${String((error as { stderr?: string }).stderr ?? error).trim()}`);
  }
  return log
    .split("\0")
    .map((message) => message.trim())
    .filter(Boolean);
}
