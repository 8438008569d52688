// How this program is called here: what a screen tells people to type must work for them.
import { realpathSync } from "node:fs";

/** `interlock`, or `npx ...` where it is not on the PATH. */
export function ownName(script = process.argv[1] ?? ""): string {
  const path = realFile(script);
  if (/[\\/]_npx[\\/]/.test(path)) return "npx agent-interlock";
  const global = /[\\/](?:lib|npm|global)[\\/](?:.*[\\/])?node_modules[\\/]agent-interlock[\\/]/.test(path);
  return /[\\/]node_modules[\\/]agent-interlock[\\/]/.test(path) && !global ? "npx interlock" : "interlock";
}

/** The file behind a link. */
export function realFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not started from a file
  }
}
