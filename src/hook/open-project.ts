// Opens what an event of one folder needs: repository, store, configuration, the packs that subscribe, the engine.
// Invariant: nothing is loaded that the kind of event does not need.
import { join } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.js";
import { Engine } from "../engine/engine.js";
import type { EngineWorld } from "../engine/engine-world.js";
import { projectOf } from "../engine/project-reader.js";
import type { Config } from "../model/config.js";
import type { EventKind } from "../model/event.js";
import type { Pack } from "../model/gate.js";
import { type PackEntry, registry } from "../packs/registry.js";
import { identify, type Repository } from "../project/identify.js";
import type { ProtectedPlaces } from "../project/protected/protected.js";
import { openStore, type Store } from "../store/index.js";
import { realIo } from "../store/io.js";
import { readKey } from "../store/key/signing-key.js";
import { type Env, interlockHome, userConfigFile, userHomeOf, version } from "./folders.js";

export interface Opened {
  /** The folder that was asked for, in or below the repository. */
  start: string;
  repository: Repository;
  home: string;
  userHome: string;
  /** Interlock's folder for this project. */
  folder: string;
  store: Store;
  settings: LoadedConfig;
  userFile: string;
  projectFile: string;
  consentsFile: string;
  places: ProtectedPlaces;
}

export interface OpenOptions {
  env: Env;
  home?: string;
  packageDir?: string;
}

export async function open(folder: string, options: OpenOptions): Promise<Opened> {
  const { env } = options;
  const home = interlockHome(env, options.home);
  const userHome = userHomeOf(env);
  const repository = identify(folder);
  const own = join(home, "projects", repository.id);
  const userFile = userConfigFile(env, home);
  const projectFile = join(repository.root, "interlock.yaml");
  const consentsFile = join(home, "consents.json");
  const store = openStore({ home, id: repository.id, label: repository.root });
  const settings = await loadConfig({ folder: own, userFile, projectFile, consentsFile, key: keyOf(home), version });
  const places: ProtectedPlaces = {
    home: userHome,
    projectRoot: repository.root,
    interlockHome: home,
    configDir: env["CLAUDE_CONFIG_DIR"],
    packageDir: options.packageDir,
    gitDirs: [repository.gitDir, repository.commonDir].filter((d): d is string => d !== undefined),
  };
  return {
    start: folder,
    repository,
    home,
    userHome,
    folder: own,
    store,
    settings,
    userFile,
    projectFile,
    consentsFile,
    places,
  };
}

/** The packs that subscribe to one of these kinds of event; all enabled ones when none is given. */
export function packsFor(opened: Opened & { env?: Env }, ...kinds: EventKind[]): Pack[] | Promise<Pack[]> {
  const wanted = registry.filter(
    (p) =>
      opened.settings.config.packs[p.id]?.enabled &&
      (!kinds.length || kinds.some((kind) => p.hears.includes(kind))) &&
      (!p.concerns || p.concerns(opened)),
  );
  const { config } = opened.settings;
  let byName = known.get(config);
  if (!byName) known.set(config, (byName = new Map()));
  const name = wanted.map((p) => p.id).join(" ");
  return byName.get(name) ?? loadPacks(wanted, (packs) => byName.set(name, packs));
}

async function loadPacks(wanted: readonly PackEntry[], keep: (packs: Pack[]) => void): Promise<Pack[]> {
  const packs = await Promise.all(wanted.map((p) => p.load()));
  keep(packs);
  return packs;
}

/** One list per configuration, so that what is computed for the list (who subscribes to what) is kept. */
const known = new WeakMap<Config, Map<string, Pack[]>>();

export function engineOf(opened: Opened, packs: readonly Pack[], more: Partial<EngineWorld> = {}): Engine {
  const { settings, store, userHome, home, places, repository } = opened;
  return new Engine({
    packs,
    config: settings.config,
    project: projectOf(repository),
    store,
    userHome,
    home,
    places,
    ...more,
  });
}

/** Undefined with no key or a damaged one: the compiled configuration is then made again each time. */
export function keyOf(home: string): Buffer | undefined {
  const key = readKey(realIo, home);
  return key && key !== "bad" ? key.bytes : undefined;
}
