// Shell text in, typed effects out: the one entry to the understanding of commands.
// Invariant: pure and total; it does no I/O of its own, never throws, and what it can't follow is an `unknown` effect.
import type { Analysis, ShellContext } from "./analyze/analysis.js";
import type { RunContext } from "./analyze/run-context.js";
import { known, ShellScope } from "./analyze/scope.js";
import { invoke, runCommand } from "./analyze/simple-command.js";
import type { Arg } from "./analyze/tool.js";
import { Analyzer } from "./analyze/walk.js";
import { workBudget } from "./analyze/work-budget.js";

export type { Effect, EffectKind, Hazard } from "../model/effect.js";
export type { Analysis, AnalysisStep, Ran, ShellContext } from "./analyze/analysis.js";

export function analyse(command: string, options: ShellContext): Analysis {
  const analyzer = new Analyzer(options, { run: runCommand, invoke });
  const scope = new ShellScope(undefined, environment(options.env));
  scope.cwd = options.cwd;
  scope.positional = [];
  scope.set("0", { text: known("bash") });
  const context: RunContext = {
    scope,
    source: command,
    depth: 0,
    conditional: false,
    stdin: { kind: "inherit" },
    calls: [],
    parallel: false,
    hidden: false,
    visible: true,
    loops: 0,
    budget: workBudget(),
  };
  try {
    analyzer.text(command, context);
  } catch (error) {
    // Total by contract: a fault in the analysis must never read as "no effects".
    analyzer.analysis.parsed = false;
    analyzer.unknown(context, `the analysis failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return analyzer.analysis;
}

const converted = new WeakMap<object, Record<string, Arg | undefined>>();

function environment(env: ShellContext["env"]): Record<string, Arg | undefined> | undefined {
  if (!env) return undefined;
  const seen = converted.get(env);
  if (seen) return seen;
  const record: Record<string, Arg | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(env)) record[name] = { source: `$${name}`, value, prefix: value };
  converted.set(env, record);
  return record;
}
