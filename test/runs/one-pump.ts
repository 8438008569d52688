// A pump of one request in a process of its own, for a test that kills it. Usage: one-pump.js <project>.
import { fileURLToPath } from "node:url";
import { kitProcess } from "../../src/runs/child-process.js";
import { DirectoryQueue } from "../../src/runs/directory-queue.js";
import { pumpOnce } from "../../src/runs/pump.js";
import { fileRunRecords } from "../../src/runs/run.js";

const [project = ""] = process.argv.slice(2);
const fakeKit = fileURLToPath(new URL("fake-kit.js", import.meta.url));
await pumpOnce({
  project,
  records: fileRunRecords(project),
  queue: new DirectoryQueue(project),
  runChild: kitProcess([process.execPath, fakeKit]),
});
