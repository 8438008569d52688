// Many events from eight clients over several projects: memory and open files of supervisor and worker must stay flat.
// Usage: soak.js [events]; 100,000 in the nightly run, 8,000 otherwise. Exits 1 when the last quarter uses over a tenth
// more memory than the second, or over two more open files.
import { readdirSync, readFileSync } from "node:fs";
import { aboutServer } from "../src/server/client.js";
import { quantile } from "./measure.js";
import { askServer, eventOf, resident } from "./resident.js";

const events = Number(process.argv[2] ?? (process.env["INTERLOCK_NIGHTLY"] ? 100_000 : 8_000));
const server = await resident(5);
try {
  const samples: { done: number; rss: number; files: number }[] = [];
  let done = 0;
  let refused = 0;
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let k = 0; k < events / 8; k++) {
      const [, text] = await askServer(server.door, eventOf(server.projects[lane % 5]!, lane, k));
      if (text.includes("interlock/server")) refused++;
      if (++done % Math.ceil(events / 40) === 0) samples.push({ done, ...(await usage()) });
    }
  });
  await Promise.all(lanes);
  console.log("| events | memory of both, MB | open files of both |\n|---|---|---|");
  for (const s of samples.filter((_, i) => i % 4 === 3))
    console.log(`| ${s.done} | ${(s.rss / 1e6).toFixed(0)} | ${s.files} |`);
  const part = (from: number, to: number, what: "rss" | "files") =>
    quantile(
      samples.slice(samples.length * from, samples.length * to).map((s) => s[what]),
      0.5,
    );
  const memory = part(0.75, 1, "rss") / part(0.25, 0.5, "rss");
  const files = part(0.75, 1, "files") - part(0.25, 0.5, "files");
  console.log(`memory ${memory.toFixed(2)} of what it was (limit 1.1), open files ${files >= 0 ? "+" : ""}${files}`);
  console.log(`${refused} calls not judged`);
  if (memory > 1.1 || files > 2 || refused) process.exitCode = 1;
} finally {
  await server.end();
}

async function usage() {
  const about = await aboutServer(server.door.socket);
  const pids = [server.supervisor, (about?.["worker"] as { pid: number } | null)?.pid].filter(
    (pid) => pid !== undefined,
  );
  let rss = 0;
  let files = 0;
  for (const pid of pids) {
    rss += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
    files += readdirSync(`/proc/${pid}/fd`).length;
  }
  return { rss, files };
}
