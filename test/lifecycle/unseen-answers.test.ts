// Answers people give to the menu, in many words, languages and dialogs, through the hooks of the built program.
// Written before any of them was tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { lifecycleHere } from "./calls.js";
import { type ShippedProject, shipped } from "./shipped.js";

const menu = "[A] Adjust  [R] Refine  [C] Continue  [S] Save  [X] Exit\nYour choice:";

/** A fix workflow anew, so that one server serves all rows. */
async function anew(s: ShippedProject): Promise<void> {
  await s.recorded();
  if (s.p.has(".isdlc/state.json")) await lifecycleHere(s.p, "cancel", "--reason", "next row");
  assert.equal((await lifecycleHere(s.p, "start", "feature"))["moved"], true);
  await s.agent("quick-scan-agent");
  await s.recorded();
  assert.equal((await lifecycleHere(s.p, "advance"))["moved"], true);
}

async function finished(s: ShippedProject): Promise<boolean> {
  await s.recorded();
  const { unmet } = (await lifecycleHere(s.p, "next")) as unknown as { unmet: { need: string }[] };
  return !unmet.some((u) => u.need === "elicitation");
}

const stop = (s: ShippedProject, last_assistant_message: string) =>
  s.event("Stop", { stop_hook_active: false, last_assistant_message, background_tasks: [], session_crons: [] });
const type = (s: ShippedProject, prompt: string) => s.event("UserPromptSubmit", { prompt });

const typed: [prompt: string, finishes: boolean][] = [
  ["Save.", true],
  ["save, then continue", true],
  ["ok let's save it", true],
  ["I'd like to save", true],
  ["yes please, save all of it", true],
  ["SAVE AND EXIT", true],
  ["save\n\nthanks!", true],
  ["**save**", true],
  ["👍 save", true],
  ["proceed", true],
  ["go ahead", true],
  ["let's go on", true],
  ["next", true],
  ["speichern", true],
  ["Ja, speichern bitte", true],
  ["weiter", true],
  ["guardar", true],
  ["continuar", true],
  ["enregistrer", true],
  ["continuer", true],
  ["salva", true],
  ["保存", true],
  ["继续", true],
  ["続ける", true],
  ["сохранить", true],
  ["저장", true],
  ["zapisz", true],
  ["no", false],
  ["nicht speichern", false],
  ["no guardar todavía", false],
  ["不要保存", false],
  ["save?", false],
  ["save story 2 only", false],
  ["go ahead and add a persona", false],
  ["next story please", false],
  ["continue the discussion about roles", false],
  ["c++", false],
  ["weiter mit Frage 3", false],
  ["wait, I want to change story 2 and then save", false],
  ["stop", false],
];

test("what a person types after the menu", async (t) => {
  const s = await shipped(t);
  for (const [prompt, finishes] of typed)
    await t.test(`${JSON.stringify(prompt)} ${finishes ? "finishes" : "does not finish"}`, async () => {
      await anew(s);
      await stop(s, `Here they are.\n${menu}`);
      await type(s, prompt);
      assert.equal(await finished(s), finishes);
    });
});

const menus: [name: string, text: string, answer: string, finishes: boolean][] = [
  ["German", "[A] Anpassen [R] Verfeinern [C] Weiter [S] Speichern [X] Beenden\nIhre Wahl:", "s", true],
  ["Spanish", "[A] Ajustar  [R] Refinar  [C] Continuar  [S] Guardar  [X] Salir", "[S] Guardar", true],
  ["a list", "- [A] Adjust\n- [R] Refine\n- [C] Continue\n- [S] Save\n- [X] Exit", "c", true],
  ["bold letters", "**[A]** Adjust  **[R]** Refine  **[C]** Continue  **[S]** Save  **[X]** Exit", "s", true],
  ["no menu but a checklist", "- [x] story 1\n- [x] story 2\nAnything else?", "s", false],
  ["no menu but footnotes", "As said in [A] and [S], see [C].", "save", false],
];
test("menus as agents write them", async (t) => {
  const s = await shipped(t);
  for (const [name, text, answer, finishes] of menus)
    await t.test(name, async () => {
      await anew(s);
      await stop(s, text);
      await type(s, answer);
      assert.equal(await finished(s), finishes);
    });
});

const ask = (question: string, labels: string[], multiSelect = false): JsonObject => ({
  question,
  header: "Menu",
  options: labels.map((label) => ({ label, description: `to ${label}` })),
  multiSelect,
});
const what = "What next?";
const dialogs: [name: string, questions: JsonObject[], answers: JsonObject, more: JsonObject, finishes: boolean][] = [
  ["multiSelect with Save alone", [ask(what, ["Save", "Refine"], true)], { [what]: "Save" }, {}, true],
  [
    "multiSelect, Save and Continue",
    [ask(what, ["Save", "Continue", "Refine"], true)],
    { [what]: "Save, Continue" },
    {},
    true,
  ],
  [
    "multiSelect, Continue and Adjust",
    [ask(what, ["Continue", "Adjust"], true)],
    { [what]: "Continue, Adjust" },
    {},
    false,
  ],
  ["Other, in other words", [ask(what, ["Save", "Refine"])], { [what]: "please save it" }, {}, true],
  ["Other, in German", [ask(what, ["Save", "Refine"])], { [what]: "Speichern" }, {}, true],
  ["Other, another wish", [ask(what, ["Save", "Refine"])], { [what]: "save only the first two" }, {}, false],
  ["German labels", [ask("Wie weiter?", ["Speichern", "Verfeinern"])], { "Wie weiter?": "Speichern" }, {}, true],
  [
    "the other German label",
    [ask("Wie weiter?", ["Speichern", "Verfeinern"])],
    { "Wie weiter?": "Verfeinern" },
    {},
    false,
  ],
  [
    "four questions, the menu last",
    [
      ask("Colour?", ["Red", "Blue"]),
      ask("Size?", ["S", "M"]),
      ask("Roles?", ["Admin", "Guest"], true),
      ask(what, ["Save", "Refine"]),
    ],
    { "Colour?": "Red", "Size?": "M", "Roles?": "Admin, Guest", [what]: "Save" },
    {},
    true,
  ],
  ["a size that is called S", [ask("Size of the shirt?", ["S", "M", "L"])], { "Size of the shirt?": "S" }, {}, false],
  [
    "the button's text",
    [ask("What does the button say?", ["Continue", "Submit", "Next"])],
    { "What does the button say?": "Continue" },
    {},
    false,
  ],
  ["a skipped question", [ask(what, ["Save", "Refine"])], {}, { annotations: {} }, false],
  ["an empty answer", [ask(what, ["Save", "Refine"])], { [what]: "" }, {}, false],
  ["an answer to a question nobody asked", [ask(what, ["Save", "Refine"])], { "Another?": "Save" }, {}, false],
  [
    "a label with a description in it",
    [ask(what, ["Save: the list is complete", "Refine: more questions"])],
    { [what]: "Save: the list is complete" },
    {},
    true,
  ],
  [
    "Continue to the next phase",
    [ask(what, ["Continue to the next phase", "Refine the stories"])],
    { [what]: "Continue to the next phase" },
    {},
    true,
  ],
  [
    "Save chosen with a note",
    [ask(what, ["Save", "Refine"])],
    { [what]: "Save" },
    { annotations: { [what]: { notes: "good work" } } },
    true,
  ],
];
test("answers in the client's dialog", async (t) => {
  const s = await shipped(t);
  for (const [name, questions, answers, more, finishes] of dialogs)
    await t.test(name, async () => {
      await anew(s);
      await s.before("AskUserQuestion", { questions });
      await s.after("AskUserQuestion", { questions, answers, ...more }, { questions, answers, ...more });
      assert.equal(await finished(s), finishes);
    });
});

test("after answers that ended nothing the menu still waits, and is named again", async (t) => {
  const s = await shipped(t);
  await anew(s);
  await stop(s, menu);
  await type(s, "refine");
  await s.recorded();
  const { unmet } = (await lifecycleHere(s.p, "next")) as unknown as { unmet: { need: string; next: string }[] };
  assert.match(unmet.find((u) => u.need === "elicitation")!.next, /\[A\] Adjust .* \[S\] Save/);
  await type(s, "save");
  assert.equal(await finished(s), true);
});

test("a prompt that the agent's own shell gave to the same session is no answer", async (t) => {
  const s = await shipped(t);
  for (const command of ["claude --continue -p save", "claude -r s1 -p 'save'", "echo save | claude -c --print"]) {
    await anew(s);
    await stop(s, menu);
    await s.before("Bash", { command, description: "ask" });
    await type(s, "save");
    assert.equal(await finished(s), false, command);
    await s.after("Bash", { command, description: "ask" }, { stdout: "ok", stderr: "", interrupted: false });
    await type(s, "save");
    assert.equal(await finished(s), true, "the person's own word afterwards");
  }
});

test("a dialog that a nested agent's host answers is no person's answer", async (t) => {
  const s = await shipped(t);
  await anew(s);
  const command = "claude -p --permission-prompt-tool mcp__me__answer 'ask the user'";
  await s.before("Bash", { command, description: "ask" });
  const questions = [ask(what, ["Save", "Refine"])];
  const answer = { questions, answers: { [what]: "Save" } };
  const call = { tool_name: "AskUserQuestion", tool_input: answer, tool_response: answer, tool_use_id: "toolu_n" };
  await s.event("PostToolUse", { ...call, session_id: "another-session" });
  assert.equal(await finished(s), false);
  await s.after("Bash", { command, description: "ask" }, { stdout: "ok", stderr: "", interrupted: false });
  await s.call("AskUserQuestion", { questions }, answer);
  assert.equal(await finished(s), true, "the person's own answer afterwards");
});

test("a nested agent that was refused leaves no mark behind", async (t) => {
  const s = await shipped(t);
  await anew(s);
  await s.before("Bash", { command: "claude --bare -p 'do it'", description: "ask" });
  await stop(s, menu);
  await type(s, "save");
  assert.equal(await finished(s), true);
});
