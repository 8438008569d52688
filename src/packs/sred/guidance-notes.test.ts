import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type TestContext, test } from "node:test";
import { type Stage, stage } from "../../testing/stage.js";
import { sredPack } from "./index.js";

const tags = "SRED-Type: experimental-development\nSRED-Claim: CACHE";

function repository(t: TestContext): Stage {
  const made = stage(t, { packs: [sredPack] });
  git(made, "config", "user.name", "Ada");
  git(made, "config", "user.email", "ada@example.com");
  return made;
}
const git = (made: Stage, ...args: string[]) =>
  execFileSync("git", ["-C", made.root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const notes = async (made: Stage, message: string): Promise<string> => {
  const verdict = await made.call("Bash", { command: `git commit -m '${message}'` });
  assert.equal(verdict.outcome, "pass");
  return verdict.context.join("\n");
};

test("sred/guidance: words of research bring the H-E-R-A template, once per session", async (t) => {
  const made = repository(t);
  const first = await notes(made, `feat(cache): prototype of tiers\n\n${tags}`);
  for (const label of ["HYPOTHESIS:", "EXPERIMENT:", "RESULT:", "ADVANCEMENT:"])
    assert.ok(first.includes(label), first);
  assert.ok(first.split("\n").length <= 6);
  assert.equal(await notes(made, `feat(cache): investigate eviction\n\n${tags}`), "");
  made.session = "another";
  const soft = await notes(made, `feat(cache): optimize eviction\n\n${tags}`);
  assert.match(soft, /work that met a technological uncertainty/);
});

test("guidance: a failed experiment is welcome, with a question for its analysis", async (t) => {
  const made = repository(t);
  const text = await notes(made, `perf(cache): tiers\n\nRESULT: FAILED, 4 % more misses\n\n${tags}`);
  assert.match(text, /failed experiment is good evidence/);
  assert.match(text, /ANALYSIS: line/);
  assert.equal(await notes(made, `perf(cache): tiers\n\nRESULT: FAILED again\n\n${tags}`), "");
});

test("guidance: routine and complete commits get no advice; a denied experiment does", async (t) => {
  const made = repository(t);
  assert.equal(await notes(made, "chore: prototype cleanup"), "");
  assert.equal(await notes(made, `fix(cache): off by one\n\n${tags}`), "");
  const full = "HYPOTHESIS: a\nEXPERIMENT: b\nRESULT: SUCCESS 4 ms\nADVANCEMENT: c";
  assert.equal(await notes(made, `feat(cache): experiment\n\n${full}\n\n${tags}`), "");
  assert.match(await notes(made, "feat: experiment with words\n\nSRED-Claim: none"), /says SRED-Claim: none/);
});

test("guidance: a commit within 72 hours continues an investigation", async (t) => {
  const made = repository(t);
  for (const n of ["one", "two"])
    git(made, "commit", "-q", "--allow-empty", "-m", `feat(cache): ${n}\n\nHYPOTHESIS: ${n}\n\n${tags}`);
  const text = await notes(made, `fix(cache): three\n\n${tags}`);
  assert.match(text, /continues an investigation. CACHE: 2 commits within an hour, 2 hypotheses\./);
  assert.equal(await notes(made, `fix(cache): four\n\n${tags}`), "");
  assert.equal(await notes(made, "fix(plan): five\n\nSRED-Type: basic-research\nSRED-Claim: PLAN"), "");
});
