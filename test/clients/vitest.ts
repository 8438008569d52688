// vitest at an exact version, installed by scripts/test.mjs, for tests whose scripted project runs real tests.
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workplace.js";

const clients = (await import(pathToFileURL(join(root, "scripts/clients.mjs")).href)) as { installVitest(): string };

/** Its node_modules; undefined where it can't be installed, which on CI is a failure. */
export function vitestModules(): string | undefined {
  try {
    return dirname(clients.installVitest());
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    return undefined;
  }
}
