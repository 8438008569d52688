import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/inline-scripts",
  how: "deny",
  spawned: true,
  reach: (a) => a.bash(`python3 -c 'open("src/a.ts","w").write("x")'`),
  says: /changes src\/a\.ts[^]*Edit or Write/,
  remedy: async () => undefined,
  again: (a) => a.write("src/a.ts", "export const a = 2;\n"),
  later: [
    { when: "an inline program that only prints", run: (a) => a.bash("python3 -c 'print(1)'", "1"), outcome: "pass" },
    { when: "redirection into source", run: (a) => a.bash("cat > src/b.ts <<'EOF'\nx\nEOF"), outcome: "deny" },
    { when: "sed -i", run: (a) => a.bash("sed -i s/1/2/ src/a.ts"), outcome: "deny" },
    { when: "output kept in a log", run: (a) => a.bash("npm test > test.log", ""), outcome: "pass" },
    { when: "copying", run: (a) => a.bash("cp src/a.ts src/c.ts"), outcome: "pass" },
  ],
});
