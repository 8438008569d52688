// The project an MCP server works for: opened again for each call, because files and settings change meanwhile.
import type { Opened } from "../hook/open-project.js";
import { open } from "../hook/open-project.js";
import type { IntentOptions } from "../packs/intent/intent-options.js";

export interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
  home?: string;
  packageDir?: string;
}

export const openPlace = ({ cwd, ...options }: Place): Promise<Opened> => open(cwd, options);

export const intentOptionsOf = ({ settings }: Opened): IntentOptions =>
  settings.config.packs["intent"]!.options as unknown as IntentOptions;
