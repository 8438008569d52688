// Discovery by a model with the real Claude Agent SDK and the real client, against a scripted model on loopback.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loopbackClientEnv, runClaude } from "../../src/live/claude.js";
import { type ModelStep, type ScriptedModel, startModel } from "../../src/live/model.js";
import { askModel } from "../../src/sred/model/ask-model.js";
import { temporary } from "../../src/testing/temporary.js";
import { until } from "../../src/testing/until.js";
import { type SredProject, sredProject, tags } from "../sred/sred-project.js";
import { binary, needsClient, root } from "./workplace.js";

const clients = (await import(pathToFileURL(join(root, "scripts/clients.mjs")).href)) as { installAgentSdk(): string };
const sdk = binary ? agentSdk() : "";
const needsSdk = { ...needsClient, skip: needsClient.skip || (sdk ? false : "the Agent SDK can't be installed") };

function agentSdk(): string {
  try {
    return clients.installAgentSdk();
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    return ""; // no registry: the tests are skipped with the reason
  }
}

/** The built program as a package with the optional dependency beside it. */
function packaged(): string {
  const folder = join(temporary("sred-package"), "package");
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  mkdirSync(join(folder, "node_modules", "@anthropic-ai"), { recursive: true });
  symlinkSync(sdk, join(folder, "node_modules", "@anthropic-ai", "claude-agent-sdk"));
  return join(folder, "dist", "interlock.cjs");
}

/** A `claude` in PATH that notes its environment and its process and becomes the real client. */
function clientFolder(notes: string): string {
  const bin = join(temporary("sred-bin"), "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nenv > "${notes}/env.txt"\necho $$ > "${notes}/pid"\nexec "${binary}" "$@"\n`;
  writeFileSync(join(bin, "claude"), script, { mode: 0o755 });
  return bin;
}

const says = (answer: object): ModelStep => ({
  calls: [{ tool: "StructuredOutput", input: answer as Record<string, unknown> }],
});
const good = { suggestedProject: "PLANNER", alternatives: ["CACHE"], reasoning: "It plans.", confidence: 0.7 };

async function scripted(t: TestContext, ...steps: ModelStep[]): Promise<ScriptedModel> {
  const model = await startModel([{ marker: "Scope:", steps }]);
  t.after(() => model.close());
  return model;
}

interface Place extends SredProject {
  notes: string;
  suggest(port: number, ...args: string[]): Promise<Record<string, unknown> & { stderr: string }>;
}

function place(): Place {
  const project = sredProject(packaged(), { userYaml: "packs:\n  sred:\n    model: true\n" });
  project.commit("src/cache/a.ts", `feat(cache): one\n\n${tags("CACHE")}`);
  project.commit("src/plan/a.ts", `feat(plan): one\n\n${tags("PLANNER")}`);
  project.write("web/new.ts", "1\n");
  project.git("add", "-A");
  const notes = temporary("sred-notes");
  const PATH = `${clientFolder(notes)}${delimiter}${project.env["PATH"]}`;
  return {
    ...project,
    notes,
    async suggest(port, ...args) {
      const env = { ...loopbackClientEnv(port), PATH };
      const { stdout, stderr, status } = await project.interlockBeside(["sred", "suggest", "--json", ...args], env);
      assert.equal(status, 0, stderr);
      return { ...(JSON.parse(stdout) as Record<string, unknown>), stderr };
    },
  };
}

test(
  "the real SDK's answer comes back parsed, is kept, and the gate uses it; no hook runs in the session",
  needsSdk,
  async (t) => {
    const at = place();
    // Hooks of the user and of the project: a session that loaded settings would run them.
    const ran = join(at.notes, "hook-ran");
    const hooks = ["SessionStart", "UserPromptSubmit", "Stop"].map((name) => [
      name,
      [{ hooks: [{ type: "command", command: `touch ${ran}` }] }],
    ]);
    const settings = JSON.stringify({ hooks: Object.fromEntries(hooks) });
    for (const folder of [join(at.env["HOME"]!, ".claude"), join(at.root, ".claude")]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "settings.json"), settings);
    }
    const model = await scripted(t, says(good));
    // Where the machine is so busy that eight seconds pass, the next scope is tried: a failure is kept as well.
    let scope = "";
    let first: Awaited<ReturnType<Place["suggest"]>> | undefined;
    for (let i = 0; i < 5 && first?.["source"] !== "model"; i++) {
      scope = `web${"abcde"[i]}`;
      first = await at.suggest(model.port, "--message", `feat(${scope}): plan <b>routes</b>\u0007`);
    }
    assert.equal(first!["project"], "PLANNER", first!.stderr);
    assert.deepEqual(first!["alternatives"], ["CACHE"]);
    assert.equal(first!["machineMade"], true);
    const [request] = model.requests;
    assert.deepEqual(
      request!.tools.filter((name) => /bash|write|edit|read|task|agent/i.test(name)),
      [],
      "no tool that acts",
    );
    assert.match(readFileSync(join(at.notes, "env.txt"), "utf8"), /^CLAUDE_HOOK_SPAWNED=1$/m);
    assert.equal(existsSync(ran), false, "no hook of the settings ran");
    // Within five minutes the same content is not asked again; other content and another scope are.
    const count = model.requests.length;
    const message = `feat(${scope}): again`;
    assert.equal((await at.suggest(model.port, "--message", message))["cached"], true);
    assert.equal(model.requests.length, count);
    const reason = at.asks(`git commit -m "feat(${scope}): plan routes"`).reason!;
    assert.match(reason, /Suggested: SRED-Claim: PLANNER\nAlternatives: CACHE\nReasoning: It plans\./);
    assert.match(reason, /from model/);
    at.write("web/new.ts", "2\n");
    at.git("add", "-A");
    assert.equal((await at.suggest(model.port, "--message", message))["cached"], false);
    assert.equal((await at.suggest(model.port, "--message", "feat(other): again"))["cached"], false);
    // The mark starts no session, and no gate takes it for a permission.
    const env = { ...loopbackClientEnv(model.port), CLAUDE_HOOK_SPAWNED: "1" };
    const marked = at.interlock(["sred", "suggest", "--scope", "third", "--json"], { env });
    assert.equal((JSON.parse(marked.stdout) as { failure: string }).failure, "SDK_ERROR");
    assert.equal(at.asks(`git commit -m "feat(web): x"`, env).decision, "deny");
    // The same client with its settings does run the hooks: their silence above means something.
    await runClaude({
      binary,
      scripts: [{ marker: "go", steps: [{ text: "ok" }] }],
      project: at.root,
      home: at.env["HOME"]!,
    });
    assert.equal(existsSync(ran), true);
  },
);

test(
  "garbage answers, a dead and a hanging endpoint end with the fallback, and nothing runs on",
  needsSdk,
  async (t) => {
    const at = place();
    const odd = await scripted(t, says({ ...good, suggestedProject: "rm -rf /" }), { text: "I like turtles." });
    assert.deepEqual((await asked(at, odd.port, 60_000)).answer, { failure: "PARSE_ERROR" });
    const prose = await scripted(t, { text: "I like turtles." }, { text: "Still." }, { text: "Still." });
    assert.deepEqual((await asked(at, prose.port, 60_000)).answer, { failure: "PARSE_ERROR" });
    // Nothing listens on port 9.
    const dead = await at.suggest(9, "--scope", "dead");
    assert.deepEqual([dead["failure"], dead["source"], dead["project"]], ["OFFLINE", "scope", "DEAD"]);
    const refused = at.asks(`git commit -m "feat(dead): x"`).reason!;
    assert.match(refused, /\(Discovery unavailable\)\nSuggested: SRED-Claim: DEAD\nFormat: PROJECT\[-VARIANT\]/);
    const html = createServer((_, response) => response.end("<html>Sign in to the hotel's network</html>"));
    await new Promise<void>((resolve) => html.listen(0, "127.0.0.1", resolve));
    t.after(() => html.close());
    const portal = await asked(at, (html.address() as AddressInfo).port, 3_000);
    assert.ok("failure" in portal.answer, JSON.stringify(portal));
    const hanging = createTcpServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    t.after(() => hanging.close());
    const hung = await asked(at, (hanging.address() as AddressInfo).port, 3_000);
    assert.deepEqual(hung.answer, { failure: "NETWORK_TIMEOUT" });
    const pid = Number(readFileSync(join(at.notes, "pid"), "utf8"));
    await until(() => !isAlive(pid), "the client is killed with its session");
  },
);

const asked = (at: Place, port: number, ms: number) =>
  askModel({
    input: "Scope: x",
    sdk: pathToFileURL(join(sdk, "sdk.mjs")).href,
    executable: join(clientFolder(at.notes), "claude"),
    child: join(root, "dist", "sred-model.mjs"),
    cwd: temporary("sred-session"),
    env: { ...loopbackClientEnv(port), PATH: process.env["PATH"], HOME: at.env["HOME"] },
    ms,
  });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
