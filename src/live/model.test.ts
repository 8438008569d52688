import assert from "node:assert/strict";
import { test } from "node:test";
import { type ModelMessage, type Script, startModel } from "./model.js";

const scripts: Script[] = [
  {
    marker: "main",
    steps: [{ text: "looking", calls: [{ tool: "Bash", input: { command: "ls" } }] }, { text: "finished" }],
  },
  { marker: "[sub]", steps: [{ calls: [{ tool: "Read", input: { file_path: "/x" } }] }] },
];
const user = (content: ModelMessage["content"]): ModelMessage => ({ role: "user", content });
const assistant: ModelMessage = { role: "assistant", content: "…" };

const rows: [string, ModelMessage[], object[], string][] = [
  ["first step", [user("main")], [{ type: "text", text: "looking" }, { tool: "toolu_main_0_0" }], "tool_use"],
  ["second step", [user("main"), assistant, user("…")], [{ type: "text", text: "finished" }], "end_turn"],
  ["past the end", [user("main"), assistant, assistant], [{ type: "text", text: "done" }], "end_turn"],
  ["sub-agent by its marker", [user([{ type: "text", text: "[sub] go" }])], [{ tool: "toolu_sub_0_0" }], "tool_use"],
  [
    "no marker: the first script",
    [user("hello")],
    [{ type: "text", text: "looking" }, { tool: "toolu_main_0_0" }],
    "tool_use",
  ],
];

for (const [name, messages, content, stop] of rows) {
  test(`the request selects the step: ${name}`, async (t) => {
    const model = await startModel(scripts);
    t.after(() => model.close());
    const answer = (await (await post(model.port, { messages, tools: [{ name: "Bash" }] })).json()) as {
      content: { type: string; id?: string; text?: string }[];
      stop_reason: string;
    };
    const said = answer.content.map(({ type, id, text }) => (id ? { tool: id } : { type, text }));
    assert.deepEqual(said, content);
    assert.equal(answer.stop_reason, stop);
    assert.equal(model.requests.length, 1);
  });
}

test("a streamed answer contains the whole tool input", async (t) => {
  const model = await startModel(scripts);
  t.after(() => model.close());
  const body = { messages: [user("main")], tools: [{ name: "Bash" }], stream: true };
  const lines = (await (await post(model.port, body)).text()).split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => JSON.parse(line.slice(6)));
  assert.equal(events[0].type, "message_start");
  assert.equal(events.at(-1).type, "message_stop");
  const json = events
    .filter((event) => event.delta?.type === "input_json_delta")
    .map((event) => event.delta.partial_json);
  assert.deepEqual(JSON.parse(json.join("")), { command: "ls" });
});

test("housekeeping is answered but not recorded; invalid JSON and unscripted requests are errors", async (t) => {
  const model = await startModel(scripts);
  t.after(() => model.close());
  assert.equal((await post(model.port, { messages: [user("title?")] })).status, 200);
  assert.equal((await post(model.port, { messages: [] }, "/v1/messages/count_tokens")).status, 200);
  assert.equal((await post(model.port, {}, "/v1/other")).status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${model.port}/v1/messages`, { method: "POST", body: "{" })).status, 400);
  assert.deepEqual(model.requests, []);
});

function post(port: number, body: object, route = "/v1/messages?beta=true") {
  return fetch(`http://127.0.0.1:${port}${route}`, { method: "POST", body: JSON.stringify(body) });
}
