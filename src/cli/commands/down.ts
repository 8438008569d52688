// interlock down: ends the resident server once it has answered what it was asked.
import { existsSync } from "node:fs";
import { interlockHome } from "../../hook/folders.js";
import { setDown } from "../../hook/start-policy.js";
import { readManifest } from "../../hosts/claude-code/install/install-manifest.js";
import { folderFault } from "../../server/home-preflight.js";
import { parseOptions } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { printJson } from "../lib/current-project.js";
import { yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock down [--stay] [--json]

  --stay  no hook starts it again either, until interlock up; otherwise the next session does
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { home: "text", stay: "flag", json: "flag" }, usage);
  if (person(values.json, "script") === undefined) return 1;
  const home = interlockHome(process.env, values.home);
  const { bringDown } = await import("../../server/start-stop.js");
  const installed = existsSync(home);
  const fault = installed ? folderFault(home) : undefined;
  if (fault) {
    if (values.json) printJson({ ran: false, ...fault });
    sayError(`interlock: no server can run here: ${fault.why}\n  fix: ${fault.fix}`);
    return 1;
  }
  if (installed || values.stay) setDown(home, values.stay ? "up" : "session");
  const ran = await withProgress("ending the server", () => bringDown(home));
  const served = Object.entries(readManifest(home).installs)
    .filter(([, install]) => Object.values(install.handlers).some((handler) => handler["type"] === "http"))
    .map(([file]) => file);
  if (values.json) {
    printJson({ ran, refusedUntilUp: served });
    return 0;
  }
  say(ran ? "Interlock's server has ended." : "No server was running.");
  for (const file of served)
    say(
      yellow(
        `  ${file} calls it: Claude Code refuses every tool call there until interlock up` +
          (values.stay ? "" : " or the next session"),
      ),
    );
  return 0;
}
