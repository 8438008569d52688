// interlock doctor: looks at everything refusals rest on, proves them by probes, and repairs what it can.
import { chmodSync, renameSync, statSync } from "node:fs";
import { type Checkup, checkup, type Line } from "../../health/checkup.js";
import type { Opened } from "../../hook/open-project.js";
import { options } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { driftLines } from "../lib/drift.js";
import { dim, green, red, yellow } from "../lib/paint.js";
import { versionTable } from "../lib/version-table.js";

export const usage = `Usage: interlock doctor [--fix] [--live] [--json]

  --fix  registers missing, outdated or failing hooks again where they are registered, starts or renews the server, takes disableAllHooks out
         of your settings and closes folders that others can read; the record and interlock.yaml are yours alone
  --live runs the installed Claude Code in a throw-away home and project, on a scripted model without network, and proves that it is stopped
`;

export async function run(args: string[]): Promise<number> {
  const { values } = options(args, { fix: "flag", live: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  const opened = await openHere(values);
  let { lines, versions } = await look(opened);
  if (values.fix && lines.some((l) => !l.ok && l.repair)) {
    await repair(lines, opened.home, values.home);
    ({ lines, versions } = await look(await openHere(values)));
  }
  if (values.live) lines.push(...(await live(opened, process.env)));
  const bad = lines.filter((l) => !l.ok);
  const code = bad.some((l) => l.tampering) ? 4 : bad.some((l) => !l.mild) ? 1 : 0;
  if (values.json) {
    printJson({ ok: code === 0, lines, versions });
    return code;
  }
  for (const line of lines) {
    const mark = line.ok ? green("ok  ") : line.mild ? yellow("note") : red("BAD ");
    console.log(`${mark} ${line.area.padEnd(13)} ${line.what}`);
    if (!line.ok && line.fix) console.log(dim(`                   fix: ${line.fix}`));
  }
  console.log(versionTable(versions));
  console.log(
    code === 0 ? green("Refusals hold here.") : red(`${bad.filter((l) => !l.mild).length} thing(s) to repair.`),
  );
  return code;
}

async function look(opened: Opened): Promise<Checkup> {
  const { post } = await import("../../server/client.js");
  const { running, versionOf } = await import("../../server/start-stop.js");
  const up = await running(opened.home);
  return checkup(
    opened,
    process.env,
    post,
    up && { worker: versionOf(up.about), supervisor: String(up.about.version) },
    driftLines,
  );
}

async function live(opened: Opened, env: NodeJS.ProcessEnv): Promise<Line[]> {
  console.error("running Claude Code on a scripted model ...");
  const { liveLines } = await import("../../health/live-proof.js");
  const { serveForProof } = await import("../../server/choose-door.js");
  return liveLines(opened, env, serveForProof);
}

async function rewrite(home: string, file: string, change: (text: string) => string, did: string): Promise<void> {
  const { keepCopy } = await import("../../hosts/claude-code/install/install-manifest.js");
  const { readText, replaceText } = await import("../../hosts/claude-code/settings/settings-files.js");
  const before = readText(file) ?? "{}";
  const copy = keepCopy(home, file, before, new Date());
  replaceText(file, change(before));
  console.error(`${did} ${file} (as it was: ${copy})`);
}

type Doing = NonNullable<Line["repair"]>;

/** Each repair once, in an order in which the later ones can rely on the earlier: folders, switches, the server, the entries. */
async function repair(lines: readonly Line[], home: string, given: string | undefined): Promise<void> {
  const wanted = new Map<string, Doing>();
  for (const line of lines) if (!line.ok && line.repair) wanted.set(JSON.stringify(line.repair), line.repair);
  const of = <K extends Doing["do"]>(what: K) =>
    [...wanted.values()].filter((r): r is Extract<Doing, { do: K }> => r.do === what);
  for (const { path } of of("aside")) {
    renameSync(path, `${path}.old`);
    console.error(`moved ${path} to ${path}.old`);
  }
  for (const { path } of of("close")) {
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    console.error(`closed ${path} to others`);
  }
  const { removePath, strictText } = await import("../../hosts/claude-code/settings/edit-settings.js");
  const enabled = (text: string) => removePath(removePath(text, "disableAllHooks"), "env", "CLAUDE_CODE_SIMPLE");
  for (const { file } of of("strict"))
    await rewrite(home, file, strictText, "took comments and trailing commas out of");
  for (const { file } of of("enable")) await rewrite(home, file, enabled, "took what switches hooks off out of");
  for (const { scopes } of of("move")) {
    console.error("moving the server to another port: interlock up --new-port");
    const { bringUp, newDoor } = await import("../../server/start-stop.js");
    newDoor(home);
    await bringUp(home, process.argv[1]!);
    for (const scope of scopes) wanted.set(`moved ${scope}`, { do: "register", scope });
    const { readManifest } = await import("../../hosts/claude-code/install/install-manifest.js");
    console.error(
      `the old address is in ${Object.keys(readManifest(home).installs).join(", ")}; run interlock init there`,
    );
  }
  if (of("anew").length) {
    console.error("ending a server that does not answer: interlock down");
    await (await import("../../server/start-stop.js")).bringDown(home);
  }
  if (of("up").length + of("anew").length) {
    console.error("starting the server: interlock up");
    const { bringDown, bringUp } = await import("../../server/start-stop.js");
    const first = await bringUp(home, process.argv[1]!);
    if ("why" in first && (await bringDown(home))) await bringUp(home, process.argv[1]!);
  }
  const registrations = of("register");
  for (const scope of new Set(registrations.map((r) => r.scope ?? "project"))) {
    const door = registrations.find((r) => (r.scope ?? "project") === scope && r.door)?.door;
    console.error(`registering again: interlock init --yes --scope ${scope}${door ? ` --door ${door}` : ""}`);
    const { install } = await import("./init.js");
    await install({ yes: true, home: given, scope, door }, (text) => console.error(text));
  }
}
