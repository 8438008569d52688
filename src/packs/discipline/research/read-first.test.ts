import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/read-first",
  how: "deny",
  options: { research: { strict: true } },
  files: { "src/long.ts": `${Array.from({ length: 60 }, (_, i) => `export const c${i} = ${i};`).join("\n")}\n` },
  reach: async (a) => {
    await a.read("src/long.ts", { offset: 1, limit: 10 });
    return a.edit("src/long.ts", "c40 = 40", "c40 = 41");
  },
  says: /lines 41-41 were not read/,
  remedy: (a) => a.read("src/long.ts", { offset: 35, limit: 10 }),
  again: (a) => a.edit("src/long.ts", "c40 = 40", "c40 = 41"),
  later: [
    { when: "own edits keep it known", run: (a) => a.edit("src/long.ts", "c41 = 41", "c41 = 42"), outcome: "pass" },
    {
      when: "changed by other hands",
      run: async (a) => {
        a.put("src/long.ts", a.text("src/long.ts").replace("c0 = 0", "c0 = 1"));
        return a.edit("src/long.ts", "c1 = 1", "c1 = 2");
      },
      outcome: "deny",
      says: /changed since/,
    },
    {
      when: "search results count",
      run: async (a) => {
        await a.grep("c2 ", "3:export const c2 = 2;", "src/long.ts");
        return a.edit("src/long.ts", "c2 = 2;", "c2 = 3;");
      },
      outcome: "pass",
    },
    { when: "a new file is free", run: (a) => a.write("src/new.ts", "x\n"), outcome: "pass" },
  ],
});
