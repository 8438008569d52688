// The files of kits that the range changed (capsules, manifests, requests, responses) and interlock.yaml, as committed.
// Invariant: reads objects of git, never the work tree: a link in the repository leads nowhere.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileFindings, type Validated } from "../runs/validate-files.js";
import { type TraceGit, withGit } from "../trace/trace-git.js";
import { type CheckResult, type CiFinding, type CiInput, plural } from "./ci-report.js";

const kinds: readonly [RegExp, Validated][] = [
  [/^runs\/[^/]+\/capsules\/[^/]+\.md$/, "capsule"],
  [/^runs\/[^/]+\/manifests\/[^/]+\.json$/, "manifest"],
  [/^interop\/requests\/[^/]+\.json$/, "request"],
  [/^interop\/responses\/[^/]+\.json$/, "response"],
];
const most = 10_000;

/** `configProblems`: what is wrong with the committed interlock.yaml; undefined where there is none. */
export async function checkValidators(
  input: CiInput,
  configProblems: readonly string[] | undefined,
): Promise<CheckResult> {
  const changed = new Set(input.commits.flatMap(({ files }) => files.map(({ path }) => path)));
  const files = [...changed].flatMap((path) => {
    const kind = kinds.find(([pattern]) => pattern.test(path))?.[1];
    return kind ? [{ path, kind }] : [];
  });
  const findings: CiFinding[] = (configProblems ?? []).map((problem) => ({
    rule: "validators/config",
    level: "error",
    message: problem,
    next: "interlock config check",
    file: "interlock.yaml",
    line: Number(/\(line (\d+)\)/.exec(problem)?.[1] ?? 1),
  }));
  const folder = mkdtempSync(join(tmpdir(), "interlock-ci-"));
  let valid = 0;
  try {
    await withGit(input, async (git) => {
      for (const [k, file] of files.slice(0, most).entries()) {
        const found = await problemsOf(git, input, file, join(folder, String(k)));
        if (found === undefined) continue;
        valid += found.length ? 0 : 1;
        findings.push(...found);
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!files.length && configProblems === undefined)
    return { used: false, checked: false, summary: "the range changes no capsule, manifest, request or response" };
  const config = configProblems === undefined ? "" : `, interlock.yaml ${configProblems.length ? "broken" : "valid"}`;
  return { checked: true, summary: `${plural(valid, "file")} of kits valid${config}`, findings };
}

/** Undefined for a file that is gone at the range's end. */
async function problemsOf(
  git: TraceGit,
  { root, range }: CiInput,
  { path, kind }: { path: string; kind: Validated },
  folder: string,
): Promise<CiFinding[] | undefined> {
  const object = await git.object(`${range.to}:${path}`);
  if (object?.type !== "blob") return undefined;
  mkdirSync(folder);
  const copy = join(folder, basename(path));
  writeFileSync(copy, object.data);
  return fileFindings(root, kind, copy).map(({ problem, remedy, line }) => ({
    rule: `validators/${kind}`,
    level: "error",
    message: problem,
    next: remedy,
    file: path,
    line: line ?? 1,
  }));
}
