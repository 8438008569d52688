import { join } from "node:path";
import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/blocked-paths",
  how: "deny",
  guard: { secrets: "off", destructive: "off" },
  files: { ".env": "KEY=made-up\n", ".env.example": "KEY=\n" },
  reach: (a) => a.read(".env"),
  says: /credentials/,
  remedy: async () => undefined,
  again: (a) => a.read(".env.example"),
  later: [
    { when: "through the shell", run: (a) => a.bash("cat .env"), outcome: "deny" },
    {
      when: "home of keys",
      run: (a) => a.before("Read", { file_path: join(a.home, ".ssh/id_ed25519") }),
      outcome: "deny",
    },
    {
      when: "system folder written",
      run: (a) => a.before("Write", { file_path: "/etc/hosts", content: "x" }),
      outcome: "deny",
    },
    { when: "system folder read", run: (a) => a.before("Read", { file_path: "/etc/hosts" }), outcome: "pass" },
  ],
});
