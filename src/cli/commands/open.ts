// interlock open: the documentation that came with this version; nothing is fetched.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../model/text.js";
import { atMost, parseOptions, unknownWord } from "../lib/args.js";
import { packageDir, printJson } from "../lib/current-project.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock open [<page>] [--json]      such as: interlock open discipline

  Without a page: the README and the list of pages. Without a terminal, only the path is printed.
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { json: "flag" }, usage, "words");
  atMost(words, 1, usage);
  const pages = pagesIn(packageDir());
  const [name] = words;
  if (!Object.keys(pages).length) {
    sayError("interlock: this copy has no documentation. Read it at https://www.npmjs.com/package/agent-interlock");
    return 1;
  }
  if (name !== undefined && !pages[name]) throw unknownWord("no page is called", name, Object.keys(pages), usage);
  const file = pages[name ?? "README"]!;
  if (values.json) printJson({ file, pages });
  else say(file);
  if (name === undefined && !values.json) sayError(pageList(Object.keys(pages)));
  if (process.stdout.isTTY && !values.json) show(file);
  return 0;
}

/** There is a page for every gate, too many to list. */
function pageList(names: readonly string[]): string {
  const [gates, others] = [true, false].map((of) => names.filter((name) => name.startsWith("gates/") === of));
  return `Pages: ${others!.join(", ")}, and ${counted(gates!.length, "page")} such as ${gates!.at(-1) ?? ""}`;
}

function pagesIn(folder: string): Record<string, string> {
  const named = (dir: string, prefix = ""): [string, string][] =>
    existsSync(dir)
      ? readdirSync(dir)
          .filter((name) => name.endsWith(".md"))
          .map((name) => [prefix + name.slice(0, -3), join(dir, name)])
      : [];
  const readme: [string, string][] = existsSync(join(folder, "README.md"))
    ? [["README", join(folder, "README.md")]]
    : [];
  return Object.fromEntries([
    ...readme,
    ...named(join(folder, "docs")),
    ...named(join(folder, "docs/gates"), "gates/"),
  ]);
}

function show(file: string): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(program!, [...args, file], { stdio: "ignore", detached: true });
  child.on("error", () => {}); // no viewer: the path is printed
  child.unref();
}
