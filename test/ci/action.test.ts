// The steps of action.yml, run by bash as a runner runs them, with stand-ins for npx and gh on the path.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { CiProject, program } from "./ci-project.js";

interface Step {
  name: string;
  id?: string;
  if?: string;
  shell: string;
  run: string;
  "working-directory"?: string;
  env?: Record<string, string>;
}

const action = parse(readFileSync(join(process.cwd(), "action.yml"), "utf8")) as {
  inputs: Record<string, { default: string }>;
  runs: { using: string; steps: Step[] };
};

/** Runs all steps; `${{ ... }}` is filled in as the runner does. */
function runAction(project: CiProject, folder: string, inputs: Record<string, string>, pull?: number) {
  const temp = join(project.work.folder, `runner${Math.random().toString(36).slice(2)}`);
  const bin = join(temp, "bin");
  mkdirSync(bin, { recursive: true });
  const tool = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  // npx --yes agent-interlock@<version> ci ...
  tool("npx", `[ "$1" = --yes ] && [ "$2" = agent-interlock@latest ] && shift 2 && exec node ${program} "$@"`);
  tool("gh", `echo "$*" >> ${temp}/gh.txt; case "$*" in *--paginate*) cat ${temp}/comment 2>/dev/null;; esac; exit 0`);
  const values: Record<string, string> = { "github.token": "t", "github.event.pull_request.number": `${pull ?? ""}` };
  for (const [name, { default: usual }] of Object.entries(action.inputs))
    values[`inputs.${name}`] = inputs[name] ?? usual.replace("${{ github.token }}", "t");
  values["inputs.working-directory"] = folder;
  const filled = (text: string) => text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values[name] ?? "");
  const output = join(temp, "output");
  const summary = join(temp, "summary.md");
  const base = {
    PATH: `${bin}:${join(process.execPath, "..")}:${process.env["PATH"]}`,
    HOME: project.work.folder,
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_REPOSITORY: "someone/something",
    NO_COLOR: "1",
  };
  let said = "";
  let status: number | null = 0;
  for (const step of action.runs.steps) {
    assert.equal(step.shell, "bash");
    assert.doesNotMatch(step.run, /\$\{\{/, "inputs reach scripts by the environment only");
    if (step.if && !(values["inputs.comment"] === "true" && pull)) continue;
    const script = join(temp, "step.sh");
    writeFileSync(script, step.run);
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]));
    const cwd = step["working-directory"] ? filled(step["working-directory"]) : folder;
    const ran = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd,
      env: { ...base, ...env },
      encoding: "utf8",
    });
    said += ran.stdout + ran.stderr;
    status = ran.status;
    for (const line of existsSync(output) ? readFileSync(output, "utf8").split("\n") : []) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name) values[`steps.${step.id}.outputs.${name}`] ??= value!;
    }
    if (status !== 0) break;
  }
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { status, said, summary: read(summary), gh: read(join(temp, "gh.txt")) };
}

test("the action fetches history and traces, checks, writes summary and SARIF, and comments once", async () => {
  const intents = "active_intents:\n  - id: INT-1\n    name: A\n    status: IN_PROGRESS\n    owned_scope: [src/]\n";
  const project = new CiProject({ ".orchestration/active_intents.yaml": intents });
  await project.agentCommit("INT-1", "src/a.ts", "feat: a\n\nIntent: INT-1\n");
  await project.agentCommit("INT-1", "lib/b.ts", "feat: b\n\nIntent: INT-1\n");
  project.work.git("push", "-q", "origin", "HEAD:refs/heads/work", "refs/notes/interlock");
  const clone = project.clone("--depth", "1", "--branch", "work", "--no-single-branch");
  const inputs = { range: "origin/main..HEAD", sarif: "interlock.sarif", comment: "true" };
  const { status, said, summary, gh } = runAction(project, clone, inputs, 7);
  assert.equal(status, 1, said);
  assert.match(said, /2 commits/);
  assert.match(said, /error intents\/out-of-scope .*lib\/b\.ts/);
  assert.match(summary, /### Interlock: failed/);
  assert.ok(existsSync(join(clone, "interlock.sarif")));
  assert.match(gh, /--method POST repos\/someone\/something\/issues\/7\/comments -F body=@/);
});

test("a fine range passes, without a comment; an unknown one fails the step", () => {
  const project = new CiProject();
  project.commit("feat: fine");
  project.work.git("push", "-q", "origin", "main");
  const clone = project.clone();
  const fine = runAction(project, clone, { range: "HEAD~1..HEAD" }, 7);
  assert.equal(fine.status, 0, fine.said);
  assert.match(fine.said, /the repository shares no traces/);
  assert.equal(fine.gh, "");
  assert.equal(runAction(project, clone, { range: '$(touch "x")..HEAD' }).status, 2);
  assert.ok(!existsSync(join(clone, "x")));
});
