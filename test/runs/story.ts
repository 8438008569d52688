// A project with runs, for tests of requests, queue and pump.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runRecordsHere } from "../../src/cli/lib/runs-here.js";
import { interlockHome } from "../../src/hook/folders.js";
import { makeRequest, type NewRequest, type RequestRules } from "../../src/runs/request.js";
import { createRun, fileRunRecords, type NewRun, type Run } from "../../src/runs/run.js";
import type { InteropRequest } from "../../src/runs/schemas.js";
import { temporary } from "../../src/testing/temporary.js";

export interface RunsProject {
  root: string;
  rules: RequestRules;
  write(path: string, text: string): string;
  run(start?: Partial<NewRun>): Run;
  /** A valid request of the given run. */
  request(run: Run, more?: Partial<NewRequest>): InteropRequest;
}

export function runsProject(): RunsProject {
  const root = temporary("runs");
  const write = (path: string, text: string) => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  const rules: RequestRules = { project: root, records: fileRunRecords(root) };
  write("specs/lemma.md", "# Lemma\n");
  return {
    root,
    rules,
    write,
    // Signed as the program would with this folder as its HOME.
    run: (start = {}) =>
      createRun(
        root,
        { kit: "research", phase: "run", args: ["experiments/e.md"], ...start },
        runRecordsHere(root, interlockHome({ HOME: root })),
      ),
    request(run, more = {}) {
      const { request, findings } = makeRequest(
        { action: "math.full", args: ["specs/lemma.md"], runId: run.id, ...more },
        rules,
      );
      if (findings.length) throw new Error(JSON.stringify(findings));
      return request;
    },
  };
}
