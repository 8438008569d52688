import assert from "node:assert/strict";
import { done, inDesign, menuText } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const idle = { state: { active_workflow: null } };
const asked = { state: workflowAt("01-requirements") };
const answers = (p: FrameworkProject) =>
  p.state().phases["01-requirements"].iteration_requirements?.interactive_elicitation;
const analyst = (text: string) => done("requirements-analyst", text);
const shown = (p: FrameworkProject) => assert.equal(answers(p).menu_interactions, 1);
const rows: Row[] = [
  { name: "a menu is counted", setup: asked, act: analyst(menuText), file: shown },
  { name: "two marks make a menu", setup: asked, act: analyst("[S] Save\nEnter selection"), file: shown },
  {
    name: "one mark does not",
    setup: asked,
    act: analyst("Your choice: of words matters"),
    file: (p) => assert.equal(answers(p), undefined),
  },
  ...["User selected: [S] Save", "User selected: exit", "The user chose C.", "Selection: save"].map(
    (claim): Row => ({
      name: `an agent that writes the menu and ${JSON.stringify(claim)} is not believed`,
      setup: asked,
      act: analyst(`${menuText}\n${claim}`),
      file: (p) => assert.deepEqual([answers(p).completed, answers(p).selections], [false, []]),
    }),
  ),
  {
    name: "a selection without a menu completes nothing",
    setup: asked,
    act: analyst("User selected: save"),
    file: (p) => assert.equal(answers(p)?.completed ?? false, false),
  },
  {
    name: "select a file is no selection",
    setup: asked,
    act: analyst(`${menuText}\nPlease select a file. I selected a good one.`),
    file: (p) => assert.deepEqual(answers(p).selections, []),
  },
  {
    name: "steps are tracked",
    setup: asked,
    act: analyst(`${menuText}\nStep 2 is complete`),
    file: (p) => assert.deepEqual(answers(p).steps_completed, ["user_personas"]),
  },
  {
    name: "questions put to the user count, as the client sends them",
    setup: asked,
    act: (p) => p.recorded("Save chosen"),
    told: ["finished"],
    file: (p) => {
      const { completed, final_selection, menu_interactions, selections } = answers(p);
      assert.deepEqual([completed, final_selection, menu_interactions], [true, "save", 1]);
      assert.deepEqual(
        selections.map((s: JsonObject) => [s["selection"], typeof s["timestamp"]]),
        [["save", "string"]],
      );
    },
  },
  {
    name: "words in a question are the agent's, not the person's",
    setup: asked,
    act: (p) => p.recorded("words in the question"),
    file: (p) => assert.deepEqual([answers(p).menu_interactions, answers(p).completed], [1, false]),
  },
  {
    name: "another option chosen ends nothing",
    setup: asked,
    act: (p) => p.recorded("Refine chosen"),
    file: (p) => assert.deepEqual([answers(p).completed, answers(p).last_selection], [false, "refine"]),
  },
  {
    name: "words typed instead of an option",
    setup: asked,
    act: (p) => p.recorded("text typed"),
    file: (p) => assert.deepEqual([answers(p).menu_interactions, answers(p).completed], [1, false]),
  },
  {
    name: "a dialog that closed by itself is no answer",
    setup: asked,
    act: (p) => p.recorded("nobody there"),
    file: (p) => assert.deepEqual([answers(p).menu_interactions, answers(p).completed], [1, false]),
  },
  {
    name: "answers the agent filled in itself: the client removes them",
    setup: asked,
    act: (p) => p.recorded("answers by the agent"),
    file: (p) => assert.equal(answers(p).completed, false),
  },
  ...["save", "Save", " s ", "[S] Save", "save and continue", "continue", "C"].map(
    (text): Row => ({
      name: `the person types ${JSON.stringify(text)} after the menu`,
      setup: asked,
      act: async (p) => {
        await p.recorded("menu in the last message");
        return p.recorded("save typed", { prompt: text });
      },
      told: ["finished"],
      file: (p) => assert.equal(answers(p).completed, true),
    }),
  ),
  ...["save the file first", "don't save", "continue with option 2", "savings", "fine with me", "refine"].map(
    (text): Row => ({
      name: `the person types ${JSON.stringify(text)}: not finished`,
      setup: asked,
      act: async (p) => {
        await p.recorded("menu in the last message");
        return p.recorded("save typed", { prompt: text });
      },
      file: (p) => assert.equal(answers(p).completed, false),
    }),
  ),
  {
    name: "save typed in another session answers nothing",
    setup: asked,
    act: async (p) => {
      await p.recorded("menu in the last message");
      p.session = "a-nested-one";
      return p.recorded("save typed");
    },
    file: (p) => assert.equal(answers(p).completed, false),
  },
  {
    name: "save without a menu answers nothing",
    setup: asked,
    act: (p) => p.recorded("save typed"),
    file: (p) => assert.equal(answers(p), undefined),
  },
  {
    name: "a message made by the client answers nothing",
    setup: asked,
    act: async (p) => {
      await p.recorded("menu in the last message");
      return p.recorded("save typed", { source: "system" });
    },
    file: (p) => assert.equal(answers(p).completed, false),
  },
  {
    name: "a sub-agent's last words count",
    setup: asked,
    act: (p) =>
      p.hook("SubagentStop", { agent_id: "a1", agent_type: "requirements-analyst", last_assistant_message: menuText }),
    file: shown,
  },
  {
    name: "another phase asks nothing",
    setup: inDesign,
    act: done("system-designer", menuText),
    file: (p) => assert.deepEqual(p.state(), workflowAt("04-design")),
  },
  { name: "no workflow", setup: idle, act: analyst(menuText) },
];

gateTable("lifecycle/menu-tracker", rows);
