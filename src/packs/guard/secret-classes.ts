// Which gate judges which class of hazard.
import type { HazardClass } from "../../model/hazards.js";

/** The secrets gate judges these; the destructive gate all others. */
export const secretClasses: ReadonlySet<HazardClass> = new Set(["credential-read", "exfiltration"]);
