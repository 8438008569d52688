// interlock doctor: checks everything that refusals depend on, proves them by probes, and repairs what it can.
// Invariant: `--fix` shows every change and asks once before the first of them.
import { checkup } from "../../health/checkup.js";
import { type CheckContext, checkContext } from "../../health/context.js";
import { type HealthFinding, planRepairs, type Repair } from "../../health/finding.js";
import { counted } from "../../model/text.js";
import { parseOptions } from "../lib/args.js";
import { confirm } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { dim, green, red, yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { enforcementLine, versionTable } from "../lib/version-table.js";
import { say, sayError, wrapLine } from "../lib/wrap.js";

export const usage = `Usage: interlock doctor [--fix [--yes]] [--live] [--full] [--json]

  --fix   list the repairs, ask once, then make them: register missing, outdated or failing hooks again, start or
          replace the server, remove what switches hooks off, make folders private. The record and interlock.yaml
          are left to you
  --yes   do not ask; needed where there is no terminal
  --live  run the installed Claude Code in a throw-away home and project, on a scripted model and without network,
          and prove that it is stopped
  --full  every probe, and the table of versions, abilities and hooks
`;

export async function run(args: string[]): Promise<number> {
  const spec = {
    fix: "flag",
    yes: "flag",
    live: "flag",
    full: "flag",
    json: "flag",
    cwd: "text",
    home: "text",
  } as const;
  const { values } = parseOptions(args, spec, usage);
  const look = () => checkContext(() => openHere(values), process.env);
  let context = await look();
  let findings = await withProgress("checking and probing", () => checkup(context));
  const repairs = values.fix ? planRepairs(findings) : [];
  if (repairs.length && (await agreed(repairs, values.yes))) {
    await repair(repairs);
    context = await look();
    findings = await withProgress("checking again", () => checkup(context));
  }
  if (values.live) findings.push(...(await live(context)));
  const bad = findings.filter((f) => !f.ok);
  const code = bad.some((f) => f.tampering) ? 4 : bad.some((f) => !f.mild) ? 1 : 0;
  if (values.json) printJson({ ok: code === 0, lines: findings.map(inJson), versions: context.versions });
  else show(findings, context, code, Boolean(values.full));
  return code;
}

async function agreed(repairs: readonly Repair[], yes: boolean | undefined): Promise<boolean> {
  sayError("--fix will:");
  for (const { will } of repairs) sayError(`  ${will}`);
  if (await confirm("Do this?", yes)) return true;
  sayError("Nothing was changed.");
  return false;
}

/** One that fails does not keep the others from being tried; the next check shows what is left. */
async function repair(repairs: readonly Repair[]): Promise<void> {
  for (const { will, apply } of repairs)
    try {
      const more = await apply();
      sayError(`done: ${will}${more ? ` (${more})` : ""}`);
    } catch (error) {
      sayError(red(`failed: ${will}: ${(error as Error).message}`));
    }
}

async function live({ opened, env }: CheckContext): Promise<HealthFinding[]> {
  sayError("running Claude Code on a scripted model ...");
  const { checkLive } = await import("../../health/live.js");
  return checkLive(opened, env);
}

const inJson = ({ repair: planned, ...finding }: HealthFinding) => ({
  ...finding,
  ...(planned && { repair: { id: planned.id, will: planned.will } }),
});

function show(findings: readonly HealthFinding[], { versions }: CheckContext, code: number, full: boolean): void {
  for (const { ok, mild, area, what, fix } of full ? findings : inShort(findings)) {
    const mark = ok ? green("ok  ") : mild ? yellow("note") : red("BAD ");
    say(`${mark} ${area.padEnd(13)} ${what}`, 19);
    if (!ok && fix) say(dim(wrapLine(`                   fix: ${fix}`, 24)));
  }
  if (full) say(versionTable(versions));
  else say(enforcementLine(versions), 2);
  const left = findings.filter((f) => !f.ok && !f.mild).length;
  say(code === 0 ? green("Refusals hold here.") : red(`${counted(left, "thing")} to repair.`));
}

/** Probes that went well are one line. */
function inShort(findings: readonly HealthFinding[]): HealthFinding[] {
  const good = findings.filter(({ area, ok }) => area === "probe" && ok);
  const rest = findings.filter((finding) => !good.includes(finding));
  if (!good.length) return rest;
  const all = findings.filter(({ area }) => area === "probe").length;
  const what = `${good.length} of ${all} probes were answered as they must be (--full lists them)`;
  return [...rest, { area: "probe", ok: true, what }];
}
