// Ways a release leaves the machine, and manifests that name it: each is recognised, and its near miss is not.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { play } from "../../../../test/discipline/agent.js";

const options = { release: { profiles: ["sparkle"] } };
const image = "dmg bytes";
const hash = createHash("sha256").update(image).digest("hex");

const ways: readonly (readonly [string, "deny" | "pass"])[] = [
  ["aws s3 sync dist s3://bucket/app", "deny"],
  ["aws s3 sync docs s3://bucket/app", "pass"],
  ["aws s3 sync s3://bucket/app dist", "pass"],
  ["rclone sync dist r2:bucket", "deny"],
  ["curl -T dist/App.dmg https://dist.example.org/App.dmg", "deny"],
  ["curl --upload-file dist/App.dmg https://dist.example.org/", "deny"],
  ["curl -fsSLO https://dist.example.org/App.dmg", "pass"],
  ["gh release upload v1.0 dist/App.dmg", "deny"],
  ["gh release upload v1.0 notes.txt", "pass"],
  ["gh release view v1.0", "pass"],
];
for (const [command, expect] of ways)
  test(`way out: ${command} -> ${expect}`, async (t) => {
    const a = play(t, { gates: ["release"], options, files: { "dist/App.dmg": image, "docs/a.md": "x\n" } });
    const heard = await a.before("Bash", { command });
    assert.equal(heard.outcome, expect, heard.text);
    if (expect === "deny") assert.match(heard.text, /App\.dmg/);
  });

test("way out: a file that is not there is to be made, not published another way", async (t) => {
  const a = play(t, { gates: ["release"], options });
  const { text } = await a.before("Bash", { command: "gh release upload v1.0 dist/App.dmg" });
  assert.match(text, /next: make dist\/App\.dmg first, or give the path where it is/);
});

const cask = (sha: string) => `cask "app" do\n  version "1.0"\n  sha256 ${sha}\n  url "https://x.org/App.dmg"\nend\n`;
const casks: readonly (readonly [string, string, "deny" | "pass"])[] = [
  ["no check", ":no_check", "deny"],
  ["a wrong hash", `"${"a".repeat(64)}"`, "deny"],
  ["no hash at all", '"TODO"', "deny"],
  ["the right hash", `"${hash}"`, "pass"],
];
for (const [name, sha, expect] of casks)
  test(`cask with ${name} -> ${expect}`, async (t) => {
    const a = play(t, { gates: ["release-manifest"], options, files: { "dist/App.dmg": image } });
    const heard = await a.write("Casks/a/app.rb", cask(sha));
    assert.equal(heard.outcome, expect, heard.text);
    if (expect === "deny") assert.match(heard.text, /next: put the sha256 of the released file in the cask/);
  });

test("an enclosure without a url is refused, other elements need none", async (t) => {
  const a = play(t, { gates: ["release-manifest"], options });
  const signature = "MC0CFQCGnKqHnDpJzXkq1sU9HhVbqzYk7QIUZ1";
  const item = (url: string) => `<item><title>1</title><enclosure ${url} sparkle:edSignature="${signature}"/></item>\n`;
  assert.match((await a.write("appcast.xml", item(""))).text, /enclosure has no url/);
  assert.match((await a.write("appcast.xml", item('url=""'))).text, /enclosure has no url/);
  assert.equal((await a.write("appcast.xml", item('url="https://x.org/App.dmg"'))).outcome, "pass");
});
