// A release by a well-behaved agent with every gate on: signed, stapled, uploaded, announced and deployed without a
// refusal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, type Heard, passing, play } from "./agent.js";

const dmg = "build/App-1.2.dmg";
const sig = "MC0CFQDf7lZ9kQ1fXv0yT5b3rN2mPqEwIUfQ8sD4gH6jK1zYcVbNmLpOiUyTrQwEr5t6Yu7Io8P==";
const entry = (length: number) =>
  `<item><title>1.2</title><enclosure url="https://dist.example.com/App-1.2.dmg" length="${length}" ` +
  `sparkle:edSignature="${sig}"/></item>`;
const feed = "<rss><channel>\n</channel></rss>\n";

test("a release, step by step", async (t) => {
  const a = play(t, {
    options: {
      release: { profiles: ["sparkle"] },
      startup: {
        steps: [
          { id: "handbook", read: "HANDBOOK.md" },
          { id: "doctor", run: "make doctor" },
        ],
      },
      documents: ["RELEASING.md"],
    },
    files: {
      [dmg]: "the app\n",
      "HANDBOOK.md": "# How we work\nTalk first.\nSmall steps.\n",
      "RELEASING.md": "# Releasing\nSign, staple, upload, announce.\nNever by hand.\n",
      Makefile: "doctor:\n\techo fine\n",
      "site/appcast.xml": feed,
      "site/index.html": "<p>\n",
      "test/a.test.js": "ok\n",
    },
  });
  const said: string[] = [];
  const ok = (what: string, heard: Heard) => {
    if (heard.outcome !== "pass") said.push(`${what}: ${heard.text}`);
  };
  ok("start", await a.start());
  ok(
    "prompt",
    await a.prompt(
      "Release version 1.2: staple and sign the dmg, upload it to R2, add it to the appcast and deploy the site",
    ),
  );
  ok("handbook", await a.read("HANDBOOK.md"));
  ok("releasing", await a.bash("cat RELEASING.md", a.text("RELEASING.md")));
  ok("doctor", await a.bash("make doctor", "fine"));
  ok("look", await a.bash("ls -l build site && git status --short", "App-1.2.dmg"));
  ok(
    "staple",
    await a.bash(`xcrun stapler staple ${dmg}`, "The staple and validate action worked!", 0, () =>
      a.put(dmg, "the app with a ticket\n"),
    ),
  );
  ok("validate", await a.bash(`xcrun stapler validate ${dmg}`, "The validate action worked!"));
  ok("sign", await a.bash(`./bin/sign_update ${dmg}`, `sparkle:edSignature="${sig}" length="22"`));
  ok(
    "upload",
    await a.bash(`npx wrangler r2 object put downloads/App-1.2.dmg --file=${dmg} --remote`, "Upload complete."),
  );
  await a.research("site/appcast.xml");
  ok("feed", await a.edit("site/appcast.xml", "<channel>\n", `<channel>\n${entry(22)}\n`));
  ok("tests", await a.bash("npm test", passing()));
  ok("deploy", await a.bash("npx wrangler pages deploy site --project-name app", "Deployment complete!"));
  ok("commit", await a.bash("git add -A && git commit -m 'Release 1.2'", "[main 1234567] Release 1.2"));
  ok(
    "end",
    await a.stop(
      "Version 1.2 is stapled, signed, uploaded and announced; the tests ran (5 passed) and the site is deployed.",
    ),
  );
  assert.deepEqual(said, []);
});

/** The same release with one thing wrong; it is refused, and the step that is named lifts it. */
const mishaps: [string, (a: Agent) => Promise<Heard>, RegExp, (a: Agent) => Promise<unknown>][] = [
  [
    "stapled after signing",
    async (a) => {
      await a.bash(`sign_update ${dmg}`, "sig");
      await a.bash(`xcrun stapler staple ${dmg}`, "worked", 0, () => a.put(dmg, "with a ticket\n"));
      return a.before("Bash", { command: `wrangler r2 object put d/App-1.2.dmg --file=${dmg}` });
    },
    /not produced as it is now[^]*run: sign_update build\/App-1\.2\.dmg/,
    (a) => a.bash(`sign_update ${dmg}`, "sig"),
  ],
  [
    "uploaded through a pipe",
    async (a) => {
      await a.bash(`sign_update ${dmg}`, "sig");
      await a.bash(`xcrun stapler validate ${dmg}`, "worked");
      return a.before("Bash", { command: `cat ${dmg} | wrangler r2 object put d/App-1.2.dmg --pipe` });
    },
    /names no file[^]*--file/,
    async () => undefined,
  ],
];
for (const [name, go, says, remedy] of mishaps)
  test(`a release with a mistake: ${name}`, async (t) => {
    const a = play(t, {
      gates: ["release"],
      options: { release: { profiles: ["sparkle"] } },
      files: { [dmg]: "the app\n" },
    });
    const heard = await go(a);
    assert.equal(heard.gate, "release");
    assert.match(heard.text, says);
    await remedy(a);
    assert.equal(
      (await a.before("Bash", { command: `wrangler r2 object put d/App-1.2.dmg --file=${dmg}` })).outcome,
      "pass",
    );
  });
