// A served decision (2 KB event, every pack on) against a bare node:http echo of the same bytes, in turns; then 10,000
// calls. Limits: 4 at the median, 5 at p99, every call judged in time. Exits 1 when one is passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cleanEnv, quantile } from "./measure.js";
import { ask, askServer, event, eventOf, resident } from "./resident.js";

const rounds = Number(process.argv[2] ?? 3_000);
const many = Number(process.argv[3] ?? 10_000);
const limits = { median: 4, p99: 5 };
const echoServer = `
  const server = require("node:http").createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => response.end(Buffer.concat(parts)));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
const echo = spawn(process.execPath, ["-e", echoServer], { env: cleanEnv(), stdio: ["ignore", "pipe", "inherit"] });
const port = Number(String((await once(echo.stdout!, "data"))[0]));
const server = await resident();
try {
  const root = server.projects[0]!;
  const times: [number[], number[]] = [[], []];
  for (let i = -400; i < rounds; i++) {
    const [name, body] = event(root, i + 400);
    const [bare] = await ask(port, "/", {}, body);
    const [served] = await askServer(server.door, [name, body]);
    if (i < 0) continue;
    times[0].push(bare);
    times[1].push(served);
  }
  console.log("| | p10 ms | median ms | p99 ms |\n|---|---|---|---|");
  for (const [name, list] of [
    ["bare echo", times[0]],
    ["served decision", times[1]],
  ] as const)
    console.log(`| ${name} | ${[0.1, 0.5, 0.99].map((q) => quantile(list, q).toFixed(2)).join(" | ")} |`);
  const ratio = (q: number) => quantile(times[1], q) / quantile(times[0], q);
  console.log(`ratio at the median ${ratio(0.5).toFixed(1)} (limit ${limits.median})`);
  console.log(`ratio at p99 ${ratio(0.99).toFixed(1)} (limit ${limits.p99}), when quiet ${ratio(0.1).toFixed(1)}`);

  let answered = 0;
  let slowest = 0;
  const start = performance.now();
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let k = 0; k < many / 8; k++) {
      const [ms, text] = await askServer(server.door, eventOf(root, 10_000 + lane, k));
      if (!text.includes("interlock/server")) answered++;
      slowest = Math.max(slowest, ms);
    }
  });
  await Promise.all(lanes);
  const rate = (many / (performance.now() - start)) * 1_000;
  console.log(`${answered} of ${many} calls, 8 at a time, judged in time`);
  console.log(`${rate.toFixed(0)} calls per second, slowest ${slowest.toFixed(0)} ms`);
  if (ratio(0.5) > limits.median || ratio(0.99) > limits.p99 || answered !== many) process.exitCode = 1;
} finally {
  echo.kill();
  await server.end();
}
