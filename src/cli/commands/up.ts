// interlock up: starts the resident server in the background, one per user; a second run says that it runs.
import { realpathSync } from "node:fs";
import { interlockHome } from "../../hook/folders.js";
import { readAddress } from "../../hook/server-address.js";
import { calledOverHttp } from "../../hook/start-server.js";
import { readManifest } from "../../hosts/claude-code/install/install-manifest.js";
import { draftAddress, writeAddress } from "../../server/new-address.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { printJson } from "../lib/current-project.js";
import { dim, green, red, yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock up [--idle <minutes>] [--new-port] [--json]

  --idle      end the server after so many minutes without an event; 0: never (the default).
              Hooks of type http refuse everything while it is down
  --new-port  take another port and token; run interlock init again wherever Interlock is installed
`;

const aYear = 366 * 24 * 60;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { home: "text", idle: "text", "new-port": "flag", json: "flag" }, usage);
  const home = interlockHome(process.env, values.home);
  const { bringDown, bringUp, changeAddress, versionOf } = await import("../../server/start-stop.js");
  const idleMinutes = values.idle === undefined ? undefined : Number(values.idle);
  if (idleMinutes !== undefined && !(Number.isInteger(idleMinutes) && idleMinutes >= 0 && idleMinutes <= aYear))
    throw new UsageError(`--idle is a whole number of minutes up to ${aYear}, not "${values.idle}"\n${usage}`);
  if (values["new-port"] || idleMinutes !== undefined) {
    // Both can leave every project with hooks that nobody answers.
    if (person(values.json, "script") === undefined) return 1;
    await bringDown(home);
  }
  if (values["new-port"]) changeAddress(home);
  if (idleMinutes !== undefined) writeAddress(home, { ...(readAddress(home) ?? draftAddress(home)), idleMinutes });
  const up = await withProgress("starting the server", () => bringUp(home, realpathSync(process.argv[1]!)));
  if ("why" in up) {
    if (values.json) printJson({ up: false, ...up });
    sayError(`${red(`interlock: ${up.why}`)}\n  fix: ${up.fix}`);
    return 1;
  }
  if (values.json) {
    printJson({ up: true, did: up.did, socket: up.door.socket, idleMinutes: up.door.idleMinutes, ...up.about });
    return 0;
  }
  const did = { nothing: "runs already", started: "started", switched: "switched to this version" }[up.did];
  say(
    `${green(`Interlock's server ${did}`)}: process ${up.about.pid}, version ${versionOf(up.about)}, ` +
      `127.0.0.1:${up.door.port}`,
  );
  say(dim(`  log: ${home}/server/log`));
  if (up.door.idleMinutes) {
    const then = calledOverHttp(home) ? yellow(": http hooks refuse then until the next prompt or session") : "";
    say(`  ends after ${up.door.idleMinutes} minutes without an event${then}`);
  }
  if (values["new-port"])
    for (const file of Object.keys(readManifest(home).installs))
      say(`  registered with the old address: ${file}; run interlock init there`);
  return 0;
}
