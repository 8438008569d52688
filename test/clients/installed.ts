// A project with Interlock installed the way a user installs it, from a package of its own that a test may break.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { binary, root, type Workplace, workplace } from "./workplace.js";

export interface Installed extends Workplace {
  /** The installed dist/interlock.cjs. */
  script: string;
  /** Puts the program back as it was built. */
  repair(): void;
  /** Removes every file of the program but its entry. */
  dropChunks(): void;
  /** A command in the project, as the user of the throw-away home. */
  run(command: string, ...args: string[]): { status: number | null; stdout: string; stderr: string };
  interlock(...args: string[]): { status: number | null; stdout: string; stderr: string };
}

/**
 * `door`: the hook type, a process per event by default. `prepare` puts files into the project before
 * `interlock init --yes <args>` runs in it.
 */
export function installed(
  t: TestContext,
  yaml = "",
  { args = [] as string[], door = "command", prepare = (_place: Workplace) => {} } = {},
): Installed {
  const place = workplace(t);
  const packageDir = join(dirname(place.project), "package");
  const repair = () => cpSync(join(root, "dist"), join(packageDir, "dist"), { recursive: true });
  repair();
  cpSync(join(root, "package.json"), join(packageDir, "package.json"));
  const script = join(packageDir, "dist", "interlock.cjs");
  const env = { PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, HOME: place.home };
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: place.project, env, encoding: "utf8" });
  const interlock = (...args: string[]) => run(process.execPath, script, ...args);
  run("git", "init", "-q", "-b", "work");
  if (yaml) place.put("interlock.yaml", yaml);
  prepare(place);
  const init = interlock("init", "--yes", "--door", door, ...args);
  if (init.status !== 0) throw new Error(`init failed: ${init.stdout}${init.stderr}`);
  // A process per event means that no server stands in for a program that a test breaks.
  if (door === "command") interlock("down", "--stay");
  else place.beforeRemoval(() => interlock("down"));
  return {
    ...place,
    script,
    run,
    interlock,
    repair,
    dropChunks() {
      for (const name of readdirSync(dirname(script)))
        if (name !== "interlock.cjs") rmSync(join(dirname(script), name), { recursive: true });
    },
  };
}
