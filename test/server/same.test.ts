// The same events over http, through the spool and in a hook process get the same answers and the same record.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { handleCall } from "../../src/hook/pipeline.js";
import { readAddress } from "../../src/hook/server-address.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { type Place, place, send, served } from "./server.js";
import { askSpool, spooling } from "./spooled.js";

const rules = `
rules:
  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people, next: ask the user to deploy }
  - { id: generated, on: write, where: "generated/**", message: the build makes these, next: change the source }
`;

const commands = [
  "git status",
  "rm -rf /",
  "npm test",
  "make deploy",
  "echo '{}' > .claude/settings.json",
  "sudo ls",
  "cat a | tee b",
  "git push --force",
  "$CMD x",
  "bash -c 'make deploy'",
];

/** A session of an agent, by a generator that is the same each time. */
function* session(at: Place, count: number): Generator<[event: string, payload: object]> {
  let seed = 7;
  const pick = <T>(list: readonly T[]): T => list[(seed = (seed * 1103515245 + 12345) & 0x7fffffff) % list.length]!;
  for (let i = 0; i < count; i++) {
    const common = {
      session_id: pick(["s-1", "s-2", "s-3"]),
      transcript_path: "",
      cwd: at.project,
      permission_mode: "default",
    };
    const command = { tool_name: "Bash", tool_input: { command: pick(commands), description: `${i}` } };
    const write = {
      tool_name: "Write",
      tool_input: {
        file_path: join(at.project, pick(["a.ts", "generated/b.ts", ".claude/settings.json", ".env"])),
        content: `${i}`,
      },
    };
    const call = {
      ...pick([
        command,
        write,
        { tool_name: "Read", tool_input: { file_path: join(at.project, "a.ts") } },
        { tool_name: "mcp__x__y", tool_input: {} },
      ]),
      tool_use_id: `toolu_${i}`,
    };
    const agent = pick([{}, {}, { agent_id: "a-1", agent_type: "general" }]);
    const [event, more] = pick<[string, object]>([
      ["PreToolUse", call],
      ["PreToolUse", call],
      ["PreToolUse", call],
      ["PostToolUse", { ...call, tool_response: { stdout: `${i}`, stderr: "", interrupted: false } }],
      ["PostToolUseFailure", { ...call, error: `Exit code ${i % 3}` }],
      ["UserPromptSubmit", { prompt: pick(["go on", "please deploy it", "what is this?"]), prompt_id: `p-${i}` }],
      ["Stop", { stop_hook_active: i % 2 === 0, last_assistant_message: "done" }],
      ["ConfigChange", { source: "project_settings", file_path: join(at.project, "none.json") }],
    ]);
    yield [event, { ...common, ...agent, hook_event_name: event, ...more }];
  }
}

const count = process.env["INTERLOCK_NIGHTLY"] ? 10_000 : 120;

test(`${count} events over http, the spool and in a hook process: the same answers and the same record`, async (t) => {
  const [there, here, beside] = [place(t), place(t), place(t)];
  for (const at of [there, here, beside]) writeFileSync(join(at.project, "interlock.yaml"), rules);
  const { door } = await served(there);
  const texts: [string[], string[], string[]] = [[], [], []];
  for (const [event, payload] of session(there, count)) texts[0].push(await send(door, JSON.stringify(payload), event));
  await served(beside);
  await spooling(beside);
  for (const [event, payload] of session(beside, count))
    texts[2].push((await askSpool(beside, JSON.stringify(payload), { event })) ?? "");
  const env = { ...here.env, CLAUDE_PROJECT_DIR: here.project };
  for (const [event, payload] of session(here, count)) {
    const bytes = Buffer.from(JSON.stringify(payload));
    texts[1].push((await handleCall({ bytes, env, registered: event, home: here.home })).text);
  }
  const plain = (text: string, at: Place) => text.replaceAll(at.base, "BASE");
  for (let i = 0; i < count; i++) {
    assert.equal(plain(texts[0][i]!, there), plain(texts[1][i]!, here), `event ${i}`);
    assert.equal(plain(texts[2][i]!, beside), plain(texts[1][i]!, here), `event ${i}, spooled`);
  }
  const refusals = texts[0].filter((text) => text.includes("BLOCKED")).length;
  assert.ok(refusals > count / 20 && refusals < count / 2, `${refusals}`);

  // Digests of actions hold the folder, which each door has of its own: numbered as they come.
  const seen = new Map<string, number>();
  const inOrderSeen = (text: string, { base }: Place) =>
    text.replaceAll(/"actions":(\{[^}]*\})/g, (_, actions: string) => {
      const numbered = Object.entries(JSON.parse(actions) as Record<string, number>).map(([digest, times]) => {
        const key = `${base} ${digest}`;
        if (!seen.has(key)) seen.set(key, [...seen.keys()].filter((one) => one.startsWith(`${base} `)).length);
        return [seen.get(key)!, times] as const;
      });
      return `"actions":${JSON.stringify(numbered.sort(([a], [b]) => a - b))}`;
    });
  // Masks of words depend on the key, which each home has of its own: numbered as they come, too.
  const masksInOrder = (text: string, { base }: Place) =>
    text.replaceAll(/"~?[0-9a-f]{16}"/g, (mask) => {
      const key = `mask ${base} ${mask}`;
      if (!seen.has(key)) seen.set(key, [...seen.keys()].filter((one) => one.startsWith(`mask ${base} `)).length);
      return `"mask ${seen.get(key)}"`;
    });
  const records = [there, here, beside].map((at) =>
    [...openStore({ home: at.home, id: identify(at.project).id }).records()].map(
      ({ type, session, agent, ids, body, patch }) => {
        const { ms: _, digest: __, ...rest } = body as Record<string, unknown>;
        const text = JSON.stringify({ type, session, agent, ids, rest, patch }).replaceAll(/"(at|ms)":\d+/g, '"$1":0');
        return plain(masksInOrder(inOrderSeen(text, at), at), at);
      },
    ),
  );
  for (const [door, each] of records.entries()) {
    assert.equal(each.length, count);
    for (let i = 0; i < count; i++)
      assert.equal(
        each[i]!.replaceAll(/\d{13}/g, "TIME"),
        records[1]![i]!.replaceAll(/\d{13}/g, "TIME"),
        `record ${i} of door ${door}`,
      );
  }
});

test("hooks and the server write to one record at the same time, and it verifies", async (t) => {
  const at = place(t);
  // A server process of its own: waiting for the lock blocks this one.
  at.before(() => at.interlock("down"));
  assert.equal(at.interlock("up").status, 0);
  const door = readAddress(at.home)!;
  const events = [...session(at, 150)];
  const env = { ...at.env, CLAUDE_PROJECT_DIR: at.project };
  const lanes = 4;
  const client = async (lane: number) => {
    for (let i = lane; i < events.length; i += lanes) await send(door, JSON.stringify(events[i]![1]), events[i]![0]);
  };
  await Promise.all([
    ...Array.from({ length: lanes }, (_, lane) => client(lane)),
    (async () => {
      for (const [event, payload] of events)
        await handleCall({ bytes: Buffer.from(JSON.stringify(payload)), env, registered: event, home: at.home });
    })(),
  ]);
  const verified = at.interlock("verify", "--json");
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  assert.equal(JSON.parse(verified.stdout).integrity.records, 2 * events.length);
});
