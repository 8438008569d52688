// A project with Interlock installed the way a user installs it, from a package of its own that a test may break.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { registeredEvents } from "../../src/hosts/claude-code/events.js";
import { applyInstall, planInstall } from "../../src/hosts/claude-code/install.js";
import { root, type Workplace, workplace } from "./workplace.js";

export interface Installed extends Workplace {
  /** The installed dist/interlock.cjs. */
  script: string;
  /** Removes every file of the program but its entry. */
  dropChunks(): void;
  interlock(...args: string[]): { status: number | null; stdout: string; stderr: string };
}

export function installed(t: TestContext, yaml: string): Installed {
  const place = workplace(t);
  const packageDir = join(dirname(place.project), "package");
  cpSync(join(root, "dist"), join(packageDir, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(packageDir, "package.json"));
  const script = join(packageDir, "dist", "interlock.cjs");
  const env = { PATH: process.env.PATH, HOME: place.home };
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: place.project, env, encoding: "utf8" });
  run("git", ["init", "-q", "-b", "work"]);
  place.put("interlock.yaml", yaml);
  const plan = planInstall({
    scope: "project",
    projectRoot: place.project,
    userHome: place.home,
    command: { node: process.execPath, script },
    events: registeredEvents,
    timeoutSeconds: 30,
    clientVersion: "2.1.325",
  });
  applyInstall(plan, join(place.home, ".local/state/interlock"));
  return {
    ...place,
    script,
    interlock: (...args) => run(process.execPath, [script, ...args]),
    dropChunks() {
      for (const name of readdirSync(dirname(script)))
        if (name !== "interlock.cjs") rmSync(join(dirname(script), name));
    },
  };
}
