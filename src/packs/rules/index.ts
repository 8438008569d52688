// The rules pack: what users write themselves under `rules:` in interlock.yaml.
import { pack } from "../../model/gate.js";
import { userRules } from "./user-rules.js";

export const rulesPack = pack({ id: "rules", title: "Your own rules", gates: [userRules] });
