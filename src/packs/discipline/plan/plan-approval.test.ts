import { edit, fix, other, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/plan",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await a.prompt(`Make a plan first. ${fix}`);
    return edit(a);
  },
  says: /needs a plan/,
  remedy: async (a) => {
    await a.stop("The plan: read the settings reader, change the constant, run the tests, report.");
    await a.prompt("pa+");
  },
  again: edit,
  later: [
    {
      when: "a follow-up keeps it",
      run: async (a) => {
        await a.prompt("now also rename it");
        return edit(a);
      },
      outcome: "pass",
    },
    {
      when: "another task with a plan",
      run: async (a) => {
        await a.prompt(`${other}. Make a plan first.`);
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "a yes to the shown plan",
      run: async (a) => {
        await a.stop("The plan: write the exporter, wire the button, test it.");
        await a.prompt("lgtm");
        return edit(a);
      },
      outcome: "pass",
    },
  ],
});
