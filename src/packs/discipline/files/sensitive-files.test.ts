import { join } from "node:path";
import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/sensitive-files",
  how: "ask",
  spawned: true,
  files: { ".github/workflows/ci.yml": "on: push\n" },
  reach: (a) =>
    a.before("Edit", {
      file_path: join(a.root, ".github/workflows/ci.yml"),
      old_string: "push",
      new_string: "pull_request",
    }),
  says: /affects more than the code/,
  remedy: (a) => a.edit(".github/workflows/ci.yml", "push", "pull_request"),
  again: (a) => a.edit(".github/workflows/ci.yml", "pull_request", "push"),
  later: [
    {
      when: "another file asks",
      run: (a) => a.before("Write", { file_path: join(a.root, "Dockerfile"), content: "FROM x" }),
      outcome: "ask",
    },
    {
      when: "a new session asks again",
      run: async (a) => {
        a.session = "session-2";
        return a.before("Bash", { command: "echo x >> .github/workflows/ci.yml" });
      },
      outcome: "ask",
    },
  ],
});
