// A process that commits until it is killed: `child <home> <id> loop <name>` prints each acknowledged id,
// `child <home> <id> step <n> [half|whole] [records]` kills itself before its n-th file system call, or half-way
// through it if that is a write.
import { writeSync } from "node:fs";
import { type Io, openStore } from "../../src/store/index.js";
import { shim } from "./shim.js";

const [home, id, mode, what, half, records = "40"] = process.argv.slice(2) as string[];
const die = () => process.kill(process.pid, "SIGKILL");

function commit(name: string, n: number, io?: Io): string {
  const store = openStore({ home: home!, id: id! }, { io, segment: { bytes: 1e9, records: Number(records) } });
  const done = store.append(
    ({ state }) => ({
      type: n % 3 ? "event" : "override",
      ids: [`${name}-${n}`],
      // Some texts beside the ledger are longer than a page: killed in between, half of one may be there.
      body: { n, pad: "y".repeat(n % 700 || 1), ...(n % 5 === 0 && { output: "z".repeat(9_000 + n) }) },
      patch: { total: ((state["total"] as number | undefined) ?? 0) + 1 },
    }),
    20_000,
  );
  return done!.record.ids![0]!;
}

if (mode === "loop") for (let n = 1; ; n++) writeSync(1, `${commit(what!, n)}\n`);

const last = Number(what);
const io = shim(({ name, n, args, real }) => {
  if (n === last && half === "half" && name === "writeSync") {
    const [fd, bytes] = args as [number, Buffer];
    writeSync(fd, bytes, 0, bytes.length >> 1);
    die();
  }
  if (n === last) die();
  return real();
});
writeSync(1, `${commit("step", 1, io)}\n`);
