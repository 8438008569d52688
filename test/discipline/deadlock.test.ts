// No deadlock: after any 200 events, with every gate on, the documented remedies lead to an allowed edit within 12
// calls.
// Invariant: engine and pack are real; only the ledger is kept in memory, so that hundreds of sessions fit in a test.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { Engine } from "../../src/engine/engine.js";
import { projectOf } from "../../src/engine/project-reader.js";
import { difference } from "../../src/engine/slices.js";
import { decode } from "../../src/hosts/claude-code/protocol/decode.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Verdict } from "../../src/model/verdict.js";
import { compile, defaults } from "../../src/packs/discipline/config.js";
import { disciplinePack as discipline } from "../../src/packs/discipline/index.js";
import { beginLoop, finishLoop, type LoopAnswer, loopOf } from "../../src/packs/discipline/state-commands.js";
import type { RecordDraft, Snapshot, Store } from "../../src/store/index.js";
import { failing, passing } from "./agent.js";

/** RFC 7386, as the ledger folds. */
function merge(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const out: Record<string, unknown> =
    target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merge(out[key], value);
  }
  return out;
}

class MemoryStore {
  constructor(readonly place: Store["place"]) {}
  seq = 0;
  state: JsonObject = {};
  read(): Snapshot {
    return {
      seq: this.seq,
      hash: "",
      state: this.state,
      condition: { ok: true, tampered: false, locked: false, degraded: false, findings: [] },
      silentSlices: () => [],
    };
  }
  mask(word: string): string {
    return word;
  }
  words(): Map<string, string> {
    return new Map();
  }
  append(build: (snapshot: Snapshot) => RecordDraft | undefined): void {
    this.appendUnfinished(build);
  }
  appendUnfinished(build: (snapshot: Snapshot) => RecordDraft | undefined) {
    const draft = build(this.read());
    if (!draft) return undefined;
    this.seq++;
    // Through JSON, as every other process would see it.
    if (draft.patch) this.state = JSON.parse(JSON.stringify(merge(this.state, draft.patch))) as JsonObject;
    return { seq: this.seq, finish: () => {} };
  }
}

const { gates: _modes, ...options } = defaults as JsonObject & { gates: unknown };
const configured = compile({
  ...options,
  research: { ...(options["research"] as JsonObject), strict: true },
  startup: {
    steps: [
      { id: "handbook", read: "HANDBOOK.md" },
      { id: "clean", run: "make clean" },
    ],
  },
  documents: ["CONTRIBUTING.md"],
  plan: { when: "big-task" },
  loop: { bigTasks: true, maxIterations: 3 },
  skills: [{ name: "audit", words: ["audit the docs"], agents: 1 }],
  release: { profiles: ["sparkle"], rules: [], manifests: [], clearanceHours: 4 },
});

class World {
  readonly root = mkdtempSync(join(tmpdir(), "interlock-deadlock-"));
  readonly store = new MemoryStore({ home: join(this.root, "interlock"), id: "x" });
  readonly project = join(this.root, "p");
  clock = Date.UTC(2026, 0, 1);
  calls = 0;
  #text = "export const a = 1;\n";

  constructor() {
    mkdirSync(join(this.project, "src"), { recursive: true });
    for (const [name, text] of [
      ["HANDBOOK.md", "how\n"],
      ["CONTRIBUTING.md", "rules\n"],
      ["src/a.ts", this.#text],
      ["package.json", '{"scripts":{"test":"x"}}'],
    ] as const)
      writeFileSync(join(this.project, name), text);
  }

  async send(name: string, payload: JsonObject): Promise<Verdict> {
    this.clock += 20_000;
    const engine = new Engine({
      packs: [discipline],
      project: projectOf({ root: this.project, id: "x" } as Parameters<typeof projectOf>[0]),
      store: this.store as unknown as Store,
      userHome: this.root,
      home: join(this.root, "interlock"),
      places: { home: this.root, projectRoot: this.project, interlockHome: join(this.root, "interlock") },
      wallClock: () => this.clock,
      origin: () => ({ kind: "genuine", why: "the test plays the agent" }),
      config: {
        version: 1,
        packs: { discipline: { enabled: true, mode: "enforce", gates: {}, options: configured } },
        mcp: {},
        shell: { wrappers: [] },
        adopt: [],
        trace: false,
        deadlineMs: 60_000,
        maxStopBlocks: 3,
      },
    });
    const { verdict, unrecorded } = await engine.handle(
      decode({ session_id: "s", cwd: this.project, hook_event_name: name, ...payload }, {}, []),
    );
    assert.equal(unrecorded, undefined);
    assert.deepEqual(verdict.faults, []);
    return verdict;
  }

  prompt = (text: string) => this.send("UserPromptSubmit", { prompt: text });
  stop = (text: string) => this.send("Stop", { last_assistant_message: text, stop_hook_active: false });

  async call(tool: string, input: JsonObject, response: JsonObject | string | Error): Promise<Verdict> {
    this.calls++;
    const call = { tool_name: tool, tool_input: input, tool_use_id: `t${this.calls}` };
    const verdict = await this.send("PreToolUse", call);
    if (verdict.outcome === "deny") return verdict;
    if (response instanceof Error) await this.send("PostToolUseFailure", { ...call, error: response.message });
    else await this.send("PostToolUse", { ...call, tool_response: response });
    return verdict;
  }

  bash = (command: string, output: string, exit = 0) =>
    this.call(
      "Bash",
      { command },
      exit ? new Error(`Exit code ${exit}\n${output}`) : { stdout: output, stderr: "", interrupted: false },
    );
  read = (path: string) =>
    this.call("Read", { file_path: join(this.project, path) }, { type: "text", file: { content: "some text" } });
  fetch = (url: string) =>
    this.call("WebFetch", { url, prompt: "p" }, { result: "a page with a good many words about the matter at hand" });
  edit = () =>
    this.call(
      "Edit",
      { file_path: join(this.project, "src/a.ts"), old_string: "a = 1", new_string: "a = 1" },
      { filePath: "src/a.ts" },
    );

  loop(act: (state: JsonObject) => LoopAnswer): void {
    this.store.append(({ state }) => {
      const next = act(state as JsonObject).next ?? {};
      const patch = Object.fromEntries(
        Object.entries(next).map(([key, value]) => [
          key,
          difference((state as JsonObject)[key], value as JsonObject) ?? {},
        ]),
      );
      return { type: "loop", body: {}, patch: patch as JsonObject };
    });
  }

  close = () => rmSync(this.root, { recursive: true, force: true });
}

type Deed = readonly [string, (w: World) => Promise<unknown>];

const deeds: readonly Deed[] = [
  ["task", (w) => w.prompt("Fix the wrong constant in the settings reader")],
  ["other task", (w) => w.prompt("Implement CSV export for the reporting dashboard")],
  ["big task", (w) => w.prompt("Rewrite the whole backend to use the new client")],
  ["plan", (w) => w.prompt("Make a plan first: add caching to the resolver of packages")],
  ["investigate", (w) => w.prompt("Investigate why the parser is slow, do not change any code")],
  ["skill", (w) => w.prompt("audit the docs and fix them")],
  ["research first", (w) => w.prompt("Research first, then add retries to the uploader and commit")],
  ["question", (w) => w.prompt("what does the parser do?")],
  ["yes", (w) => w.prompt("yes")],
  ["frustrated", (w) => w.prompt("no, that's not what I said")],
  ...["s+", "s-", "rb-", "reset research", "pa+", "sl+", "sl-", "reset blocks", "research"].map(
    (c): Deed => [c, (w) => w.prompt(c)],
  ),
  ["machine", (w) => w.send("UserPromptSubmit", { prompt: "<task-notification>done</task-notification>" })],
  ["edit", (w) => w.edit()],
  ["shell write", (w) => w.bash("cp src/a.ts src/b.ts", "")],
  ["inline", (w) => w.bash('python3 -c \'open("src/a.ts","w")\'', "")],
  ["failure", (w) => w.bash("make", "make: *** [all] Error 1", 2)],
  ["another failure", (w) => w.bash("cargo build", "error[E0425]: cannot find value", 101)],
  ["tests fail", (w) => w.bash("npm test", failing(), 1)],
  ["tests pass", (w) => w.bash("npm test", passing())],
  ["hidden run", (w) => w.bash("npm test || true", "")],
  ["read", (w) => w.read("src/a.ts")],
  ["handbook", (w) => w.read("HANDBOOK.md")],
  ["fetch docs", (w) => w.fetch("https://docs.example.org/x")],
  [
    "fetch fails",
    (w) => w.call("WebFetch", { url: "https://docs.example.org/x", prompt: "p" }, new Error("getaddrinfo ENOTFOUND")),
  ],
  ["search fails", (w) => w.call("WebSearch", { query: "x" }, new Error("unavailable"))],
  ["empty search", (w) => w.call("WebSearch", { query: "x" }, "No results found.")],
  ["commit", (w) => w.bash("git commit -am x", "[main 1] x")],
  ["push", (w) => w.bash("git push", "")],
  ["unknown tool", (w) => w.call("Mystery", { x: 1 }, {})],
  ["mcp write", (w) => w.call("mcp__fs__write_file", { path: "x" }, { content: [] })],
  [
    "agent",
    (w) => w.call("Agent", { prompt: "look", description: "d" }, { content: [{ type: "text", text: "seen" }] }),
  ],
  ["stop", (w) => w.stop("Done; all tests pass.")],
  ["vague stop", (w) => w.stop("Made various changes.")],
  ["compact", (w) => w.send("SessionStart", { source: "compact" })],
  ["start loop", async (w) => w.loop((s) => beginLoop(s, "x", ["y"], 3, w.clock))],
  ["end loop", async (w) => w.loop((s) => finishLoop(s, "cancelled", w.clock))],
  ["hour", async (w) => void (w.clock += 3_600_000)],
];

/** What each gate's page says opens it; a person's prompts are not the agent's calls. */
const remedies: Readonly<Record<string, (w: World, text: string) => Promise<unknown>>> = {
  "discipline/safemode": (w) => w.prompt("s-"),
  "discipline/startup": (w, text) =>
    /read HANDBOOK/.test(text) ? w.read("HANDBOOK.md") : w.bash("make clean", "cleaned"),
  "discipline/breaker": (w) => w.fetch("https://docs.example.org/cause"),
  "discipline/documents": (w) => w.read("CONTRIBUTING.md"),
  "discipline/plan": async (w) => {
    await w.stop("The plan: read the code, change the one constant, run the tests, report.");
    await w.prompt("pa+");
  },
  "discipline/research-only": (w) => w.prompt("ok, now change it"),
  "discipline/research": (w, text) => {
    const missing = /not yet researched for this task: ([a-z, ]+)/.exec(text)?.[1] ?? "";
    if (missing.includes("docs")) return w.fetch("https://docs.example.org/guide");
    if (missing.includes("web"))
      return w.call("WebSearch", { query: "x" }, { results: ["a result with a good many words in it"] });
    if (missing.includes("github")) return w.fetch("https://github.com/o/r/issues/2");
    return w.read("src/a.ts");
  },
  "discipline/requirements": (w) => w.read("src/a.ts"),
  "discipline/read-first": (w) => w.read("src/a.ts"),
  "discipline/loop": async (w) => {
    w.calls++;
    if (loopOf(w.store.state).active) w.loop((s) => finishLoop(s, "cancelled", w.clock));
    else w.loop((s) => beginLoop(s, "the task", ["it works"], 3, w.clock));
  },
  "discipline/skill": (w, text) =>
    /started/.test(text)
      ? w.call(
          "Agent",
          { prompt: "look", description: "d", run_in_background: false },
          { content: [{ type: "text", text: "seen" }] },
        )
      : w.call("Skill", { skill: "audit" }, { success: true }),
};

async function waysOut(w: World): Promise<{ legitimate: number; way: string[] }> {
  const way: string[] = [];
  const start = w.calls;
  let refused = 0;
  for (let i = 0; i < 40; i++) {
    const verdict = await w.edit();
    if (verdict.outcome !== "deny") return { legitimate: w.calls - start - refused, way };
    refused++;
    const remedy = remedies[verdict.gate!];
    assert.ok(remedy, `${verdict.gate} refuses an edit and no remedy is known: ${verdict.text}`);
    // From the third time on the words are for the user; the opinion itself still names the step.
    const judged = verdict.opinions.find((o) => o.gate === verdict.gate);
    const said = judged?.opinion.kind === "deny" ? `${judged.opinion.why}\n${judged.opinion.next}` : "";
    way.push(verdict.gate!);
    await remedy(w, said);
  }
  assert.fail(`no way out: ${way.join(" -> ")}`);
}

const runs = process.env["INTERLOCK_NIGHTLY"] ? 300 : 30;

test("from any state the remedies lead to an allowed edit within twelve legitimate calls", async (t) => {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(deeds.length - 1), { minLength: 200, maxLength: 200 }),
      fc.array(fc.nat(199), { minLength: 2, maxLength: 4 }),
      async (events, looks) => {
        const w = new World();
        try {
          for (const [i, n] of events.entries()) {
            await deeds[n]![1](w);
            if (!looks.includes(i) && i !== events.length - 1) continue;
            const { legitimate, way } = await waysOut(w);
            longest = Math.max(longest, legitimate);
            assert.ok(legitimate <= 12, `${legitimate} calls: ${way.join(" -> ")}`);
          }
        } finally {
          w.close();
        }
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
  t.diagnostic(`${runs} sessions of 200 events; the longest way out took ${longest} calls`);
});

test("with every gate closed at once the way out is still short", async (t) => {
  const w = new World();
  t.after(() => w.close());
  await w.prompt("Make a plan first, research first, audit the docs and rewrite the whole backend");
  await w.prompt("first only investigate the tests");
  await w.prompt("s+");
  for (let i = 0; i < 3; i++) await w.bash("npm test", failing(), 1);
  const { legitimate, way } = await waysOut(w);
  assert.ok(legitimate <= 12, `${legitimate} calls: ${way.join(" -> ")}`);
  assert.ok(new Set(way).size >= 8, `the state was closed by many gates: ${[...new Set(way)].join(", ")}`);
});
