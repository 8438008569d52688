// Session documents: which ones apply, what is a reading of one, and whom the gate must leave alone.
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Row, row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent } from "../../../../test/discipline/agent.js";

const text =
  "# How we work\n\nTalk " +
  `first.\n\n${Array.from({ length: 40 }, (_, i) => `Rule ${i}: mind the gap number ${i}.`).join("\n")}\n`;
const files = { "CONTRIBUTING.md": text, "docs/CONTRIBUTING.md": "another\n", "src/x.ts": "export const x = 1;\n" };
const change = (a: Agent) => a.edit("src/x.ts", "x = ", "x = ");
const after = (act: (a: Agent) => Promise<unknown> | void) => async (a: Agent) => {
  await act(a);
  return change(a);
};
const part = (from: number, to: number) => text.split("\n").slice(from, to).join("\n");

const rows: Row[] = [
  row("deny", "an edit", change),
  row("deny", "a new file", (a) => a.write("src/y.ts", "x\n")),
  row("deny", "a change by shell", (a) => a.bash("sed -i s/1/2/ src/x.ts")),
  row("deny", "a change by MCP", (a) =>
    a.before("mcp__fs__write_file", { path: join(a.root, "src/x.ts"), content: "x" }),
  ),
  row("pass", "a look", (a) => a.bash("cat src/x.ts", "export const x = 1;")),
  row("pass", "a test run", (a) => a.bash("npm test", "ok")),
  row("pass", "scratch space", (a) => a.before("Write", { file_path: "/tmp/notes-of-mine.md", content: "x" })),
  row(
    "pass",
    "Read",
    after((a) => a.read("CONTRIBUTING.md")),
  ),
  row(
    "pass",
    "Read of its first lines",
    after((a) => a.read("CONTRIBUTING.md", { offset: 1, limit: 20 })),
    "ambiguous",
  ),
  row(
    "pass",
    "cat",
    after((a) => a.bash("cat CONTRIBUTING.md", text)),
  ),
  row(
    "pass",
    "cat with others",
    after((a) => a.bash("cat docs/CONTRIBUTING.md CONTRIBUTING.md", `another\n${text}`)),
  ),
  row(
    "pass",
    "cat by its whole path",
    after((a) => a.bash(`cat ${a.root}/CONTRIBUTING.md`, text)),
  ),
  row(
    "pass",
    "cat from a folder",
    after((a) => a.bash("cd src && cat ../CONTRIBUTING.md", text)),
  ),
  row(
    "pass",
    "head of it",
    after((a) => a.bash("head -30 CONTRIBUTING.md", part(0, 30))),
    "ambiguous",
  ),
  row(
    "pass",
    "cat, cut",
    after((a) => a.bash("cat CONTRIBUTING.md | head -30", part(0, 30))),
    "ambiguous",
  ),
  row(
    "pass",
    "sed -n",
    after((a) => a.bash("sed -n '1,40p' CONTRIBUTING.md", part(0, 40))),
  ),
  row(
    "pass",
    "with line numbers",
    after((a) =>
      a.bash(
        "cat -n CONTRIBUTING.md",
        text
          .split("\n")
          .map((l, i) => `     ${i + 1}\t${l}`)
          .join("\n"),
      ),
    ),
  ),
  row(
    "pass",
    "with another look before",
    after((a) => a.bash("git log --oneline -3; cat CONTRIBUTING.md", `abc first\n${text}`)),
  ),
  row(
    "pass",
    "by an MCP reader",
    after((a) =>
      a.call("mcp__fs__read_file", { path: join(a.root, "CONTRIBUTING.md") }, { content: [{ type: "text", text }] }),
    ),
    "ambiguous",
  ),
  row(
    "deny",
    "an MCP reader that brings nothing",
    after((a) => a.call("mcp__fs__read_file", { path: join(a.root, "CONTRIBUTING.md") }, { content: [] })),
    "villain",
  ),
  row(
    "pass",
    "by a sub-agent",
    after(async (a) => {
      a.agent = { id: "s1", type: "Explore" };
      await a.read("CONTRIBUTING.md");
      a.agent = undefined;
    }),
    "ambiguous",
  ),
  row(
    "deny",
    "another of the name",
    after((a) => a.read("docs/CONTRIBUTING.md")),
    "villain",
  ),
  row(
    "deny",
    "listing it",
    after((a) => a.bash("ls -la CONTRIBUTING.md", "-rw-r--r-- CONTRIBUTING.md")),
    "villain",
  ),
  row(
    "deny",
    "cat to nowhere",
    after((a) => a.bash("cat CONTRIBUTING.md > /dev/null; echo read", "read")),
    "villain",
  ),
  row(
    "deny",
    "counting its lines",
    after((a) => a.bash("wc -l CONTRIBUTING.md", "44 CONTRIBUTING.md")),
    "villain",
  ),
  row(
    "deny",
    "its hash",
    after((a) => a.bash("sha256sum CONTRIBUTING.md", "0a CONTRIBUTING.md")),
    "villain",
  ),
  row(
    "deny",
    "asking for one word of it",
    after((a) => a.bash("grep -c gap CONTRIBUTING.md", "40")),
    "villain",
  ),
  row(
    "deny",
    "comparing it",
    after((a) => a.bash("cmp CONTRIBUTING.md CONTRIBUTING.md && echo same", "same")),
    "villain",
  ),
  row(
    "deny",
    "its status",
    after((a) => a.bash("stat CONTRIBUTING.md", "File: CONTRIBUTING.md")),
    "villain",
  ),
  row(
    "deny",
    "a Glob that names it",
    after((a) => a.call("Glob", { pattern: "*.md" }, { filenames: ["CONTRIBUTING.md"] })),
    "villain",
  ),
  row(
    "deny",
    "a failed read",
    after(async (a) => {
      await a.before("Read", { file_path: join(a.root, "CONTRIBUTING.md") });
      await a.failed(
        "Read",
        { file_path: join(a.root, "CONTRIBUTING.md") },
        "File content exceeds maximum allowed tokens",
      );
    }),
  ),
  row(
    "pass",
    "a document the agent wrote itself",
    async (a) => {
      await a.write("CONTRIBUTING.md", text);
      return change(a);
    },
    "plain",
    { files: { "src/x.ts": files["src/x.ts"] } },
  ),
  row("pass", "a document the agent edits first", async (a) => {
    await a.read("CONTRIBUTING.md");
    await a.edit("CONTRIBUTING.md", "Talk first.", "Talk first, then code.");
    return change(a);
  }),
  row("pass", "no document at all", change, "plain", { files: { "src/x.ts": files["src/x.ts"] } }),
  row(
    "pass",
    "a document taken away",
    after((a) => rmSync(join(a.root, "CONTRIBUTING.md"))),
  ),
  row("pass", "an empty document", change, "ambiguous", { files: { ...files, "CONTRIBUTING.md": "" } }),
  row("pass", "a blank document", change, "ambiguous", { files: { ...files, "CONTRIBUTING.md": "\n\n" } }),
  row("pass", "a folder of the name", change, "ambiguous", {
    files: { "CONTRIBUTING.md/x": "y", "src/x.ts": files["src/x.ts"] },
  }),
  row(
    "pass",
    "a link to nothing",
    after((a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      symlinkSync("nowhere.md", join(a.root, "CONTRIBUTING.md"));
    }),
    "ambiguous",
  ),
  row(
    "pass",
    "a pipe of the name",
    after((a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      execFileSync("mkfifo", [join(a.root, "CONTRIBUTING.md")]);
    }),
    "ambiguous",
  ),
  row(
    "deny",
    "a link to a document, unread",
    after((a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      symlinkSync("docs/CONTRIBUTING.md", join(a.root, "CONTRIBUTING.md"));
    }),
  ),
  row(
    "pass",
    "a link to a document, read by its own name",
    after(async (a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      symlinkSync("docs/CONTRIBUTING.md", join(a.root, "CONTRIBUTING.md"));
      await a.read("CONTRIBUTING.md");
    }),
  ),
  row(
    "pass",
    "a link to a document, read where it lies",
    after(async (a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      symlinkSync("docs/CONTRIBUTING.md", join(a.root, "CONTRIBUTING.md"));
      await a.read("docs/CONTRIBUTING.md");
    }),
  ),
  row("pass", "a resumed session", async (a) => {
    await a.read("CONTRIBUTING.md");
    await a.start("resume");
    return change(a);
  }),
  row("deny", "another session", async (a) => {
    await a.read("CONTRIBUTING.md");
    a.session = "session-2";
    return change(a);
  }),
  row("deny", "a configured path with a dot, unread", change, "plain", {
    options: { documents: ["./docs/CONTRIBUTING.md"] },
  }),
  row(
    "pass",
    "a configured path with a dot, read",
    after((a) => a.read("docs/CONTRIBUTING.md")),
    "plain",
    { options: { documents: ["./docs/CONTRIBUTING.md"] } },
  ),
  row(
    "deny",
    "a document at home, unread",
    after((a) => a.put("../home/notes/HOUSE.md", "house rules\n")),
    "plain",
    { options: { documents: ["~/notes/HOUSE.md"] } },
  ),
  row(
    "pass",
    "a document at home, read",
    after(async (a) => {
      a.put("../home/notes/HOUSE.md", "house rules\n");
      await a.bash("cat ~/notes/HOUSE.md", "house rules");
    }),
    "plain",
    { options: { documents: ["~/notes/HOUSE.md"] } },
  ),
  row("pass", "writing notes into the agent's own plans", (a) =>
    a.before("Write", { file_path: join(a.home, ".claude/plans/p.md"), content: "x" }),
  ),
  row("pass", "a file in the place of its folder", change, "ambiguous", {
    options: { documents: ["docs/HOUSE.md", "CONTRIBUTING.md"] },
    files: { docs: "a file\n", "src/x.ts": files["src/x.ts"] },
  }),
  row(
    "pass",
    "a ring of links",
    after((a) => {
      rmSync(join(a.root, "CONTRIBUTING.md"));
      symlinkSync("CONTRIBUTING.md", join(a.root, "CONTRIBUTING.md"));
    }),
    "ambiguous",
  ),
];

table("documents", ["documents"], rows, { files, options: { documents: ["CONTRIBUTING.md"] } });
