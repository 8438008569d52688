// The kits pack: phases of test-driven development, research and Lean mathematics, and a budget for reading.
import { pack } from "../../model/gate.js";
import { allowedChanges } from "./allowed-changes.js";
import { mathPhases } from "./math/math.js";
import { phaseMemory, sessionRunMemory } from "./phase-memory.js";
import { readBudget } from "./read-budget/read-budget.js";
import { researchPhases } from "./research/research.js";
import { tddPhases } from "./tdd/tdd.js";
import { variableLocks } from "./variable-locks.js";

export const kitsPack = pack({
  id: "kits",
  title: "Kits",
  memories: [phaseMemory, sessionRunMemory, variableLocks, allowedChanges],
  gates: [tddPhases, researchPhases, mathPhases, readBudget],
});
