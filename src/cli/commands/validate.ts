// interlock validate: checks capsules, manifests, requests and responses, for CI. Exits 1 on findings, each with
// file, line and remedy.
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { trackedFiles } from "../../runs/tracked-files.js";
import { fileFindings, type Validated, validated } from "../../runs/validate-files.js";
import { parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { green, red, shown } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { runRecordsHere, runsProjectRoot } from "../lib/runs-here.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock validate <capsule|manifest|request|response> <files...> [--check-files] [--json]

  --check-files   also check that what the files point at is there

A quoted glob that matches nothing is fine; a named file that is missing is a finding.

Examples:
  interlock validate capsule "runs/*/capsules/*.md"
  interlock validate manifest --check-files runs/20260213T091500Z-1a2b3c4d/manifests/tdd_green.json
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { "check-files": "flag", json: "flag", cwd: "text" }, usage, "words");
  const [kind, ...files] = words;
  if (kind === undefined) throw new UsageError(`say what to validate\n${usage}`);
  if (!(validated as readonly string[]).includes(kind)) throw unknownWord("can't validate", kind, validated, usage);
  if (!files.length) throw new UsageError(`say which files\n${usage}`);
  const project = runsProjectRoot(values);
  const cwd = values.cwd ?? process.cwd();
  const { paths, findings } = await withProgress("looking for the files", ({ step, at }) => {
    const records = runRecordsHere(project);
    const paths = files.flatMap((file) => expanded(project, cwd, file));
    step("checking the files");
    const findings = paths.flatMap((path, n) => {
      at(n, paths.length);
      const options = { checkFiles: values["check-files"], records };
      const found = fileFindings(project, kind as Validated, path, options);
      return found.map((f) => ({ file: relative(cwd, path) || path, ...f }));
    });
    return { paths, findings };
  });
  if (values.json) printJson({ kind, files: paths.length, findings });
  else {
    for (const f of findings)
      say(`${red(`${shown(f.file, 300)}:${f.line}`)}: ${shown(f.problem, 300)}\n  ${shown(f.remedy, 200)}`);
    if (!paths.length) say("no file matches; nothing was checked");
    else if (!findings.length) say(green(`${paths.length} ${kind} file${paths.length === 1 ? "" : "s"} valid`));
  }
  return findings.length ? 1 : 0;
}

/** A glob the shell left alone is matched here, from the project's root. */
function expanded(project: string, cwd: string, file: string): string[] {
  const path = resolve(cwd, file);
  if (!/[*?[{]/.test(file) || existsSync(path)) return [path];
  const glob = relative(project, path);
  if (glob.startsWith("..")) throw new UsageError(`"${file}" leads out of the project`);
  return trackedFiles(project, [glob]).map((f) => resolve(project, f.path));
}
