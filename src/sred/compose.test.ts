import assert from "node:assert/strict";
import { test } from "node:test";
import { squashMessage, withSredTrailers } from "./compose.js";

const given = { type: "basic-research", claim: "CACHE" };
const tags = "SRED-Type: basic-research\nSRED-Claim: CACHE";

test("trailers are added to the last paragraph, and valid ones are kept", () => {
  const rows: [message: string, amended: string][] = [
    ["feat: x", `feat: x\n\n${tags}`],
    ["feat: x\n\nbody\n", `feat: x\n\nbody\n\n${tags}`],
    ["feat: x\n\nCo-Authored-By: A <a@b.c>", `feat: x\n\nCo-Authored-By: A <a@b.c>\n${tags}`],
    ["feat: x\n\nSRED-Claim: PLAN", "feat: x\n\nSRED-Type: basic-research\nSRED-Claim: PLAN"],
    ["feat: x\n\nSRED-Type: technical-innovation\nSRED-Claim: plan", `feat: x\n\n${tags}`],
    [
      "feat: x\n\nSRED-Type: support-work\n\nCo-Authored-By: A <a@b.c>",
      "feat: x\n\nCo-Authored-By: A <a@b.c>\nSRED-Type: support-work\nSRED-Claim: CACHE",
    ],
  ];
  for (const [message, amended] of rows) {
    assert.equal(withSredTrailers(message, given), amended);
    assert.equal(withSredTrailers(amended, given), amended);
  }
});

test("a squash of one commit is that commit", () => {
  const message = `feat: x\n\nbody\n\n${tags}`;
  assert.equal(squashMessage(undefined, [message]), `${message}\n`);
  assert.equal(squashMessage("feat: y", ["feat: x"]), "feat: y\n\nfeat: x\n");
});
