// The guard pack: irreversible loss, secrets, tampering with Interlock itself.
// Invariant: self-protection judges first; nothing here depends on state.
import { type Act, pack } from "../../model/gate.js";
import { configChange } from "./config-change/config-change.js";
import { destructive } from "./destructive/destructive.js";
import { observed, watch } from "./observed/observed.js";
import { privileged } from "./privileged/privileged.js";
import { secrets } from "./secrets/secrets.js";
import { selfProtect } from "./self-protect/self-protect.js";

/** Few calls lose work: what keeps it is loaded then. */
const keepWork: Act = async (params, world) => (await import("./destructive/keep-work.js")).keepWork(params, world);

export const guardPack = pack({
  id: "guard",
  title: "Guard",
  gates: [selfProtect, privileged, destructive, secrets, configChange, observed],
  acts: { "keep-work": keepWork, watch },
});
