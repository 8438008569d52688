// Ways an agent could end Interlock's server, and commands that end other processes, which pass.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const port = 23_456;
const scene = new Stage({ packs: [guard] });
let server: ChildProcess;
let worker: string;

before(async () => {
  const inner = "setInterval(() => {}, 1000)";
  const outer = [
    `const c = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "ignore" })`,
    "console.log(c.pid)",
    'process.on("exit", () => c.kill())',
    'process.on("SIGTERM", () => process.exit())',
    inner,
  ].join("; ");
  server = spawn(process.execPath, ["-e", outer, "interlock.cjs", "serve"], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  worker = await new Promise((resolve) => server.stdout!.once("data", (text) => resolve(String(text).trim())));
  const folder = join(scene.home, "server");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: server.pid }));
  writeFileSync(join(folder, "door.json"), JSON.stringify({ port }));
});
after(() => {
  server.kill();
  scene.dispose();
});

const rows: [command: string, refused: boolean][] = [
  ["kill SERVER", true],
  ["kill -9 SERVER", true],
  ["kill -s STOP SERVER", true],
  ["/bin/kill -TERM 99999 SERVER", true],
  ["sudo kill -KILL WORKER", true],
  ["kill -- -SERVER", true],
  ["kill -9 -SERVER", true],
  ["P=SERVER; kill $P", true],
  ["echo SERVER | xargs kill", true],
  ["bash -c 'kill SERVER'", true],
  ["python3 -c 'import os; os.kill(SERVER, 9)'", true],
  ["node -e 'process.kill(SERVER)'", true],
  ["perl -e 'kill 9, SERVER'", true],
  ["kill $(pgrep -f interlock)", true],
  ["pgrep -f interlock | xargs -r kill -9", true],
  ["kill -9 $(pgrep node)", true],
  ["kill $(lsof -t -i:PORT)", true],
  ["kill $(lsof -ti tcp:PORT)", true],
  ["ps aux | grep '[i]nterlock' | awk '{print $2}' | xargs kill", true],
  ["ps aux | awk '/interlock/ {print $2}' | xargs kill", true],
  ["fuser -k PORT/tcp", true],
  ["fuser -k -n tcp PORT", true],
  ["fuser -k HOME/server/socket", true],
  ["fuser -k src/a.ts", false],
  ["kill $(lsof -t HOME/server/socket)", true],
  ["kill $(lsof -t data.db)", false],
  ["kill $(cat HOME/server/lock)", true],
  ["killall node", true],
  ["pkill node", true],
  ["pkill -f serve", true],
  ["pkill -f 'interlock.*serve'", true],
  ["pkill -u $(id -u)", false],
  ["pkill -u root", true],
  ["pkill -P SERVER", true],
  ["kill -0 SERVER", false],
  ["kill -l", false],
  ["kill 99999", false],
  ["kill -9 99999 99998", false],
  ["kill %1", false],
  ["kill $!", false],
  ["npm run dev & PID=$!; sleep 1; kill $PID", false],
  ["kill $(lsof -t -i:3000)", false],
  ["kill $(cat .server.pid)", false],
  ["fuser -k 3000/tcp", false],
  ["pkill -f vite", false],
  ["pkill -f 'next dev'", false],
  ["killall vite", false],
  ["ps aux | grep vite | awk '{print $2}' | xargs kill", false],
  ["ps aux | grep node | grep vite | awk '{print $2}' | xargs kill", false],
  ["kill $(pgrep -f 'vite|webpack')", false],
  ["ssh build.example pkill node", false],
  ["trap 'kill 0' EXIT; npm run dev", false],
  ["echo kill SERVER", false],
  ["ps -p SERVER", false],
];
for (const [row, refused] of rows)
  test(`${refused ? "refused" : "passes"}: ${row}`, async () => {
    const numbers: Record<string, string> = {
      SERVER: String(server.pid),
      WORKER: worker,
      PORT: String(port),
      HOME: scene.home,
    };
    const command = row.replace(/SERVER|WORKER|PORT|HOME/g, (name) => numbers[name]!);
    const verdict = await scene.call("Bash", { command });
    assert.equal(
      verdict.opinions.some((o) => o.gate === "guard/privileged"),
      refused,
      verdict.text,
    );
    const said = verdict.opinions.find((o) => o.gate === "guard/privileged")?.opinion;
    if (refused) assert.match(JSON.stringify(said), /ends Interlock's own server/);
  });

test("a lock whose number belongs to another program now protects nobody", async () => {
  const stranger = readdirSync("/proc").find(
    (name) => /^\d+$/.test(name) && !/interlock/.test(readFileSync(`/proc/${name}/cmdline`, "utf8")),
  );
  writeFileSync(join(scene.home, "server", "lock"), JSON.stringify({ pid: Number(stranger) }));
  const verdict = await scene.call("Bash", { command: `kill ${stranger}` });
  assert.equal(
    verdict.opinions.some((o) => o.gate === "guard/privileged"),
    false,
  );
});
