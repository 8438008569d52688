// The intent pack: files change only under a declared intent, inside its scope, and leave a trace.
import { pack } from "../../model/gate.js";
import { watch } from "../guard/observed/observed.js";
import { fileTrust } from "./file-trust.js";
import { gatekeeper } from "./gatekeeper/gatekeeper.js";
import { handshake } from "./handshake/handshake.js";
import { failureLessons } from "./lessons/failure-lessons.js";
import { writtenFiles } from "./parallel-calls.js";
import { prepareIntentPack } from "./project-intents.js";
import { scopeRequests } from "./requests-memory.js";
import { projectSelection, sessionSelection } from "./selection-memory.js";
import { seenFilesMemory } from "./stale-file/seen-files.js";
import { staleFile } from "./stale-file/stale-file.js";
import { trace, traceAfter, traceBefore } from "./trace/trace.js";

export const intentPack = pack({
  id: "intent",
  title: "Intents",
  memories: [writtenFiles, fileTrust, projectSelection, sessionSelection, scopeRequests, seenFilesMemory],
  gates: [gatekeeper, staleFile, handshake, failureLessons, trace],
  acts: { watch, "trace-before": traceBefore, trace: traceAfter },
  prepare: prepareIntentPack,
});
