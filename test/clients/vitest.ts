// vitest at an exact version, installed once under .cache, for tests whose scripted project runs real tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workplace.js";

const version = "3.2.4";
const folder = join(root, ".cache", `vitest-${version}`);
const modules = join(folder, "node_modules");

/** Its node_modules; undefined where it can't be installed, which on CI is a failure. */
export function vitestModules(): string | undefined {
  if (existsSync(join(modules, "vitest"))) return modules;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", ...flags, "--prefix", draft, `vitest@${version}`], {
    stdio: ["ignore", 2, 2],
  });
  if (status === 0 && existsSync(join(draft, "node_modules", "vitest"))) renameSync(draft, folder);
  else rmSync(draft, { recursive: true, force: true });
  if (existsSync(join(modules, "vitest"))) return modules;
  if (process.env.CI === "true") throw new Error(`vitest ${version} can't be installed`);
  return undefined;
}
