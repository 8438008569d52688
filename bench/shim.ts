// The sh shim with a server running, against a bare `node -e 0`, side by side.
// Limit: 0.4 at the median. Exits 1 when it is passed.
import { writeShim } from "../src/server/shim.js";
import { cleanEnv, printRows, sideBySide } from "./measure.js";
import { event, resident, script } from "./resident.js";

const limit = 0.4;
const rounds = Number(process.argv[2] ?? 60);
const server = await resident();
try {
  const { home, base } = server;
  const root = server.projects[0]!;
  const shim = writeShim({ home, node: process.execPath, script, env: ["CLAUDE_PROJECT_DIR"] });
  const env = cleanEnv({ HOME: base, CLAUDE_PROJECT_DIR: root });
  const input = event(root, 0)[1];
  const hook = ["hook", "claude-code", "--event", "PreToolUse"];
  const rows = sideBySide(
    [
      { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
      { name: "sh shim, served", command: "/bin/sh", args: [shim, ...hook], input, env, cwd: root },
      {
        name: "node hook, no server asked",
        command: process.execPath,
        args: [script, ...hook, "--home", home, "--alone", "yes"],
        input,
        env,
        cwd: root,
      },
    ],
    rounds,
  );
  printRows(rows, (name) => (name === "sh shim, served" ? limit : undefined));
  if (rows[1]!.ratio > limit) process.exitCode = 1;
} finally {
  await server.end();
}
