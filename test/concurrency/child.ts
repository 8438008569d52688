// A process that commits to the record: `child <home> <id> <commits> <name>`; prints one line per acknowledged commit.
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/index.js";

const [home, id, commits, name] = process.argv.slice(2) as [string, string, string, string];
const types = ["event", "event", "fault", "override"];

for (let n = 0; n < Number(commits); n++) {
  const store = openStore({ home, id });
  const done = store.append(
    ({ state }) => ({
      type: types[n % types.length]!,
      session: name,
      ids: [`${name}-${n}`],
      body: { name, n, pad: "x".repeat((n * 37) % 900) },
      patch: { total: ((state["total"] as number | undefined) ?? 0) + 1, [`by/${name}`]: n },
    }),
    600_000, // however busy the machine is: the order is tested here, not the time
  );
  writeSync(1, `${done!.record.seq} ${name}-${n}\n`);
}
