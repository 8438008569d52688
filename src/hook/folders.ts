// Where things are on this machine: Interlock's folder, the user's configuration, the installed package.
// Invariant: the folder named by the registered hook wins over the environment, so that an environment variable cannot
// start a fresh record.
import { join, resolve } from "node:path";
import { os } from "../project/node-builtins.js";

export interface Env {
  [name: string]: string | undefined;
}

export const userHomeOf = (env: Env): string => env["HOME"] || os().homedir();

export function interlockHome(env: Env, given?: string): string {
  if (given) return resolve(given);
  if (env["INTERLOCK_HOME"]) return resolve(env["INTERLOCK_HOME"]);
  return join(env["XDG_STATE_HOME"] || join(userHomeOf(env), ".local", "state"), "interlock");
}

export function userConfigFile(env: Env, home: string): string {
  if (home !== interlockHome({ ...env, INTERLOCK_HOME: undefined })) return join(home, "interlock.yaml");
  return join(env["XDG_CONFIG_HOME"] || join(userHomeOf(env), ".config"), "interlock", "interlock.yaml");
}

declare const INTERLOCK_VERSION: string | undefined;
export const version: string = typeof INTERLOCK_VERSION === "string" ? INTERLOCK_VERSION : "0.0.0-source";
