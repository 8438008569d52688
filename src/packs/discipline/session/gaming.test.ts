import { edit, loopCli, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/gaming",
  how: "note",
  reach: async (a) => {
    let last = await a.call("WebSearch", { query: "x" }, { results: [] });
    for (let i = 0; i < 2; i++) last = await a.call("WebSearch", { query: "x" }, "No results found.");
    return last;
  },
  says: /returned nothing/,
  remedy: (a) => a.search(),
  again: (a) => a.search(),
  later: [
    {
      when: "a vague summary",
      run: async (a) => {
        await edit(a);
        return a.stop("Made various changes and improved things.");
      },
      outcome: "pass",
      says: /names no file/,
    },
    {
      when: "all criteria ticked at once",
      run: async (a) => {
        await loopCli(a, "start", "x", "--criterion", "a", "--criterion", "b");
        for (const n of ["1", "2"]) await loopCli(a, "check", n);
        return a.bash("interlock loop check 1; interlock loop check 2", "Ticked.");
      },
      outcome: "pass",
      says: /ticked by one call/,
    },
    {
      when: "ratings without spread",
      run: async (a) => {
        for (let i = 2; i < 7; i++) {
          a.session = `session-${i}`;
          await edit(a);
          await a.stop(`Changed src/a.ts. Rating: ${i % 2 ? 9 : 10}/10`);
        }
        a.session = "session-8";
        return a.stop("Nothing to do.");
      },
      outcome: "pass",
      says: /all high and alike/,
    },
    { when: "told once", run: (a) => a.stop("Made various changes and improved things."), outcome: "pass" },
  ],
});
