// Stories of gates: what a change holds and where it goes.
import { join } from "node:path";
import type { Story } from "./story.js";

const dmg = { "App.dmg": "the disk image" };
const appcast = (signature: string, url = "https://dist.example.com/App.dmg", length = 14) =>
  `<rss><channel><item><enclosure url="${url}" sparkle:edSignature="${signature}" length="${length}" /></item></channel></rss>\n`;

export const content: readonly Story[] = [
  {
    gate: "blocked-paths",
    how: "deny",
    guard: { secrets: "off", destructive: "off" },
    files: { ".env": "KEY=made-up\n", ".env.example": "KEY=\n" },
    reach: (a) => a.read(".env"),
    says: /credentials/,
    remedy: async () => undefined,
    again: (a) => a.read(".env.example"),
    later: [
      { when: "through the shell", run: (a) => a.bash("cat .env"), outcome: "deny" },
      {
        when: "home of keys",
        run: (a) => a.before("Read", { file_path: join(a.home, ".ssh/id_ed25519") }),
        outcome: "deny",
      },
      {
        when: "system folder written",
        run: (a) => a.before("Write", { file_path: "/etc/hosts", content: "x" }),
        outcome: "deny",
      },
      { when: "system folder read", run: (a) => a.before("Read", { file_path: "/etc/hosts" }), outcome: "pass" },
    ],
  },
  {
    gate: "file-size",
    how: "deny",
    reach: (a) => a.write("src/big.ts", "x\n".repeat(801)),
    says: /801 lines, the limit is 800/,
    remedy: (a) => a.write("src/part.ts", "x\n".repeat(400)),
    again: (a) => a.write("src/big.ts", "x\n".repeat(401)),
    later: [
      {
        when: "told above 500",
        run: (a) => a.write("src/big.ts", "x\n".repeat(600)),
        outcome: "pass",
        says: /600 lines/,
      },
      {
        when: "every replacement counts",
        run: (a) => a.edit("src/big.ts", "x\n", "x\nx\n", true),
        outcome: "deny",
        says: /1200/,
      },
      { when: "a document may be longer", run: (a) => a.write("NOTES.md", "x\n".repeat(1400)), outcome: "pass" },
      {
        when: "making a long file shorter",
        run: async (a) => {
          a.put("src/huge.ts", "y\n".repeat(2000));
          return a.edit("src/huge.ts", "y\ny\n", "y\n");
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "inline-scripts",
    how: "deny",
    reach: (a) => a.bash(`python3 -c 'open("src/a.ts","w").write("x")'`),
    says: /changes src\/a\.ts[^]*Edit or Write/,
    remedy: async () => undefined,
    again: (a) => a.write("src/a.ts", "export const a = 2;\n"),
    later: [
      { when: "an inline program that only prints", run: (a) => a.bash("python3 -c 'print(1)'", "1"), outcome: "pass" },
      { when: "redirection into source", run: (a) => a.bash("cat > src/b.ts <<'EOF'\nx\nEOF"), outcome: "deny" },
      { when: "sed -i", run: (a) => a.bash("sed -i s/1/2/ src/a.ts"), outcome: "deny" },
      { when: "output kept in a log", run: (a) => a.bash("npm test > test.log", ""), outcome: "pass" },
      { when: "copying", run: (a) => a.bash("cp src/a.ts src/c.ts"), outcome: "pass" },
    ],
  },
  {
    gate: "test-quality",
    how: "deny",
    files: {
      "test/a.test.ts":
        'test("one", () => assert.equal(add(1, 1), 2));\ntest("two", () => assert.equal(add(1, 2), 3));\n',
    },
    reach: async (a) => {
      const told = await a.write("test/b.test.ts", 'test("b", () => { expect(true).toBe(true); });\n');
      if (!/can't fail/.test(told.context)) return told;
      return a.write("test/c.test.ts", 'test("c", () => { assert.equal(x, x); });\n');
    },
    says: /can't fail/,
    remedy: async () => undefined,
    again: (a) => a.write("test/c.test.ts", 'test("c", () => { assert.equal(add(1, 1), 2); });\n'),
    later: [
      {
        when: "a dropped test is told first",
        run: (a) => a.edit("test/a.test.ts", 'test("two", () => assert.equal(add(1, 2), 3));\n', ""),
        outcome: "pass",
        says: /drops 1 test/,
      },
      {
        when: "then a person is asked",
        run: (a) =>
          a.before("Edit", {
            file_path: join(a.root, "test/a.test.ts"),
            old_string: "test(",
            new_string: "test.skip(",
          }),
        outcome: "ask",
      },
      { when: "deleting a test file", run: (a) => a.before("Bash", { command: "rm test/a.test.ts" }), outcome: "ask" },
      {
        when: "what the person asked for",
        run: async (a) => {
          await a.prompt("remove the obsolete tests in test/a.test.ts");
          return a.before("Bash", { command: "rm test/a.test.ts" });
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "release",
    how: "deny",
    options: { release: { profiles: ["sparkle"] } },
    files: dmg,
    reach: (a) => a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg", "uploaded"),
    says: /not produced as it is now; not verified/,
    remedy: async (a) => {
      await a.bash("xcrun stapler validate App.dmg", "The validate action worked!");
      await a.bash("sign_update App.dmg", 'sparkle:edSignature="made-up" length="14"');
    },
    again: (a) => a.bash("wrangler r2 object put shared/App.dmg --file App.dmg", "uploaded"),
    later: [
      {
        when: "another destination",
        run: (a) => a.bash("wrangler r2 object put shared/sub/App.dmg --file=App.dmg"),
        outcome: "deny",
        says: /destination/,
      },
      {
        when: "the file changed",
        run: async (a) => {
          a.put("App.dmg", "another");
          return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
        },
        outcome: "deny",
      },
      {
        when: "a hidden failure is no record",
        run: async (a) => {
          await a.bash("sign_update App.dmg || true", "");
          await a.bash("xcrun stapler validate App.dmg", "ok");
          return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
        },
        outcome: "deny",
        says: /not produced/,
      },
    ],
  },
  {
    gate: "release-manifest",
    how: "deny",
    options: { release: { profiles: ["sparkle"] } },
    files: { ...dmg, "site/appcast.xml": appcast("") },
    reach: (a) => a.write("appcast.xml", appcast("PLACEHOLDER")),
    says: /placeholder/,
    remedy: async () => undefined,
    again: (a) => a.write("appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo")),
    later: [
      {
        when: "a forbidden address",
        run: (a) =>
          a.write(
            "appcast.xml",
            appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo", "https://github.com/o/r/releases/download/1/App.dmg"),
          ),
        outcome: "deny",
      },
      {
        when: "a wrong length",
        run: (a) => a.write("appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo", undefined, 99)),
        outcome: "deny",
        says: /length 99/,
      },
      { when: "a folder with a broken one", run: (a) => a.bash("wrangler pages deploy site"), outcome: "deny" },
      {
        when: "repaired",
        run: async (a) => {
          a.put("site/appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo"));
          return a.bash("wrangler pages deploy site");
        },
        outcome: "pass",
      },
    ],
  },
];
