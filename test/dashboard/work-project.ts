// A project with something on every page of work: runs with a handoff, intents with traced lines, SR&ED commits.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runRecordsHere } from "../../src/cli/lib/runs-here.js";
import { appendEvent, createRun, type NewRun } from "../../src/runs/run.js";
import { TracedRepository } from "../../src/testing/traced-repository.js";
import { program } from "./dashboard-pages.js";

const many = (n: number, of: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => of(i));

export async function workProject(): Promise<{ repository: TracedRepository; parent: string; child: string }> {
  const r = new TracedRepository(program);
  r.try("interlock", "trace", "install-hooks");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(r.root, path)), { recursive: true });
    writeFileSync(join(r.root, path), text);
  };
  write(".orchestration/active_intents.yaml", intents);
  r.person("src/planner/route.ts", ...many(60, (i) => `export const step${i} = ${i};`));
  r.person("src/ui/view.ts", ...many(40, (i) => `export const part${i} = ${i};`));
  r.person("docs/notes.md", ...many(30, (i) => `note ${i}`));
  r.commitAll("chore: start");
  const own = (name: string, n: number) => many(n, (i) => `export function ${name}${i}(): number { return ${i}; }`);
  await r.agent("src/planner/search.ts", ...own("search", 50));
  await r.agentAs({ session: "s1", intent: "INT-002" }, "src/ui/list.ts", ...own("list", 35));
  await r.agent("src/ui/leak.ts", ...own("leak", 20));
  r.commitAll(
    "feat(planner): search\n\nHYPOTHESIS: A beam search is faster.\nEXPERIMENT: Compared both.\n" +
      "RESULT: FAILED, it was slower.\n\nSRED-Type: experimental-development\nSRED-Claim: PLANNER",
  );
  r.person("src/ui/view.ts", ...many(45, (i) => `export const part${i} = ${i};`));
  r.commitAll("feat(ui): more parts\n\nSRED-Type: experimental-development\nSRED-Claim: UI");

  const records = runRecordsHere(r.root, r.home);
  const start = (more: Partial<NewRun>) =>
    createRun(r.root, { kit: "research", phase: "run", args: ["experiments/e.md"], ...more }, records);
  const parent = start({ readBudget: { max_files: 40, max_total_bytes: 500_000, allowed_paths: ["docs/**"] } });
  const request = "REQ-20260213T091500Z-0a1b2c3d";
  appendEvent(r.root, parent.id, { event: "request_written", kit: "research", phase: "run", request_id: request });
  const child = start({ kit: "math", phase: "full", args: ["specs/l.md"], parentRunId: parent.id, requestId: request });
  const log = `runs/${child.id}/logs/build.log`;
  write(log, `${many(300, (i) => `line ${i}`).join("\n")}\nerror: the lemma is false\n`);
  write(`runs/${parent.id}/capsules/capsule.md`, capsule);
  appendEvent(r.root, child.id, { event: "run_finished", kit: "math", phase: "full", exit_code: 1 });
  appendEvent(r.root, parent.id, { event: "run_finished", kit: "research", phase: "run", exit_code: 0 });
  return { repository: r, parent: parent.id, child: child.id };
}

const intents = `active_intents:
  - id: INT-001
    name: Faster planner
    status: IN_PROGRESS
    owned_scope: ["src/planner/**"]
    constraints: []
    acceptance_criteria: ["routes in half the time"]
  - id: INT-002
    name: A list in the window
    status: IN_PROGRESS
    owned_scope: ["src/ui/**"]
    constraints: []
    acceptance_criteria: ["it scrolls"]
`;

const capsule = `Goal: find out whether the lemma holds
What happened: the experiment needs a lemma, so its proof was asked for
Current status: waiting for the proof
Next action requested (exactly one): read the capsule of the proof
Evidence pointers: specs/l.md
If blocked: say so
`;
