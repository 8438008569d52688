// interlock sred: R&D tax evidence (SR&ED) from commits. One file per sub-command in ../lib/sred/.
import { UsageError, unknownWord } from "../lib/args.js";
import { wrapUsage } from "../lib/wrap.js";

interface SubCommand {
  summary: string;
  load(): Promise<{ usage: string; run(args: string[]): Promise<number> }>;
}

const subCommands: Record<string, SubCommand> = {
  check: {
    summary: "check a commit message or the commits of a range; for commit-msg hooks and CI",
    load: () => import("../lib/sred/check.js"),
  },
  suggest: {
    summary: "the project and type suggested for what is staged",
    load: () => import("../lib/sred/suggest.js"),
  },
  squash: {
    summary: "one message for the commits of a range, with all trailers in the last paragraph",
    load: () => import("../lib/sred/squash.js"),
  },
  relink: {
    summary: "find rewritten commits again by their patch",
    load: () => import("../lib/sred/relink.js"),
  },
  list: {
    summary: "commits that name an SR&ED project, one line each",
    load: () => import("../lib/sred/sred-list.js"),
  },
  projects: {
    summary: "SR&ED project identifiers in the history, with their number of commits",
    load: () => import("../lib/sred/sred-projects.js"),
  },
  report: {
    summary: "evidence of a period: html, md, csv, json, or a zip that verifies itself",
    load: () => import("../lib/sred/sred-report.js"),
  },
  "install-hook": {
    summary: "install the commit-msg hook beside what is there; --remove takes it out",
    load: () => import("../lib/sred/install-hook.js"),
  },
};

const width = Math.max(...Object.keys(subCommands).map((name) => name.length));

export const usage = `Usage: interlock sred <command> [options]

${Object.entries(subCommands)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

interlock sred <command> --help shows a command's own options. docs/sred.md explains trailers, types and the gate.
`;

export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    console.log(wrapUsage(usage));
    return 0;
  }
  if (name === undefined) throw new UsageError(`say which command\n${usage}`);
  const command = Object.hasOwn(subCommands, name) ? subCommands[name] : undefined;
  if (!command) throw unknownWord("unknown command of sred", name, Object.keys(subCommands), usage);
  return (await command.load()).run(rest);
}
