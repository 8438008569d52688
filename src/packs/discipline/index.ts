// The discipline pack: the scientific method as gates. Look first, change in small proven steps, stop when it does not work, say what was shown.
import { pack } from "../../model/gate.js";
import { blockedPaths } from "./blocked-paths.js";
import { breaker } from "./breaker.js";
import { claims } from "./claims.js";
import { commands } from "./commands.js";
import { documents } from "./documents.js";
import { evidence } from "./evidence.js";
import { fileSize } from "./file-size.js";
import { gaming } from "./gaming.js";
import { inlineScripts } from "./inline-scripts.js";
import { loop } from "./loop.js";
import { failures } from "./memory/failures.js";
import { history } from "./memory/history.js";
import { loop as loopMemory } from "./memory/loop.js";
import { plan as planMemory } from "./memory/plan.js";
import { reads } from "./memory/reads.js";
import { release as releaseMemory } from "./memory/release.js";
import { research as researchMemory } from "./memory/research.js";
import { safemode as safemodeMemory } from "./memory/safemode.js";
import { seen } from "./memory/seen.js";
import { task } from "./memory/task.js";
import { work } from "./memory/work.js";
import { plan } from "./plan.js";
import { promptNotes } from "./prompt-notes.js";
import { readFirst } from "./read-first.js";
import { release } from "./release.js";
import { releaseManifest } from "./release-manifest.js";
import { requirements } from "./requirements.js";
import { research } from "./research.js";
import { researchOnly } from "./research-only.js";
import { safemode } from "./safemode.js";
import { sensitiveFiles } from "./sensitive-files.js";
import { session } from "./session.js";
import { skill } from "./skill.js";
import { startup } from "./startup.js";
import { testQuality } from "./test-quality.js";
import { verification } from "./verification.js";

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
