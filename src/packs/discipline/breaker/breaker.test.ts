import { type Agent, passing } from "../../../../test/discipline/agent.js";
import { edit, story } from "../../../../test/discipline/story.js";

async function fail(a: Agent, times: number, command = "make"): Promise<void> {
  for (let i = 0; i < times; i++) await a.bash(command, `make: *** [all] Error ${i}`, 2);
}

story({
  gate: "discipline/breaker",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await fail(a, 3);
    return edit(a);
  },
  says: /3 failures in a row[^]*Error/,
  remedy: async (a) => {
    await a.docs();
    await a.grep("x", "src/a.ts:1:x");
  },
  again: edit,
  later: [
    {
      when: "a success closed it; three of one signature trip it",
      run: async (a) => {
        await a.bash("make", "ok");
        for (let i = 0; i < 3; i++) {
          await a.bash("make", `/build/${i}/Makefile:${i}: *** missing separator.  Stop.`, 2);
          await a.bash("ls", "x");
        }
        return edit(a);
      },
      outcome: "deny",
      says: /same failure 3 times/,
    },
    { when: "reading and testing stay open", run: (a) => a.bash("npm test", passing()), outcome: "pass" },
    {
      when: "the one try fails",
      run: async (a) => {
        await a.docs();
        await a.search();
        await a.bash("make", "make: *** [all] Error 9", 2);
        return edit(a);
      },
      outcome: "deny",
      says: /one try after new research failed/,
    },
    {
      when: "a person resets it",
      run: async (a) => {
        await a.prompt("rb-");
        return edit(a);
      },
      outcome: "pass",
    },
  ],
});
