import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/file-size",
  how: "deny",
  spawned: true,
  reach: (a) => a.write("src/big.ts", "x\n".repeat(801)),
  says: /801 lines, the limit is 800/,
  remedy: (a) => a.write("src/part.ts", "x\n".repeat(400)),
  again: (a) => a.write("src/big.ts", "x\n".repeat(401)),
  later: [
    {
      when: "told above 500",
      run: (a) => a.write("src/big.ts", "x\n".repeat(600)),
      outcome: "pass",
      says: /600 lines/,
    },
    {
      when: "every replacement counts",
      run: (a) => a.edit("src/big.ts", "x\n", "x\nx\n", true),
      outcome: "deny",
      says: /1200/,
    },
    { when: "a document may be longer", run: (a) => a.write("NOTES.md", "x\n".repeat(1400)), outcome: "pass" },
    {
      when: "making a long file shorter",
      run: async (a) => {
        a.put("src/huge.ts", "y\n".repeat(2000));
        return a.edit("src/huge.ts", "y\ny\n", "y\n");
      },
      outcome: "pass",
    },
  ],
});
