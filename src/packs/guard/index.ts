// The guard pack: irreversible loss, secrets, tampering with Interlock itself.
import { pack } from "../../engine/gate.js";
import { configChange } from "./config-change.js";
import { selfProtect } from "./self-protect.js";

export default pack({ id: "guard", title: "Guard", gates: [selfProtect, configChange] });
