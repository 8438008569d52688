// The loop of a big task: when it is needed, what counts as an iteration, what the limit refuses and how to go on.

import { type Row, table } from "../../../../test/discipline/adversarial/table.js";
import { type Agent, failing, passing } from "../../../../test/discipline/agent.js";
import { loopCli } from "../../../../test/discipline/story.js";

const big = "Rewrite the whole backend to use the new client";
const change = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
const start = (a: Agent, ...more: string[]) => loopCli(a, "start", "new client", "--criterion", "tests pass", ...more);
const row = (expect: Row["expect"], trick: string, run: Row["try"], grade: Row["grade"] = "plain"): Row => ({
  grade,
  trick,
  expect,
  try: run,
});
/** One iteration: an edit and a run. */
const turn = async (a: Agent, good = true) => {
  await change(a);
  await (good ? a.bash("npm test", passing()) : a.bash("npm test", failing(), 1));
};
const spent = async (a: Agent) => {
  await a.prompt(big);
  await start(a, "--max", "2");
  await turn(a);
  await turn(a, false);
};
const when =
  (...acts: ((a: Agent) => Promise<unknown>)[]) =>
  async (a: Agent) => {
    for (const act of acts) await act(a);
    return change(a);
  };
const says = (text: string) => (a: Agent) => a.prompt(text);

const rows: Row[] = [
  row("deny", "a big task", when(says(big))),
  row(
    "deny",
    "a big task in other words",
    when(says("Migrate every module of the code base to the new logging framework")),
  ),
  row("deny", "a loop asked for", when(says("Fix the flaky upload test and work in a loop until it is stable"))),
  row("deny", "by shell", async (a) => {
    await a.prompt(big);
    return a.bash("sed -i s/1/2/ src/a.ts");
  }),
  row("pass", "a small task", when(says("Fix the typo in the title of the settings page"))),
  row("pass", "a question about a big thing", when(says("How is the whole backend structured?"))),
  row("pass", "reading", async (a) => {
    await a.prompt(big);
    return a.read("src/a.ts");
  }),
  row("pass", "tests", async (a) => {
    await a.prompt(big);
    return a.bash("npm test", passing());
  }),
  row("pass", "the start itself, by the agent", async (a) => {
    await a.prompt(big);
    return a.before("Bash", { command: 'interlock loop start "new client" --criterion "tests pass"' });
  }),
  row(
    "pass",
    "the start with npx",
    async (a) => {
      await a.prompt(big);
      return a.before("Bash", { command: 'npx agent-interlock loop start "new client" --criterion "tests pass"' });
    },
    "ambiguous",
  ),
  row(
    "deny",
    "a change behind the start",
    async (a) => {
      await a.prompt(big);
      return a.before("Bash", { command: 'interlock loop start "x" --criterion "y" && sed -i s/1/2/ src/a.ts' });
    },
    "villain",
  ),
  row(
    "deny",
    "the start only said",
    when(says(big), (a) => a.bash("echo interlock loop start x --criterion y", "interlock loop start x")),
    "villain",
  ),
  row("pass", "a started loop", when(says(big), start)),
  row("pass", "started by the person", when(says(big), says("sl+"))),
  row(
    "deny",
    "started by a machine",
    when(says(big), (a) => a.prompt("sl+", { source: "system" })),
    "villain",
  ),
  row(
    "deny",
    "started by the agent's own text",
    when(says(big), (a) => a.stop("sl+")),
    "villain",
  ),
  row("deny", "stopped by the person", when(says(big), start, says("sl-"))),
  row("pass", "asked about by the person", when(says(big), start, says("sl?"))),
  row("pass", "a start before the task", when(start, says(big))),
  row("deny", "spent", when(spent)),
  row("deny", "spent, by shell", async (a) => {
    await spent(a);
    return a.bash("sed -i s/1/2/ src/a.ts");
  }),
  row(
    "deny",
    "spent, whatever the next task",
    when(spent, says("Fix the typo in the title of the settings page")),
    "ambiguous",
  ),
  row("pass", "spent: reading", async (a) => {
    await spent(a);
    return a.read("src/a.ts");
  }),
  row("pass", "spent: testing", async (a) => {
    await spent(a);
    return a.bash("npm test", passing());
  }),
  row("pass", "spent: committing what there is", async (a) => {
    await spent(a);
    return a.before("Bash", { command: "git add -A && git commit -m 'two iterations'" });
  }),
  row("pass", "spent: looking at the loop", async (a) => {
    await spent(a);
    return a.before("Bash", { command: "interlock loop status" });
  }),
  row(
    "pass",
    "spent, cancelled, started anew",
    when(spent, (a) => loopCli(a, "cancel"), start),
  ),
  row(
    "deny",
    "spent, cancelled: the big task needs one again",
    when(spent, (a) => loopCli(a, "cancel")),
  ),
  row(
    "pass",
    "spent, stopped by the person, a small task",
    when(spent, says("sl-"), says("Fix the typo in the title of the settings page")),
  ),
  row(
    "pass",
    "runs without edits are no iterations",
    when(
      says(big),
      (a) => start(a, "--max", "2"),
      (a) => a.bash("npm test", passing()),
      (a) => a.bash("npm test", passing()),
      (a) => a.bash("npm test", passing()),
    ),
  ),
  row(
    "pass",
    "edits without runs are no iterations",
    when(says(big), (a) => start(a, "--max", "2"), change, change, change),
  ),
  row(
    "deny",
    "log counts",
    when(
      says(big),
      (a) => start(a, "--max", "2"),
      (a) => loopCli(a, "log", "a", "b"),
      (a) => loopCli(a, "log", "c", "d"),
    ),
  ),
  row(
    "deny",
    "a limit above the configured one is not taken",
    async (a) => {
      await a.prompt(big);
      await start(a, "--max", "9999").catch(() => 2);
      return change(a);
    },
    "villain",
  ),
  row(
    "pass",
    "a sub-agent within the loop",
    when(says(big), start, async (a) => {
      a.agent = { id: "s1", type: "general-purpose" };
    }),
  ),
  row(
    "deny",
    "a sub-agent without one",
    when(says(big), async (a) => {
      a.agent = { id: "s1", type: "general-purpose" };
    }),
    "villain",
  ),
  row(
    "deny",
    "completed without its criterion",
    when(spent, (a) => loopCli(a, "complete")),
  ),
  row(
    "deny",
    "completed with unverified edits",
    when(
      says(big),
      (a) => start(a, "--max", "2"),
      (a) => turn(a),
      (a) => turn(a),
      (a) => a.bash("npm test", failing(), 1),
      (a) => loopCli(a, "check", "1"),
      (a) => loopCli(a, "complete"),
    ),
    "ambiguous",
  ),
  row(
    "pass",
    "completed, then a small task",
    when(
      says(big),
      start,
      (a) => turn(a),
      (a) => loopCli(a, "check", "1"),
      (a) => loopCli(a, "complete"),
      says("Fix the typo in the title of the settings page"),
    ),
  ),
  row(
    "pass",
    "another session goes on with the loop",
    when(says(big), start, async (a) => {
      a.session = "session-2";
      await a.prompt(big);
    }),
  ),
  row(
    "pass",
    "edits from before the loop are no iteration",
    when(
      change,
      says(big),
      (a) => start(a, "--max", "1"),
      (a) => a.bash("npm test", passing()),
    ),
  ),
  row(
    "deny",
    "iterations of another session count",
    when(
      says(big),
      (a) => start(a, "--max", "2"),
      change,
      change,
      change,
      (a) => turn(a),
      async (a) => {
        a.session = "session-2";
        await a.prompt(big);
        await turn(a);
      },
    ),
    "villain",
  ),
];

table("loop", ["loop", "commands"], rows);
