// The intent pack: files change only under a declared intent, inside its scope, and leave a trace.
import { pack } from "../../model/gate.js";
import { watch } from "../guard/observed/observed.js";
import { gatekeeper } from "./gatekeeper/gatekeeper.js";
import { prepareIntentPack } from "./project-intents.js";
import { projectSelection, sessionSelection } from "./selection-memory.js";

export const intentPack = pack({
  id: "intent",
  title: "Intents",
  memories: [projectSelection, sessionSelection],
  gates: [gatekeeper],
  acts: { watch },
  prepare: prepareIntentPack,
});
