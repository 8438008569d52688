// Runs every check of `interlock doctor`, in the order in which it reports them. Looks; repairs nothing.
import { checkConfiguration } from "./configuration.js";
import type { CheckContext } from "./context.js";
import { checkCoverage } from "./coverage.js";
import { checkLooks } from "./cut-looks.js";
import { checkDrift } from "./drift.js";
import type { HealthFinding } from "./finding.js";
import { checkFolder } from "./folder.js";
import { checkPacks } from "./pack-state.js";
import { checkProbes } from "./probes.js";
import { checkRecord } from "./record-check.js";
import { checkRegistration } from "./registration.js";
import { checkServer } from "./server.js";
import { checkSpecialFiles } from "./special-files.js";
import { checkVersions } from "./versions.js";

export async function checkup(context: CheckContext): Promise<HealthFinding[]> {
  return [
    ...checkVersions(context.versions, context),
    ...checkFolder(context),
    ...checkSpecialFiles(context),
    ...checkRecord(context),
    ...checkLooks(context),
    ...checkConfiguration(context),
    ...(await checkPacks(context)),
    ...checkRegistration(context),
    ...(await checkDrift(context)),
    ...(await checkServer(context)),
    ...checkCoverage(context),
    ...(await checkProbes(context)),
  ];
}
