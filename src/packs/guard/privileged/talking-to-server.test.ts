// Traffic to Interlock's own port, socket and spool, which only its hooks may send; to other services it passes.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const port = 23_457;
const scene = new Stage({ packs: [guard] });
mkdirSync(join(scene.home, "server"), { recursive: true });
writeFileSync(join(scene.home, "server", "door.json"), JSON.stringify({ port }));
const dashboardPort = 23_458;
mkdirSync(join(scene.home, "server", "dashboards"));
writeFileSync(join(scene.home, "server", "dashboards", String(dashboardPort)), "1");
after(() => scene.dispose());

const rows: [command: string, refused: boolean][] = [
  ["curl -s http://127.0.0.1:PORT/hook/claude-code/PreToolUse -d @event.json", true],
  ["curl localhost:PORT", true],
  ["curl http://[::1]:PORT/", true],
  ["curl http://127.1:PORT/", true],
  ["curl --unix-socket HOME/server/socket http://x/about", true],
  ["wget -qO- http://127.0.0.1:PORT/about", true],
  ["nc 127.0.0.1 PORT < event", true],
  ["echo x | nc localhost PORT", true],
  ["nc -U HOME/server/socket", true],
  ["socat - UNIX-CONNECT:HOME/server/socket", true],
  ["socat - TCP:localhost:PORT", true],
  ["echo x > /dev/tcp/127.0.0.1/PORT", true],
  ["echo x > HOME/server/spool/1.q", true],
  ["echo 1 > HOME/server/spool/bell", true],
  [`python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:PORT/')"`, true],
  [`python3 -c "import socket; s=socket.create_connection(('127.0.0.1', PORT))"`, true],
  [`node -e "fetch('http://localhost:PORT/')"`, true],
  [`node -e "require('net').connect(PORT)"`, true],
  ["P=PORT; curl http://127.0.0.1:$P/", true],
  ["bash -c 'curl localhost:PORT'", true],
  ["curl -s http://127.0.0.1:DASHBOARD/p/0/api/frame", true],
  ["echo x > /dev/tcp/127.0.0.1/DASHBOARD", true],
  ["curl http://127.0.0.1:3000/", false],
  ["curl http://localhost:1PORT/", false],
  ["curl https://example.com:PORT/", false],
  ["curl https://example.com/?port=PORT", false],
  ["nc -z localhost 5432", false],
  [`node -e "fetch('http://localhost:8080/PORT0')"`, false],
  ["echo PORT", false],
  ["grep -rn PORT src", false],
  ["npm run dev -- --port 3000", false],
];
for (const [row, refused] of rows)
  test(`${refused ? "refused" : "passes"}: ${row}`, async () => {
    const command = row
      .replaceAll("DASHBOARD", String(dashboardPort))
      .replaceAll("PORT", String(port))
      .replaceAll("HOME", scene.home);
    const verdict = await scene.call("Bash", { command });
    const gates = verdict.opinions.filter((o) => o.opinion.kind === "deny").map((o) => o.gate);
    const ours = gates.some((gate) => gate === "guard/privileged" || gate === "guard/self-protect");
    assert.equal(ours, refused, verdict.text);
  });
