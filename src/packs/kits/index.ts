// The kits pack: phases of test-driven development, research and Lean mathematics, and a budget for reading.
import { pack } from "../../model/gate.js";
import { mathPhases } from "./math/math.js";
import { phaseMemory, sessionRunMemory } from "./phase-memory.js";
import { readBudget } from "./read-budget/read-budget.js";
import { researchPhases } from "./research/research.js";
import { tddPhases } from "./tdd/tdd.js";

export const kitsPack = pack({
  id: "kits",
  title: "Kits",
  memories: [phaseMemory, sessionRunMemory],
  gates: [tddPhases, researchPhases, mathPhases, readBudget],
});
