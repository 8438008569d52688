// The guard pack: irreversible loss, secrets, tampering with Interlock itself.
// Invariant: self-protection judges first; nothing here depends on state.
import { pack } from "../../model/gate.js";
import { configChange } from "./config-change.js";
import { destructive } from "./destructive.js";
import { keepWork } from "./keep-work.js";
import { observed, watch } from "./observed.js";
import { privileged } from "./privileged.js";
import { secrets } from "./secrets.js";
import { selfProtect } from "./self-protect.js";

export default pack({
  id: "guard",
  title: "Guard",
  gates: [selfProtect, privileged, destructive, secrets, configChange, observed],
  acts: { "keep-work": keepWork, watch },
});
