import assert from "node:assert/strict";
import { done, inDesign, menuText } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row } from "../../../../test/lifecycle/rows.js";

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
  {
    name: "save completes",
    setup: asked,
    act: analyst(`${menuText}\nUser selected: [S] Save`),
    told: ["finished (save)"],
    file: (p) => assert.deepEqual([answers(p).completed, answers(p).final_selection], [true, "save"]),
  },
  {
    name: "exit completes",
    setup: asked,
    act: analyst(`${menuText}\nUser selected: exit`),
    told: ["finished (exit)"],
    file: (p) => assert.equal(answers(p).final_selection, "exit"),
  },
  {
    name: "continue goes on",
    setup: asked,
    act: analyst(`${menuText}\nThe user chose C.`),
    file: (p) => assert.deepEqual([answers(p).completed, answers(p).final_selection], [false, "continue"]),
  },
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
    file: (p) => assert.deepEqual(answers(p).steps_completed, ["step-2"]),
  },
  {
    name: "questions put to the user count",
    setup: asked,
    act: (p) => p.after("AskUserQuestion", { questions: [] }, `${menuText}\nUser selected: save`),
    told: ["finished"],
    file: (p) => assert.equal(answers(p).completed, true),
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
