// Appends events in a process of its own. Usage: append.js <project> <run id> <name> <count>.
import { appendEvent } from "../../src/runs/run.js";

const [project = "", runId = "", name = "", count = "0"] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++)
  appendEvent(project, runId, { event: "artifact_indexed", data: { name, i, filler: "x".repeat((i * 37) % 3_000) } });
