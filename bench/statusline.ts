// The status line against a bare `node -e 0`, side by side, in a project with a record. Limit 2.2. Exits 1 above it.
import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { cleanEnv, printRows, sideBySide } from "./measure.js";
import { resident, script } from "./resident.js";

const rounds = Number(process.argv[2] ?? 40);
const limit = 2.2;
const server = await resident();
const root = server.projects[0]!;
const input = JSON.stringify({ session_id: "bench", cwd: root, workspace: { current_dir: root, project_dir: root } });
// A session's first event compiles the configuration and leaves a record: the line is shown after it.
const event = { session_id: "bench", cwd: root, hook_event_name: "UserPromptSubmit", prompt: "begin" };
spawnSync(process.execPath, [script, "hook", "claude-code", "--event", "UserPromptSubmit", "--home", server.home], {
  input: JSON.stringify(event),
  env: cleanEnv({ HOME: server.base }),
  cwd: root,
});

try {
  const rows = sideBySide(
    [
      { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
      {
        name: "status line",
        command: process.execPath,
        args: [script, "statusline", "--chain", "000000000000", "--home", server.home],
        input,
        env: cleanEnv({ HOME: server.base }),
        cwd: root,
      },
    ],
    rounds,
  );
  printRows(rows, (name) => (name === "status line" ? limit : undefined));
  console.log(`\nload ${loadavg()[0]!.toFixed(1)}`);
  process.exitCode = rows.some(({ name, ratio }) => name === "status line" && ratio > limit) ? 1 : 0;
} finally {
  await server.end();
}
