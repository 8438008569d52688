// The discipline pack: look first, change in small verified steps, stop when it does not work, report what was shown.
import { pack } from "../../model/gate.js";
import { breaker } from "./breaker/breaker.js";
import { failuresMemory } from "./breaker/failures-memory.js";
import { blockedPaths } from "./files/blocked-paths.js";
import { fileSize } from "./files/file-size.js";
import { inlineScripts } from "./files/inline-scripts.js";
import { sensitiveFiles } from "./files/sensitive-files.js";
import { loopMemory } from "./loop/loop-memory.js";
import { taskLoop } from "./loop/task-loop.js";
import { planApproval } from "./plan/plan-approval.js";
import { planMemory } from "./plan/plan-memory.js";
import { promptNotes } from "./prompts/prompt-notes.js";
import { requiredSkill } from "./prompts/required-skill.js";
import { requirements } from "./prompts/requirements.js";
import { safemode } from "./prompts/safemode.js";
import { safemodeMemory } from "./prompts/safemode-memory.js";
import { taskMemory } from "./prompts/task-memory.js";
import { commandAnswers } from "./prompts/user-commands.js";
import { releaseManifest } from "./release/release-manifest.js";
import { releaseMemory } from "./release/release-memory.js";
import { releaseProof } from "./release/release-proof.js";
import { readFirst } from "./research/read-first.js";
import { readsMemory } from "./research/reads-memory.js";
import { researchFirst } from "./research/research-first.js";
import { researchMemory } from "./research/research-memory.js";
import { researchOnly } from "./research/research-only.js";
import { documents } from "./session/documents.js";
import { gaming } from "./session/gaming.js";
import { historyMemory } from "./session/history-memory.js";
import { progressMemory } from "./session/progress-memory.js";
import { reminders } from "./session/reminders.js";
import { sessionBriefing } from "./session/session-briefing.js";
import { startup } from "./session/startup.js";
import { testQuality } from "./tests/test-quality.js";
import { testEvidence } from "./verification/test-evidence.js";
import { unprovedClaims } from "./verification/unproved-claims.js";
import { verification } from "./verification/verification.js";
import { workMemory } from "./verification/work-memory.js";

export const disciplinePack = pack({
  id: "discipline",
  title: "Discipline",
  // A memory may recall the ones listed before it, as they are after the event.
  memories: [
    taskMemory,
    safemodeMemory,
    progressMemory,
    researchMemory,
    readsMemory,
    workMemory,
    failuresMemory,
    planMemory,
    loopMemory,
    releaseMemory,
    historyMemory,
  ],
  gates: [
    commandAnswers,
    safemode,
    blockedPaths,
    startup,
    breaker,
    documents,
    planApproval,
    researchOnly,
    researchFirst,
    readFirst,
    sensitiveFiles,
    taskLoop,
    requiredSkill,
    fileSize,
    inlineScripts,
    testQuality,
    requirements,
    releaseProof,
    releaseManifest,
    verification,
    testEvidence,
    unprovedClaims,
    gaming,
    promptNotes,
    reminders,
    sessionBriefing,
  ],
});
