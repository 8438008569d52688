// Where Claude Code keeps its settings, and how a file there is read and replaced.
// Invariant: a file is replaced whole, keeps its mode and owner, and a symbolic link stays a link.
import { chownSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBounded } from "../../../project/bounded-read.js";
import { replaceFile } from "../../../project/replace-file.js";

export type SettingsScope = "user" | "project" | "local";

export interface SettingsPlaces {
  projectRoot: string;
  userHome: string;
  /** CLAUDE_CONFIG_DIR, where set. */
  configDir?: string | undefined;
}

export function settingsFile(scope: SettingsScope, places: SettingsPlaces): string {
  if (scope === "user") return join(places.configDir ?? join(places.userHome, ".claude"), "settings.json");
  return join(places.projectRoot, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
}

/** Managed settings of the machine, by platform; what comes by MDM or from a server is not seen here. */
export function managedFile(platform: NodeJS.Platform = process.platform): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode/managed-settings.json";
  if (platform === "win32") return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
  return "/etc/claude-code/managed-settings.json";
}

export class FileError extends Error {}

const sizeLimit = 8 * 1024 * 1024;

/** The text of a file; undefined if there is none. Refuses bytes that are not UTF-8: they could not be written back. */
export function readTextFile(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readBounded(file, sizeLimit);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const why = code === "EFBIG" ? "larger than 8 MB" : code === "EINVAL" ? "no regular file" : code;
    throw new FileError(`${file} cannot be read (${why}); make it readable and run this again`);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    throw new FileError(`${file} is not UTF-8 text; save it as UTF-8 and run this again`);
  return text;
}

/** Replaces the file a path leads to. Returns the folder that had to be made, if one had to. */
export function replaceText(file: string, text: string, newMode?: number): string | undefined {
  const target = linkTarget(file);
  try {
    const made = mkdirSync(dirname(target), { recursive: true });
    const old = statSync(target, { throwIfNoEntry: false });
    replaceFile(target, text, old ? undefined : newMode);
    if (old && old.uid !== process.getuid?.()) chownSync(target, old.uid, old.gid);
    return made;
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException;
    throw new FileError(`${file} cannot be written (${code ?? message}); make it writable and run this again`);
  }
}

function linkTarget(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  try {
    return realpathSync(file);
  } catch {
    // a link to nothing: writing there would decide where the user's file lies
    throw new FileError(`${file} is a link to a file that does not exist; remove the link or make the file`);
  }
}
