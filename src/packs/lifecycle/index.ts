// The lifecycle pack: enforced phase workflows.
// Gates are in the order in which the framework runs its checks, so that the most useful refusal comes first.
import { join } from "node:path";
import { type Act, pack } from "../../model/gate.js";
import { markLifecycleUsed } from "./detect.js";
import { branchGuard } from "./gates/branch-guard.js";
import { constitutionValidator } from "./gates/constitution-validator.js";
import { delegationGate } from "./gates/delegation-gate.js";
import { discoverMenuGuard } from "./gates/discover-menu-guard.js";
import { gateBlocker } from "./gates/gate-blocker.js";
import { iterationCorridor } from "./gates/iteration-corridor.js";
import { logSkillUsage } from "./gates/log-skill-usage.js";
import { menuTracker } from "./gates/menu-tracker.js";
import { modelProviderRouter } from "./gates/model-provider-router.js";
import { phaseBrief } from "./gates/phase-brief.js";
import { phaseLoopController } from "./gates/phase-loop-controller.js";
import { phaseSequenceGuard } from "./gates/phase-sequence-guard.js";
import { planSurfacer } from "./gates/plan-surfacer.js";
import { reviewReminder } from "./gates/review-reminder.js";
import { skillDelegationEnforcer } from "./gates/skill-delegation-enforcer.js";
import { skillValidator } from "./gates/skill-validator.js";
import { stateWriteValidator } from "./gates/state-write-validator.js";
import { testWatcher } from "./gates/test-watcher.js";
import { walkthroughTracker } from "./gates/walkthrough-tracker.js";
import { workflowMemory } from "./model/workflow-memory.js";

/** Requested when the agent is told about its workflow. */
const mark: Act = (_, { project, home }) => {
  markLifecycleUsed(join(home, "projects", project.id));
  return undefined;
};

export const lifecyclePack = pack({
  id: "lifecycle",
  title: "Lifecycle",
  memories: [workflowMemory],
  acts: { mark },
  gates: [
    iterationCorridor,
    skillValidator,
    phaseLoopController,
    planSurfacer,
    phaseSequenceGuard,
    gateBlocker,
    constitutionValidator,
    modelProviderRouter,
    phaseBrief,
    branchGuard,
    logSkillUsage,
    menuTracker,
    walkthroughTracker,
    discoverMenuGuard,
    skillDelegationEnforcer,
    testWatcher,
    reviewReminder,
    stateWriteValidator,
    delegationGate,
  ],
});
