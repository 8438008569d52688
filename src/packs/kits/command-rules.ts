// The commands that phases refuse, judged on the analysed command.
// Invariant: pure; a program is known by its name and arguments, however it is wrapped.
import type { Facts } from "../../facts/index.js";
import { type ProgramCall, runnerOf } from "../../facts/test-runners.js";
import type { CommandRuleName } from "./phase-rules.js";
import { outputBound, pipelinesOf } from "./read-budget/pipelines.js";

export interface RefusedCommand {
  what: string;
  why: string;
  next: string;
}

const words = ({ argv }: ProgramCall): string[] => argv.map((a) => a ?? "");
const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const interpreter = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|Rscript|julia|tsx|ts-node|osascript)$/;
const inlineFlag = /^(?:-c|-e|-E|-p|-pe|-ne|--eval|--print|eval|-r|-|-i)$/;
const snapshotFlag = /^(?:-u|--update|--update-?snapshots?|--snapshot-update|--updateSnapshot)(?:=.*)?$/i;
const experiment = /^(?:train|eval|evaluate|run)(?:[_.-][\w.-]*)?$/i;

/** Sets, empties or drops the variable that says who asks. */
const otherRun = /\bRUN_ID=|\bunset\b[^;&|\n]*\bRUN_ID\b|\benv\b[^;&|\n]*(?:-u\s*|--unset[= ])RUN_ID\b|\benv\s+-i\b/;

const rules: Readonly<Record<CommandRuleName, (facts: Facts) => RefusedCommand | undefined>> = {
  "lake-clean": ({ shell }) =>
    shell?.commands.some((c) => lakeVerb(c) === "clean")
      ? {
          what: "lake clean",
          why: "the compiled cache takes long to rebuild",
          next: "build again with `lake build`; leave the cache",
        }
      : undefined,
  "raw-lake-build": ({ shell, event }) => {
    const builds = shell?.commands.some((c) => lakeVerb(c) === "build");
    const text = String(event.tool?.input["command"] ?? "");
    const isRaw = () => {
      const naming = pipelinesOf(text).filter((pipeline) => /\blake\b/.test(pipeline.text));
      return !naming.length || naming.some((pipeline) => outputBound(pipeline) === "unbounded");
    };
    return builds && isRaw()
      ? {
          what: "lake build with all its output",
          why: "a build prints more than a session can hold",
          next: "lake build 2>&1 | tail -40, or into a log: interlock query-log lean-summary <log>",
        }
      : undefined;
  },
  "run-experiment": ({ shell }) => {
    const found = shell?.commands.find((c) => isExperiment(c));
    return found
      ? {
          what: `run ${found.program} ${words(found).join(" ")}`.slice(0, 120),
          why: "experiments run in the run phase only",
          next: "work with the results that are there",
        }
      : undefined;
  },
  "update-snapshots": ({ shell }) =>
    shell?.commands.some((c) => runnerOf(c) && words(c).some((w) => snapshotFlag.test(w)))
      ? {
          what: "run tests and update their snapshots",
          why: "stored snapshots are what the tests ask for",
          next: "run the tests without the option and change the code",
        }
      : undefined,
  "direct-agent": (facts) => {
    const { shell, effects, event } = facts;
    if (event.tool?.kind !== "shell") return undefined;
    const agent = effects.find((e) => e.kind === "spawn-agent");
    const asks = shell?.commands.some(
      (c) => /^(?:agent-)?interlock$/.test(c.program) && /^(?:kit|request|pump)$/.test(words(c)[0] ?? ""),
    );
    if (asks && otherRun.test(String(event.tool.input["command"] ?? "")))
      return {
        what: "interlock with another RUN_ID",
        why: "a run that is asked for belongs to the run that asks",
        next: "leave RUN_ID as it is; interlock request <kit.phase> ... takes it from there",
      };
    const own = shell?.commands.find(
      (c) => /^(?:agent-)?interlock$/.test(c.program) && words(c)[0] === "kit" && words(c).includes("--runtime"),
    );
    return agent || own
      ? {
          what: agent ? `start ${agent.program ?? "an agent"}` : "interlock kit with another runtime",
          why: "an agent started from here would not be bound to this phase",
          next: "ask another kit: interlock request <kit.phase> ..., then interlock pump --request <id>",
        }
      : undefined;
  },
  "inline-code": (facts) => {
    const { shell, changes } = facts;
    const unknown = changes.find((c) => c.kind === "unknown");
    if (!shell || !unknown) return undefined;
    const inline = shell.commands.some((c) => interpreter.test(c.program) && words(c).some((w) => inlineFlag.test(w)));
    const dynamic = !shell.parsed || /[$`]/.test(unknown.shown);
    return inline || dynamic
      ? {
          what: `a command whose effects can't be known: ${unknown.shown}`.slice(0, 140),
          why: "this phase locks files, and nobody can say which ones it writes",
          next: "use Read, Write and Edit, or a plain command with plain paths",
        }
      : undefined;
  },
  privilege: ({ effects, event }) => {
    const found = event.tool?.kind === "shell" ? effects.find((e) => e.kind === "privilege") : undefined;
    return found
      ? {
          what: `${found.program ?? "sudo"}`,
          why: "a phase runs with the rights it was started with",
          next: "do without it; say in the capsule what is missing",
        }
      : undefined;
  },
};

/** Options of lake whose value is a word of its own. */
const lakeValues = new Set(["-d", "--dir", "-f", "--file", "--lean", "--packages", "--log-level", "--fail-level"]);

/** The sub-command of a call of lake, also through `elan run <toolchain>`. */
function lakeVerb(call: ProgramCall): string | undefined {
  const given = words(call);
  const at = call.program === "elan" && given[0] === "run" ? given.findIndex((w) => baseName(w) === "lake") : -1;
  if (call.program !== "lake" && at < 0) return undefined;
  const own = given.slice(at + 1);
  return own.find((w, i) => !w.startsWith("-") && !lakeValues.has(own[i - 1] ?? ""));
}

/** Programs that start a training script for somebody. */
const launcher = /^(?:torchrun|accelerate|deepspeed|mpirun|mpiexec|horovodrun|srun|sbatch|papermill|ray|modal)$/;

/** `python train.py`, `uv run python3 train.py`, `./eval.sh`: the script counts, whoever runs it. */
function isExperiment(call: ProgramCall): boolean {
  if (call.path !== undefined && experiment.test(baseName(call.path))) return true;
  if (/\.(?:py|sh|jl|R|js|ts)$/.test(call.program) && experiment.test(call.program)) return true;
  if (launcher.test(call.program)) return words(call).some((w) => experiment.test(baseName(w)) && /\.\w+$/.test(w));
  if (!interpreter.test(call.program) && !/^(?:ba|z|da)?sh$/.test(call.program)) return false;
  const given = words(call);
  const module = given.indexOf("-m");
  const script = module >= 0 ? given[module + 1] : given.find((w) => w !== "" && !w.startsWith("-"));
  return script !== undefined && experiment.test(baseName(script));
}

export function refusedCommand(names: readonly CommandRuleName[], facts: Facts): RefusedCommand | undefined {
  for (const name of names) {
    const found = rules[name](facts);
    if (found) return found;
  }
  return undefined;
}
