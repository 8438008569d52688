// interlock update: asks the npm registry for a newer version, and says how to get it.
// Invariant: nothing else in Interlock asks the network for versions; this does only when it is typed.
import { version } from "../../hook/folders.js";
import { execute } from "../../hosts/claude-code/install/installed-client.js";
import { atLeast } from "../../hosts/claude-code/install/own-entries.js";
import { parseOptions } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock update [--json]

  Looks for a newer version with npm; installs nothing. Exit code 1 if there is one.
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag" }, usage);
  const newest = await withProgress("asking npm", published);
  if (newest === undefined) {
    if (values.json) printJson({ version, newest: null });
    sayError("interlock: npm did not say which version is the newest; try: npm view agent-interlock version");
    return 3;
  }
  const newer = !atLeast(version, newest);
  const command = "npm install -g agent-interlock && interlock init";
  if (values.json) printJson({ version, newest, newer, ...(newer && { command }) });
  else say(newer ? `${newest} is out, this is ${version}. Update: ${command}` : `${version} is the newest.`);
  return newer ? 1 : 0;
}

async function published(): Promise<string | undefined> {
  try {
    return /^\d+\.\d+\.\d+\S*/.exec((await execute("npm", ["view", "agent-interlock", "version"])).trim())?.[0];
  } catch {
    return undefined; // no npm, no network, or not published
  }
}
