// Loads the compiled configuration for a hook and compiles it again when a source file has changed.
// Invariant: a broken file never changes the configuration; the last good one stays and the problem is reported.
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../model/config.js";
import { sha256 } from "../model/sha256.js";
import { readBoundedText } from "../project/bounded-read.js";
import { consents } from "../project/consents.js";
import { replaceFile } from "../project/replace-file.js";
import type { Loosening } from "./layer.js";

export interface ConfigPlaces {
  /** Interlock's folder for this project; the compiled form lives there. */
  folder: string;
  userFile: string;
  projectFile: string;
  /** Hashes of project files whose loosening the user accepted. */
  consentsFile: string;
  /** Authenticates the compiled form: it lies where the agent's user can write. */
  key: Buffer | undefined;
  version: string;
}

export interface LoadedConfig {
  config: Config;
  problems: string[];
  loosened: Loosening[];
  /** Digest of the configuration in force. */
  hash: string;
  /** Set if the compiled form was not saved because there was no key yet; call it once there is one. */
  keep?(key: Buffer): void;
}

interface Cache extends Omit<LoadedConfig, "keep"> {
  version: string;
  sources: string;
}

export async function loadConfig(places: ConfigPlaces): Promise<LoadedConfig> {
  const user = textOf(places.userFile);
  const project = textOf(places.projectFile);
  const projectHash = project === undefined ? "" : sha256(project);
  const consented = project !== undefined && consents(places.consentsFile).includes(projectHash);
  const sources = sha256(`${places.version}\n${user === undefined ? "" : sha256(user)}\n${projectHash}\n${consented}`);
  const file = join(places.folder, "config.json");
  const cache = readCache(file, places);
  if (cache?.sources === sources) return cache;

  const { compile } = await import("./compile.js");
  const compiled = await compile(
    { name: places.userFile, text: user },
    { name: places.projectFile, text: project },
    consented,
  );
  const good = compiled.problems.length && cache ? cache.config : compiled.config;
  const fresh: Cache = {
    version: places.version,
    sources,
    config: good,
    problems: compiled.problems,
    loosened: compiled.loosened,
    hash: sha256(JSON.stringify(good)).slice(0, 16),
  };
  if (!places.key) return { ...fresh, keep: (key) => writeCache(file, fresh, key) };
  writeCache(file, fresh, places.key);
  return fresh;
}

const macOf = (key: Buffer, text: string) => createHmac("sha256", key).update(`interlock-config\n${text}`).digest();

function readCache(file: string, { key, version }: ConfigPlaces): Cache | undefined {
  const text = key && textOf(file);
  if (!text) return undefined;
  const split = text.indexOf("\n");
  const body = text.slice(split + 1);
  const mac = Buffer.from(text.slice(0, Math.max(0, split)), "hex");
  const expected = macOf(key, body);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
  const cache = JSON.parse(body) as Cache;
  return cache.version === version ? cache : undefined;
}

function writeCache(file: string, cache: Cache, key: Buffer): void {
  const body = JSON.stringify(cache);
  try {
    replaceFile(file, `${macOf(key, body).toString("hex")}\n${body}`, 0o600);
  } catch {
    // On a disk that cannot be written, every event compiles again but none fails.
  }
}

/** Size limit for each file read here; a configuration has a few kilobytes. */
const largest = 4 * 1024 * 1024;

function textOf(file: string): string | undefined {
  try {
    return readBoundedText(file, largest);
  } catch {
    // Missing and unreadable files are treated alike here; doctor tells them apart.
    return undefined;
  }
}
