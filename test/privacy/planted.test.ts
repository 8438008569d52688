// Secrets of 60 kinds in 12 places: none is kept in clear. Plain texts there: none is left after an erasure.
// The events go through every pack, and some through the built program; both verifiers are asked.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { JsonObject } from "../../src/model/json.js";
import { compile, defaults } from "../../src/packs/discipline/config.js";
import { disciplinePack } from "../../src/packs/discipline/index.js";
import { guardPack } from "../../src/packs/guard/index.js";
import { intentPack } from "../../src/packs/intent/index.js";
import { sredPack } from "../../src/packs/sred/index.js";
import { verify } from "../../src/store/index.js";
import { unpackSegment } from "../../src/store/ledger/compressed-segment.js";
import { keptObjects } from "../../src/testing/kept-objects.js";
import { plantedSecrets } from "../../src/testing/planted-secrets.js";
import { type Stage, stage } from "../../src/testing/stage.js";
import { atTerminal } from "../guard/terminal.js";

const { gates: _modes, ...given } = defaults as JsonObject & { gates: unknown };
const options = compile(given);
const script = join(process.cwd(), "dist/interlock.cjs");

/** Where text comes in. Each plants `text` once. */
const places: Record<string, (s: Stage, text: string, n: number) => Promise<unknown>> = {
  prompt: (s, text) => s.prompt(`Please fix the login of the shop: ${text}`),
  frustration: (s, text) => s.prompt(`No, that's wrong again! I told you: ${text}`),
  command: (s, text) => s.run("Bash", { command: `echo '${text.replaceAll("'", "")}' | tee out.txt` }),
  output: (s, text) => s.run("Bash", { command: "cat notes.txt" }, `first line\n${text}\nlast line`),
  failure: async (s, text) => {
    await s.call("Bash", { command: "npm test" });
    return s.failed("Bash", { command: "npm test" }, `Exit code 1\nError: ${text}`);
  },
  content: (s, text) => s.run("Write", { file_path: join(s.root, "src/a.ts"), content: `const a = 1;\n// ${text}\n` }),
  edit: (s, text) =>
    s.run("Edit", { file_path: join(s.root, "src/a.ts"), old_string: "a", new_string: `b // ${text}` }),
  search: (s, text) => s.run("Grep", { pattern: text, path: s.root }, "src/a.ts:1:found"),
  fetch: (s, text) => s.run("WebFetch", { url: "https://example.com/docs", prompt: text }, "x".repeat(100)),
  query: async (s, text) => {
    await s.call("WebSearch", { query: text });
    return s.failed("WebSearch", { query: text }, "getaddrinfo ENOTFOUND");
  },
  mcp: (s, text) => s.run("mcp__tracker__create", { title: text, nested: { list: [text] } }, "created"),
  agent: (s, text) => s.run("Task", { description: "look", prompt: text, subagent_type: "general" }, "looked around"),
  answer: (s, text) => s.stop(`All done. ${text}`),
};

const made = (
  t: TestContext,
  packs = [guardPack, disciplinePack, intentPack],
  guard: "warn" | "enforce" = "enforce",
) => {
  const s = stage(t, {
    packs,
    settings: { discipline: { mode: "warn", options }, guard: { mode: guard } },
    files: { "src/a.ts": "const a = 1;\n", "notes.txt": "x", "package.json": '{"scripts":{"test":"x"}}' },
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd: s.root });
  git("add", "-A");
  git("commit", "-qm", "first");
  return s;
};

/** Names and bytes of every file below a folder: packed ones unpacked, git's objects inflated, copies decoded. */
function keptBytes(folder: string): [string, Buffer][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, Buffer][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [...keptBytes(path), ...(entry.name.endsWith(".git") ? keptObjects(path) : [])];
    if (!entry.isFile()) return [];
    return [[path, Buffer.concat([Buffer.from(`${path}\n`), unpacked(path, readFileSync(path))])]];
  });
}

function unpacked(path: string, bytes: Buffer): Buffer {
  assert.doesNotMatch(path, /\.gz$/);
  if (/\/(?:watch|kept)\//.test(path))
    return Buffer.concat([
      bytes,
      ...[...bytes.toString("latin1").matchAll(/[A-Za-z0-9+/]{16,}/g)].map(([copy]) => Buffer.from(copy, "base64")),
    ]);
  if (!path.endsWith(".br")) return bytes;
  return path.includes("/ledger/") ? unpackSegment(bytes)! : brotliDecompressSync(bytes);
}

/** As it is, in lower case, url-encoded, as JSON has it, and in base64. */
function formsOf(text: string): string[] {
  const plain = [text, text.toLowerCase()];
  return [...new Set(plain.flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]))].concat(
    Buffer.from(text).toString("base64").replace(/=+$/, "").slice(0, -1),
  );
}

function survivors(folder: string, planted: ReadonlyMap<string, string>): string[] {
  const files = keptBytes(folder);
  return [...planted].flatMap(([what, text]) =>
    formsOf(text).flatMap((form) => files.filter(([, b]) => b.includes(form)).map(([path]) => `${what}: ${path}`)),
  );
}

function bothVerifiers(s: Stage): void {
  const { id } = s.store.place;
  assert.equal(verify({ home: s.home, id }).verdict, "intact");
  const second = spawnSync(process.execPath, ["scripts/verify-ledger.mjs", s.home, id], { encoding: "utf8" });
  assert.equal(second.status, 0, second.stdout + second.stderr);
}

const envOf = (s: Stage) => ({ PATH: process.env["PATH"]!, HOME: s.userHome, INTERLOCK_HOME: s.home });

/** The built program, in the project of the stage. */
function built(s: Stage, args: string[], input?: object) {
  const env = envOf(s);
  const given = input && { input: JSON.stringify(input) };
  return spawnSync(process.execPath, [script, ...args], { cwd: s.root, env, encoding: "utf8", ...given });
}

const every = process.env["INTERLOCK_NIGHTLY"] !== undefined;

test("secrets of every kind, wherever they come in, are not kept in clear", { timeout: 600_000 }, async (t) => {
  const s = made(t);
  const planted = new Map<string, string>();
  const kinds = Object.entries(plantedSecrets);
  assert.ok(kinds.length >= 60 && Object.keys(places).length >= 12);
  for (const [i, [kind, secret]] of kinds.entries())
    for (const [n, [place, plant]] of Object.entries(places).entries()) {
      // Each kind in every place at night, in four of them otherwise.
      if (!every && (i + n) % 3 !== 0) continue;
      const [text, value] = secret();
      planted.set(`${kind} in ${place}`, value);
      await plant(s, text, i);
    }
  assert.deepEqual(survivors(s.home, planted), []);
  bothVerifiers(s);
});

test("after an erasure no planted text is left, and both verifiers are content", { timeout: 600_000 }, async (t) => {
  const s = made(t);
  const planted = new Map<string, string>();
  for (const [n, [place, plant]] of Object.entries(places).entries()) {
    const text = `the zebra number ${n} walks by`;
    planted.set(place, `zebra number ${n} walks`);
    await plant(s, text, n);
  }
  assert.ok(survivors(s.home, planted).length > 0, "the texts were kept before");
  const run = (...args: string[]) => built(s, args);
  const hook = (payload: object) => built(s, ["hook", "claude-code"], payload);
  const session = { session_id: "built", cwd: s.root, transcript_path: join(s.userHome, "t.jsonl") };
  hook({ ...session, hook_event_name: "UserPromptSubmit", prompt: "the built zebra walks by" });
  planted.set("built", "built zebra walks");

  const dry = run("erase", "--before", "now", "--dry-run", "--json");
  assert.equal(dry.status, 0, dry.stdout + dry.stderr);
  const before = s.store.read().seq;
  const gone = run("erase", "--matching", "zebra number 3 walks", "--yes", "--json");
  assert.equal(gone.status, 0, gone.stdout + gone.stderr);
  assert.deepEqual(survivors(s.home, new Map([["one", "zebra number 3 walks"]])), []);
  const other = run("erase", "--session", "built", "--yes", "--json");
  assert.deepEqual(survivors(s.home, new Map([["built", "built zebra walks"]])), [], other.stdout + other.stderr);
  bothVerifiers(s);
  const all = run("erase", "--before", "now", "--yes");
  assert.match(all.stdout, /texts beside the ledger/);
  assert.deepEqual(survivors(s.home, planted), []);
  assert.ok(s.store.read().seq > before, "each erasure is a record");
  bothVerifiers(s);
  assert.match(run("erase", "--before", "now", "--yes").stdout, /Nothing of the kind is kept/);
  assert.equal(run("verify").status, 0);
});

test("texts in names, paths, messages and files that were kept: each of them is erased", {
  timeout: 600_000,
}, async (t) => {
  const s = made(t, [guardPack, disciplinePack, sredPack], "warn");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd: s.root });
  const planted = new Map<string, string>();
  const z = (what: string) => {
    planted.set(what, `zebra-${what}-walks`);
    return `zebra-${what}-walks`;
  };
  const bash = (command: string, output = "") => s.run("Bash", { command }, output);
  const file = (path: string) => ({ file_path: join(s.root, path) });
  await s.verdict("SessionStart", { source: "startup", model: z("model") });
  await s.prompt("please go on and fix the bug");
  await s.run("Write", { ...file(`src/${z("written")}.ts`), content: "x" });
  await s.run("Edit", { ...file(`src/${z("edited")}.ts`), old_string: "a", new_string: "b" });
  await s.run("Read", file(`docs/${z("read")}.md`), "x");
  await s.run("Grep", { pattern: "x", path: join(s.root, z("searched")) }, "x");
  await bash(`npx vitest run src/${z("tested")}.test.ts`, "1 passed");
  await s.call("Bash", { command: `git switch -c ${z("branch")}` });
  git("switch", "-qc", "zebra-branch-walks");
  await s.done("Bash", { command: "git switch -c zebra-branch-walks" }, "Switched");
  s.write("src/a.ts", "const a = 2;\n");
  const commit = `git commit -qam 'fix: ${z("message")}' -m 'SRED-Project: ${z("claim")}'`;
  await s.call("Bash", { command: commit });
  git("commit", "-qam", "fix: zebra-message-walks", "-m", "SRED-Project: zebra-claim-walks");
  await s.done("Bash", { command: commit }, "[x]");
  await s.run("mcp__tracker__create", { title: z("argument"), path: `/x/${z("mcppath")}` }, "created");
  await s.run(`mcp__${z("server")}__${z("operation")}`, { title: 1 }, "created");
  await s.run(z("tool"), { title: 1 }, "created");
  await s.run("WebFetch", { url: `https://example.com/${z("url")}?q=${z("query")}`, prompt: "x" }, "x".repeat(100));
  await s.run("Task", { description: z("description"), prompt: "x", subagent_type: z("subagent") }, "looked");
  s.agent = { id: "a81bc", type: z("agenttype") };
  await bash("ls");
  await s.verdict("SubagentStop", { agent_transcript_path: `/x/${z("agenttranscript")}` });
  s.agent = undefined;
  mkdirSync(join(s.root, z("folder")));
  const elsewhere = {
    cwd: join(s.root, "zebra-folder-walks"),
    transcript_path: `/x/${z("transcript")}/session-1.jsonl`,
  };
  await s.verdict("UserPromptSubmit", { prompt: "x y", prompt_id: "p-9", ...elsewhere });
  await s.verdict("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t9", ...elsewhere });
  await s.run("Skill", { skill: z("skill") }, "x");
  await bash(`npm run ${z("script")}`, "x");
  await s.verdict("ConfigChange", { source: "project_settings", file_path: `/x/${z("config")}` });
  await s.failed("Bash", { command: `cat ${z("failed")}` }, `no ${z("error")}`);
  s.write("notes.txt", z("content"));
  s.write(z("untracked"), "x");
  await bash("git reset --hard");
  git("stash", "-qu");
  await bash("git stash clear");
  s.write("notes.txt", z("lost"));
  await bash("make everything");
  await bash(`rm -rf /${z("refused")}`);
  await s.verdict("SessionEnd", { reason: z("reason") });

  const before = survivors(s.home, planted);
  assert.ok(before.length > 20 && before.some((where) => /^content: .*\/objects\//.test(where)), before.join("\n"));
  assert.ok(
    !before.some((where) => /\/(?:ledger\/|state)/.test(where)),
    "the chain and the state hold no word in clear",
  );
  const one = new Map(["written", "server"].map((what) => [what, planted.get(what)!]));
  for (const text of one.values()) assert.equal(built(s, ["erase", "--matching", text, "--yes"]).status, 0);
  assert.deepEqual(survivors(s.home, one), []);
  bothVerifiers(s);
  const all = built(s, ["erase", "--before", "now", "--yes"]);
  assert.equal(all.status, 0, all.stdout + all.stderr);
  assert.deepEqual(survivors(s.home, planted), []);
  bothVerifiers(s);
  assert.match(built(s, ["erase", "--before", "now", "--yes"]).stdout, /Nothing of the kind is kept/);
});

test("closed segments, packed texts and archived sessions keep nothing either", { timeout: 600_000 }, async (t) => {
  const s = made(t);
  const planted = new Map<string, string>();
  const ways = Object.entries(places);
  const sessions = 310;
  for (let n = 0; n < sessions; n++) {
    const [place, plant] = ways[n % ways.length]!;
    s.session = `session-${n}`;
    planted.set(`${place} ${n}`, `zebra number ${n} walks`);
    await plant(s, `the zebra number ${n} walks by`, n);
    if (n % 100 === 99) s.store.compact(Number.POSITIVE_INFINITY, true);
  }
  const folder = join(s.home, "projects", s.store.place.id);
  const packed = (name: string) => readdirSync(join(folder, name)).filter((file) => file.endsWith(".br"));
  for (const name of ["ledger", "texts", "sessions"]) assert.ok(packed(name).length >= 3, `${name} has packed files`);
  const holding = survivors(s.home, planted);
  assert.ok(
    holding.some((where) => /texts\/\d+\.jsonl\.br$/.test(where)),
    "the texts were kept before",
  );
  assert.ok(!holding.some((where) => /\/(ledger|sessions)\//.test(where)), "and nowhere but beside the record");
  const run = (...args: string[]) => built(s, args);
  const ok = (...args: string[]) => {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };

  // A text of an old session goes; then an archive is lost, and a person recovers.
  ok("erase", "--matching", "zebra number 5 walks", "--yes");
  ok("erase", "--session", "session-6", "--yes");
  const erased = new Map([5, 6].map((n) => [`${n}`, `zebra number ${n} walks`]));
  assert.deepEqual(survivors(s.home, erased), []);
  bothVerifiers(s);
  const state = s.store.read().state;
  assert.ok(!Object.keys(state).some((slice) => slice.endsWith("@session-6")));
  rmSync(join(folder, "sessions", packed("sessions")[0]!));
  assert.equal(run("verify").status, 4);
  const recover = [process.execPath, script, "recover", "--reason", "the archive was lost"];
  assert.match(atTerminal(recover, s.root, envOf(s)).text, /Recovered/);
  assert.deepEqual(s.store.read().state, state, "read from the ledger again, without what was erased");
  assert.deepEqual(survivors(s.home, erased), []);
  bothVerifiers(s);

  s.store.compact(Number.POSITIVE_INFINITY, true);
  ok("erase", "--before", "now", "--yes");
  assert.deepEqual(survivors(s.home, planted), []);
  assert.deepEqual([packed("sessions"), packed("texts")], [[], []]);
  bothVerifiers(s);

  // An erased session goes on.
  const session = { session_id: "session-7", cwd: s.root, transcript_path: join(s.userHome, "t.jsonl") };
  for (const event of [
    { hook_event_name: "SessionStart", source: "resume" },
    { hook_event_name: "UserPromptSubmit", prompt: "go on" },
    { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: join(s.root, "src/a.ts") } },
  ]) {
    const { status, stdout, stderr } = built(s, ["hook", "claude-code"], { ...session, tool_use_id: "t1", ...event });
    assert.deepEqual([status, stdout.includes('"deny"')], [0, false], stdout + stderr);
  }
  const last = [...s.store.records()].slice(-3);
  assert.deepEqual(
    last.map(({ session, body }) => [session, body["faults"]]),
    last.map(() => ["session-7", undefined]),
  );
  assert.ok(s.store.read().condition.ok);
  bothVerifiers(s);
});
