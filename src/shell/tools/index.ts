// Every tool family, in one list: the lowering looks a program's base name up here.
// Invariant: a name is claimed once; the first family that claims it wins. The build turns this list into one that
// loads each module when it is asked for.
import type { ToolFamily } from "../analyze/tool.js";
import { agentTools } from "./agents.js";
import { archives } from "./archives.js";
import { backups } from "./backups.js";
import { builds } from "./builds.js";
import { cloud } from "./cloud.js";
import { compression } from "./compress.js";
import { containers } from "./containers.js";
import { fetchers } from "./curl.js";
import { databases } from "./databases.js";
import { disks } from "./disks.js";
import { editors } from "./editors.js";
import { files } from "./files.js";
import { filters } from "./filters.js";
import { formatters } from "./formatters.js";
import { git } from "./git.js";
import { graphs } from "./graphs.js";
import { harmless } from "./harmless.js";
import { infrastructure } from "./infrastructure.js";
import { interpreters } from "./interpreters.js";
import { kubernetes } from "./kubernetes.js";
import { loaderTools } from "./loaders.js";
import { makers } from "./make.js";
import { migrations } from "./migrations.js";
import { permissionTools } from "./modes.js";
import { networkTools } from "./network.js";
import { npmTools } from "./npm.js";
import { systemPackages } from "./packages.js";
import { platforms } from "./platforms.js";
import { readers } from "./readers.js";
import { search } from "./search.js";
import { self } from "./self.js";
import { shells } from "./shells.js";
import { syncTools } from "./sync.js";
import { system } from "./system.js";
import { terminals } from "./terminals.js";
import { toolchains } from "./toolchains.js";
import { vaults } from "./vaults.js";
import { versioning } from "./versioning.js";
import { windowsAndDevices } from "./windows.js";
import { wrappers } from "./wrappers.js";

export const families: ToolFamily[] = [
  ...shells,
  ...git,
  ...wrappers,
  ...readers,
  ...search,
  ...files,
  ...permissionTools,
  ...syncTools,
  ...editors,
  ...windowsAndDevices,
  ...versioning,
  ...loaderTools,
  ...toolchains,
  ...terminals,
  ...self,
  ...systemPackages,
  ...npmTools,
  ...makers,
  ...harmless,
  ...formatters,
  ...builds,
  ...agentTools,
  ...system,
  ...disks,
  ...vaults,
  ...platforms,
  ...migrations,
  ...kubernetes,
  ...infrastructure,
  ...databases,
  ...graphs,
  ...containers,
  ...cloud,
  ...backups,
  ...fetchers,
  ...networkTools,
  ...archives,
  ...compression,
  ...filters,
  ...interpreters,
];

const byName = new Map<string, ToolFamily>();
for (const family of families) for (const name of family.names) if (!byName.has(name)) byName.set(name, family);

export const claimant = (name: string): ToolFamily | undefined => byName.get(name);
export const claimedNames = (): string[] => [...byName.keys()];
