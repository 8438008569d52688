// The discipline pack: the scientific method as gates. Look first, change in small proven steps, stop when it does not work, say what was shown.
import { pack } from "../../model/gate.js";
import { breaker } from "./breaker/breaker.js";
import { failures } from "./breaker/failures-memory.js";
import { blockedPaths } from "./files/blocked-paths.js";
import { fileSize } from "./files/file-size.js";
import { inlineScripts } from "./files/inline-scripts.js";
import { sensitiveFiles } from "./files/sensitive-files.js";
import { loop as loopMemory } from "./loop/loop-memory.js";
import { loop } from "./loop/task-loop.js";
import { plan } from "./plan/plan-approval.js";
import { plan as planMemory } from "./plan/plan-memory.js";
import { promptNotes } from "./prompts/prompt-notes.js";
import { skill } from "./prompts/required-skill.js";
import { requirements } from "./prompts/requirements.js";
import { safemode } from "./prompts/safemode.js";
import { safemode as safemodeMemory } from "./prompts/safemode-memory.js";
import { task } from "./prompts/task-memory.js";
import { commands } from "./prompts/user-commands.js";
import { releaseManifest } from "./release/release-manifest.js";
import { release as releaseMemory } from "./release/release-memory.js";
import { release } from "./release/release-proof.js";
import { readFirst } from "./research/read-first.js";
import { reads } from "./research/reads-memory.js";
import { research } from "./research/research-first.js";
import { research as researchMemory } from "./research/research-memory.js";
import { researchOnly } from "./research/research-only.js";
import { documents } from "./session/documents.js";
import { gaming } from "./session/gaming.js";
import { history } from "./session/history-memory.js";
import { seen } from "./session/progress-memory.js";
import { session } from "./session/session-briefing.js";
import { startup } from "./session/startup.js";
import { testQuality } from "./tests/test-quality.js";
import { evidence } from "./verification/test-evidence.js";
import { claims } from "./verification/unproved-claims.js";
import { verification } from "./verification/verification.js";
import { work } from "./verification/work-memory.js";

export default pack({
  id: "discipline",
  title: "Discipline",
  // Each may recall those before it as they are after the event.
  memories: [
    task,
    safemodeMemory,
    seen,
    researchMemory,
    reads,
    work,
    failures,
    planMemory,
    loopMemory,
    releaseMemory,
    history,
  ],
  gates: [
    commands,
    safemode,
    blockedPaths,
    startup,
    breaker,
    documents,
    plan,
    researchOnly,
    research,
    readFirst,
    sensitiveFiles,
    loop,
    skill,
    fileSize,
    inlineScripts,
    testQuality,
    requirements,
    release,
    releaseManifest,
    verification,
    evidence,
    claims,
    gaming,
    promptNotes,
    session,
  ],
});
