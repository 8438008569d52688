// A pump in a process of its own, for tests that kill it: works until the queue is empty for a while.
// Usage: worker.js <project> <folder for marks>. Each child run leaves its mark and its events, as `interlock kit`
// would.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DirectoryQueue } from "../../src/runs/directory-queue.js";
import { pumpOnce } from "../../src/runs/pump.js";
import { createRun, fileRunRecords } from "../../src/runs/run.js";

const [project = "", marks = ""] = process.argv.slice(2);
const queue = new DirectoryQueue(project, { leaseMs: 3_000, maxAttempts: 1_000 });
const records = fileRunRecords(project);

for (let idle = 0; idle < 40; ) {
  const pumped = await pumpOnce({
    project,
    records,
    queue,
    maxFanOut: 1_000,
    renewMs: 500,
    async runChild({ request, childRunId }) {
      const run = createRun(project, {
        kit: "math",
        phase: "full",
        args: request.args,
        runId: childRunId,
        parentRunId: request.run_id,
        requestId: request.request_id,
      });
      appendFileSync(join(marks, "started"), `${request.request_id} ${process.pid}\n`);
      writeFileSync(join(project, "results", `${request.request_id}.txt`), childRunId);
      await wait(Math.random() * 80);
      run.append({ event: "run_finished", exit_code: 0 });
      return { exitCode: 0 };
    },
  });
  if (pumped) {
    idle = 0;
    if (pumped.outcome === "answered") appendFileSync(join(marks, "answered"), `${pumped.id}\n`);
  } else {
    idle++;
    await wait(50);
  }
}
