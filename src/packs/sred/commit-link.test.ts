import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { stage } from "../../testing/stage.js";
import { sredPack } from "./index.js";

test("sred/commit-link: a commit's claim and patch-id are in the record", async (t) => {
  const made = stage(t, { packs: [sredPack] });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", made.root, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
      encoding: "utf8",
    });
  made.write("a.txt", "1\n");
  git("add", "-A");
  const command = "git commit -m 'feat: x' -m 'SRED-Type: basic-research' -m 'SRED-Claim: ALPHA'";
  assert.equal((await made.call("Bash", { command })).outcome, "pass");
  git("commit", "-q", "-m", "feat: x\n\nSRED-Type: basic-research\nSRED-Claim: ALPHA");
  const { seq } = await made.handle("PostToolUse", {
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "toolu_1",
    tool_response: { stdout: "", stderr: "", interrupted: false },
  });
  const record = [...made.store.records()].find((r) => r.seq === seq);
  const [act] = (record!.body as { acts: { link: { commit: string; patchId: string; claims: string[] } }[] }).acts;
  assert.equal(act!.link.commit, git("rev-parse", "HEAD").trim());
  assert.match(act!.link.patchId, /^[0-9a-f]{40}$/);
  assert.deepEqual(act!.link.claims, ["ALPHA"]);
});
