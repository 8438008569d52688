// interlock uninstall: removes Interlock's entries; the ledger stays.
// Invariant: a settings file nobody else changed is restored byte for byte.

import { rmSync } from "node:fs";
import { eraseEverywhere } from "../../engine/erase-everywhere.js";
import { launcherPath } from "../../health/own-program.js";
import { giveBack } from "../../hook/adopted-hooks.js";
import { applyUninstall, planUninstall } from "../../hosts/claude-code/install/install.js";
import { readManifest } from "../../hosts/claude-code/install/install-manifest.js";
import { applyMcpRemoval, planMcpRemoval } from "../../hosts/claude-code/install/mcp-registration.js";
import {
  applyStatusLineRemoval,
  planStatusLineRemoval,
} from "../../hosts/claude-code/install/statusline-registration.js";
import { lineCounts } from "../../hosts/claude-code/settings/diff.js";
import { counted } from "../../model/text.js";
import { hookPlaces, uninstallTraceHooks } from "../../trace/git-hooks.js";
import { parseOptions } from "../lib/args.js";
import { confirm, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, red } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { scopeNamed } from "../lib/scope-option.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock uninstall [--scope local|project|user] [--all] [--dry-run] [--full]
                           [--yes] [--json]

  --scope    only this settings file; without it, every one that registers Interlock for this project
  --all      also erase what is kept of this project: texts, kept work, looks at the work tree; the ledger stays
  --dry-run  show what would change
  --full     show every line that is removed
  --yes      do not ask
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    {
      scope: "text",
      all: "flag",
      "dry-run": "flag",
      full: "flag",
      yes: "flag",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
  );
  const scope = scopeNamed(values.scope, usage);
  const opened = await openHere(values);
  const places = { projectRoot: opened.repository.root, userHome: opened.userHome, configDir: opened.places.configDir };
  const removals = planUninstall(opened.home, places, scope && [scope]);
  const scopes = scope ? [scope] : (["local", "project", "user"] as const);
  const lines = scopes.flatMap((one) => planStatusLineRemoval(one, places, opened.home) ?? []);
  const mcp = planMcpRemoval(opened.repository.root, opened.home);
  const traced = scope ? [] : hookPlaces(opened.repository.root).filter(({ state }) => state !== "absent");
  const done = (applied: boolean, code: number) => {
    if (values.json)
      printJson({
        applied,
        ledger: opened.folder,
        files: [
          ...removals.map(({ file, way, diff, blocked, after }) => ({
            file,
            way,
            diff,
            blocked,
            removed: after === undefined,
          })),
          ...lines.map(({ file, diff, after }) => ({ file, diff, removed: after === undefined })),
          ...traced.map(({ path, state }) => ({ file: path, removed: state === "own" })),
          ...(mcp ? [{ file: mcp.file, diff: mcp.diff, removed: mcp.after === undefined }] : []),
        ],
      });
    return code;
  };
  if (!removals.length && !mcp && !traced.length && !lines.length && !values.all) {
    if (!values.json) say("Nothing to do: Interlock is not installed here.");
    return done(false, 0);
  }
  for (const r of removals) {
    if (r.blocked) sayError(red(`interlock: ${r.blocked}`));
    if (values.json) continue;
    const restored = "restored byte for byte as it was before Interlock";
    // With the status line the file was changed by us.
    const oursOnly = lines.some(({ file }) => file === r.file);
    const removed = `only Interlock's entries are removed${oursOnly ? "" : "; others changed the file since"}`;
    say(bold(`${r.file}: ${r.way === "restore" ? restored : removed}`));
    showDifference(r.diff, values.full);
  }
  if (mcp && !values.json) {
    say(bold(`${mcp.file}: the MCP server is removed`));
    showDifference(mcp.diff, values.full);
  }
  for (const { file, diff } of values.json ? [] : lines) {
    say(bold(`${file}: the status line is taken out`));
    showDifference(diff, values.full);
  }
  if (traced.length && !values.json)
    say(bold(`git hooks: ours are taken out of ${traced.map(({ hook }) => hook).join(", ")}`));
  if (removals.some((r) => r.blocked)) return done(false, 1);
  if (values["dry-run"]) return done(false, 0);
  if (person(values.json, "script") === undefined) return 1;
  if (!(await confirm("Remove?", values.yes))) return done(false, 1);
  // First what came last: then the files are as the installation left them, and can be restored byte for byte.
  for (const line of lines) applyStatusLineRemoval(line, opened.home);
  applyUninstall(lines.length ? planUninstall(opened.home, places, scope && [scope]) : removals, opened.home);
  if (mcp) applyMcpRemoval(mcp, opened.home);
  if (traced.length) uninstallTraceHooks(opened.repository.root);
  giveBack(
    opened,
    removals.map((r) => r.file),
  );
  await withProgress("ending the server", () => endServer(opened.home));
  if (values.all) {
    const { store, folder, repository } = opened;
    const erased = await withProgress("erasing", () => eraseEverywhere({ store, folder, root: repository.root }, {}));
    if (!values.json)
      say(`Erased: ${erased.texts} texts, ${erased.work.length} kept work trees, ${erased.looks} looks.`);
  }
  if (!values.json) {
    say("Done. No call is judged here any more.");
    const texts = values.all ? "" : "; interlock uninstall --all erases the texts in it";
    say(dim(`The record stays in ${opened.folder}${texts}.`));
  }
  return done(true, 0);
}

/** Short, as `init` shows it: the registration of every event is long and alike. */
function showDifference(diff: string, full: boolean | undefined): void {
  if (full) return console.log(diff.trimEnd());
  const { added, removed } = lineCounts(diff);
  say(dim(`  ${counted(removed, "line")} removed, ${added} added (--full shows them)`));
}

/** With the last installation gone, nothing calls the server, and entries that came with a repository find nothing. */
async function endServer(home: string): Promise<void> {
  if (Object.keys(readManifest(home).installs).length) return;
  rmSync(launcherPath(home), { force: true });
  const { bringDown } = await import("../../server/start-stop.js");
  await bringDown(home);
}
