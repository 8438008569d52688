// interlock doctor: looks at everything refusals rest on, proves them by probes, and repairs what it can.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { checkup, type Line } from "../doors/checkup.js";
import type { Opened } from "../doors/open.js";
import { options } from "./args.js";
import { openHere, printJson } from "./here.js";
import { dim, green, red, yellow } from "./paint.js";

export const usage = `Usage: interlock doctor [--fix] [--live] [--json]

  --fix  register missing hooks again and close folders that others can read; the record and your configuration are never changed
  --live runs the installed Claude Code in a throw-away home and project, on a scripted model without network, and proves that it is stopped
`;

export async function run(args: string[]): Promise<number> {
  const { values } = options(args, { fix: "flag", live: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  const opened = await openHere(values);
  const { post } = await import("../server/client.js");
  let lines = await checkup(opened, process.env, post);
  if (values.fix && lines.some((l) => !l.ok)) {
    await repair(lines, opened.home, values.home);
    lines = await checkup(await openHere(values), process.env, post);
  }
  if (values.live) lines.push(...(await live(opened, process.env)));
  const bad = lines.filter((l) => !l.ok);
  const code = bad.some((l) => l.tampering) ? 4 : bad.some((l) => !l.mild) ? 1 : 0;
  if (values.json) {
    printJson({ ok: code === 0, lines });
    return code;
  }
  for (const line of lines) {
    const mark = line.ok ? green("ok  ") : line.mild ? yellow("note") : red("BAD ");
    console.log(`${mark} ${line.area.padEnd(13)} ${line.what}`);
    if (!line.ok && line.fix) console.log(dim(`                   fix: ${line.fix}`));
  }
  console.log(
    code === 0 ? green("Refusals hold here.") : red(`${bad.filter((l) => !l.mild).length} thing(s) to repair.`),
  );
  return code;
}

async function live(opened: Opened, env: NodeJS.ProcessEnv): Promise<Line[]> {
  console.error("running Claude Code on a scripted model ...");
  const { liveLines } = await import("../doors/live.js");
  const { serveForProof } = await import("../server/choose.js");
  return liveLines(opened, env, serveForProof);
}

async function repair(lines: readonly Line[], home: string, given: string | undefined): Promise<void> {
  for (const path of [home, join(home, "key")]) {
    if (!lines.some((l) => l.area === "folder" && !l.ok && l.what.startsWith(path))) continue;
    chmodSync(path, path === home ? 0o700 : 0o600);
    console.error(`closed ${path} to others`);
  }
  if (lines.some((l) => !l.ok && l.area === "server")) {
    console.error("starting the server: interlock up");
    const { bringDown, bringUp } = await import("../server/lifecycle.js");
    const first = await bringUp(home, process.argv[1]!);
    if ("why" in first && (await bringDown(home))) await bringUp(home, process.argv[1]!);
  }
  if (!lines.some((l) => !l.ok && (l.area === "hooks" || l.area === "probe" || l.area === "settings"))) return;
  console.error("registering again: interlock init --yes");
  const { install } = await import("./init.js");
  await install({ yes: true, home: given }, (text) => console.error(text));
}
