// Derives hazards from what effects name: deletes of roots and homes, credential files, devices, start-up files.
// Invariant: pure; a hazard a tool family attached itself is kept, and only a graver one takes its place.

import type { Effect, Hazard } from "../../model/effect.js";
import { hazardName } from "../../model/hazards.js";
import { isInside } from "../analyze/paths.js";
import { isCredentialFile, isKeyMaterial, isKeyStore } from "./credentials.js";

export interface Places {
  root?: string;
  home?: string;
  cwd?: string;
}

export interface Danger {
  effect: Effect;
  hazard: Hazard;
}

/** Every hazard of a command, the gravest of each effect. */
export function hazardsOf(effects: readonly Effect[], places: Places): Danger[] {
  const found: Danger[] = [];
  for (const effect of effects) {
    const derived = pathHazard(effect, places);
    const hazard = graver(effect.hazard, derived);
    if (hazard) found.push({ effect, hazard });
  }
  return leaks(found, effects, places);
}

const graver = (left: Hazard | undefined, right: Hazard | undefined): Hazard | undefined =>
  left && (!right || left.level >= right.level) ? left : right;

/** A secret that is read in the same command in which data leaves the machine is on its way out. */
function leaks(found: Danger[], effects: readonly Effect[], places: Places): Danger[] {
  const sent = effects.filter((effect) => effect.kind === "network" && effect.program !== "git");
  const [out] = sent;
  if (!out) return found;
  for (const effect of effects)
    if (
      effect.kind === "read" &&
      out.upload &&
      effect.how !== "stage" &&
      !found.some((danger) => danger.effect === effect)
    )
      found.push({ effect, hazard: sending(effect, places, out.program) });
  return found.map((danger) =>
    danger.hazard.class === "credential-read" &&
    danger.hazard.level < 3 &&
    // A secret store that is asked over the network sends nothing away by that.
    sent.some((effect) => effect.program === undefined || effect.program !== danger.effect.program)
      ? { effect: danger.effect, hazard: { class: "exfiltration", level: 3, id: `${hazardName(danger.hazard)}-sent` } }
      : danger,
  );
}

/** Files that leave the machine: a whole project or home is a disaster, one file may be the task. */
function sending(effect: Effect, { root, home }: Places, program: string | undefined): Hazard {
  // A project copied to a machine one may log in to is a deployment.
  const deployed = /^(rsync|scp|sftp)$/.test(program ?? "");
  const everything =
    effect.recursive && ((effect.path === root && !deployed) || effect.path === home || effect.path === "/");
  return { class: "exfiltration", level: everything ? 3 : 1, id: everything ? "upload-everything" : "upload-file" };
}

/** The hazard of one path effect, judged by its path alone. */
export function pathHazard(effect: Effect, places: Places): Hazard | undefined {
  if (effect.kind === "delete") return effect.how === "git" ? undefined : deletion(effect, places);
  // What git and other tools keep in their own files they judge themselves.
  if (effect.kind === "write") return /^(git|own-store)/.test(effect.how ?? "") ? undefined : writing(effect, places);
  if (effect.kind === "read") return reading(effect, places);
  return undefined;
}

const massDelete = (id: string, level: 1 | 2 | 3 = 3): Hazard => ({ class: "mass-delete", level, id });

const temporary = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders|\/dev\/shm)(\/|$)/;
const system =
  /^\/(bin|boot|dev|etc|lib\d*|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|private|Windows|nix)(\/|$)/;
const mounts = /^\/(home|Users|mnt|media|Volumes)(\/[^/]*)?$/;
const personal =
  /^(Documents|Desktop|Downloads|Pictures|Music|Videos|Movies|\.ssh|\.gnupg|\.aws|\.config|\.kube|Library|\.(?:bash|zsh|python|psql|mysql|sqlite|node_repl|rediscli)_history$)(\/|$)/;
const caches =
  /^(\.cache|\.npm\/_cacache|\.npm\/_npx|\.gradle\/caches|\.m2\/repository|Library\/Caches|Library\/Developer\/Xcode\/DerivedData|\.cargo\/registry|\.local\/share\/(Trash|virtualenvs)|\.virtualenvs)(\/|$)/;
/** What every build makes again, in whose project ever: names nobody gives to anything else. */
const remade =
  /^(node_modules|bower_components|__pycache__|\.(pytest|mypy|ruff)_cache|\.tox|\.nox|\.venv|venv|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.cache|\.gradle|\.terraform|\.angular|\.nyc_output|dist|build|target|out|coverage|cache|tmp|DerivedData|Pods|\.dart_tool|_build|CMakeFiles|cmake-build-[\w-]+|[\w.-]+\.egg-info)$/;

/** Below some project, not right below a home or in the system's own directories. */
function isRemade(path: string): boolean {
  if (/^\/var\/cache\/[^/]+/.test(path)) return true;
  if (/^\/(usr|bin|sbin|lib|lib64|etc|boot|dev|proc|sys|System|Library)\//.test(path)) return false;
  const parts = path.replace(/^\/(root|(home|Users)\/[^/]+)(?=\/)/, "").split("/");
  return parts.some((part, at) => at > 1 && remade.test(part));
}

/** Directories every build makes again. */
const rebuilt =
  /^(node_modules|bower_components|dist|build|builds|out|output|target|bin|obj|coverage|htmlcov|\.nyc_output|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|venv|\.eggs|[\w.-]*\.egg-info|\.cache|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.angular|\.gradle|\.terraform|\.serverless|\.aws-sam|DerivedData|Pods|\.dart_tool|_build|deps|\.stack-work|dist-newstyle|cmake-build-\w+|CMakeFiles|tmp|temp|\.tmp|\.temp|logs?|test-results|playwright-report|storybook-static|site|_site|public\/build|vendor|caches?|__snapshots__|\.output|\.docusaurus|\.expo|generated|gen|artifacts|release|debug|scratch|sandbox|[\w.-]*\.(xcarchive|app|dSYM)|.*[-_.](cache|tmp|temp|out|build|bak|old))$/i;

function deletion(given: Effect, places: Places): Hazard | undefined {
  // Every file at any depth is the tree itself.
  const all = given.glob ? /^(.*)\/\*\*\/\*$/s.exec(given.path ?? "") : null;
  const effect = all ? { ...given, path: all[1] || "/", recursive: true } : given;
  const whole = effect.recursive || effect.glob;
  const path = effect.path ?? (effect.within && `${effect.within === "/" ? "" : effect.within}/*`);
  if (path === undefined) return unresolvedDeletion(effect);
  // Something below the project whose name is not known is not the project.
  if (effect.path === undefined && places.root !== undefined && isInside(effect.within!, places.root))
    return effect.recursive ? massDelete("delete-unresolved", 2) : undefined;
  if (path === "/" || /^\/\*+$|^\/\.\*$/.test(path)) return massDelete("delete-root");
  const { root, home } = places;
  const inProject = root !== undefined && isInside(path, root) && root !== home;
  if (temporary.test(path) && !inProject)
    return /^(\/private)?\/(tmp|var\/tmp)$/.test(path) && effect.recursive
      ? massDelete("delete-temp", effect.word?.includes("$") ? 2 : 3)
      : undefined;
  if (
    /(^|\/)[^/]*\.git\/(objects|refs|logs|worktrees|packed-refs|HEAD|config|index|hooks|\*|\{)|(^|\/)\.git(\/\*?)?$/.test(
      path,
    )
  )
    return /\.git\/(index|HEAD|.*\.lock$)/.test(path) && path.endsWith(".lock") ? undefined : massDelete("delete-git");
  if (inProject) {
    const rest = path.slice(root.length + 1);
    if (rest === "" || /^\.?\*+$|^\.\*$|^\.\[!\.\]\*$/.test(rest))
      return effect.recursive ? massDelete("delete-project") : massDelete("delete-project-files", 2);
    // What is moved is still there.
    if (!effect.recursive || effect.how === "move") return undefined;
    // `rm -rf node_modules package-lock.json`: a name with an extension is one file.
    if (/[^/]\.[a-z][a-z0-9]{0,9}$/i.test(rest) && !rest.endsWith(".d")) return undefined;
    return rest.split("/").some((part) => rebuilt.test(part)) ? undefined : massDelete("delete-project-tree");
  }
  if (isRemade(path)) return massDelete("delete-outside-build", 2);
  if (/^\/(Users|home)\/[^/]+\/?[.*{]*$|^\/root\/?[.*]*$/.test(path) || path === home)
    return whole ? massDelete("delete-home") : undefined;
  if (root !== undefined && whole && isInside(root, path.replace(/\/\*+$/, "") || "/"))
    return massDelete("delete-project");
  const owner = home !== undefined && isInside(path, home) ? home : /^\/(?:home|Users)\/[^/]+(?=\/)/.exec(path)?.[0];
  if (owner) {
    const rest = path.slice(owner.length + 1);
    if (caches.test(rest)) return undefined;
    if (effect.how === "trash" && rest.includes("/")) return massDelete("to-trash", 1);
    // One file taken from the downloads is where it is needed now.
    if (effect.how === "move" && !effect.glob && /^Downloads\/.*[^/]\.\w{1,6}$/.test(rest))
      return massDelete("move-download", 1);
    if (whole) return massDelete("delete-outside-project");
    return personal.test(rest) ? massDelete("delete-personal") : massDelete("delete-outside-file", 2);
  }
  if (/^\/dev\//.test(path)) return { class: "disk", level: 3, id: "delete-device" };
  if (mounts.test(path)) return whole ? massDelete("delete-home") : undefined;
  // A file name right below the root with a glob in it can be any of the system's directories.
  if (system.test(path))
    return whole || path.split("/").length > 2
      ? massDelete("delete-system", path.startsWith("/var/log/") && !whole ? 2 : 3)
      : undefined;
  return whole ? massDelete("delete-outside-project") : massDelete("delete-outside-file", 2);
}

/** `rm -rf $X/` deletes the root when X is empty: that is a disaster waiting, not a guess. */
function unresolvedDeletion(effect: Effect): Hazard | undefined {
  const word = (effect.word ?? "").replaceAll('"', "");
  if (effect.recursive && /^\$\{?\w+\}?\/\*?$/.test(word)) return massDelete("delete-maybe-root");
  return effect.recursive ? massDelete("delete-unresolved", 2) : massDelete("delete-unresolved", 1);
}

const disks =
  /^\/dev\/(sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|dm-\d|md\d|mapper\/|loop\d|sr\d|mem|kmem|port)/;
const isDisk = (path: string): boolean => path.startsWith("/dev/") && disks.test(path);
const startup =
  /^(\.bashrc|\.bash_profile|\.bash_login|\.bash_logout|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.config\/(fish\/.*|autostart\/.*|systemd\/user\/.*)|\.config\/environment\.d\/.*|Library\/LaunchAgents\/.*|\.ssh\/(authorized_keys2?|config|rc|environment)|\.xinitrc|\.xprofile|\.pam_environment|\.inputrc|\.gitconfig|\.config\/git\/config|\.npmrc|\.pypirc|\.vimrc|\.tmux\.conf|\.aws\/.*|\.kube\/config|\.docker\/config\.json|\.gnupg\/.*)$/;

/** Files of a running database. */
const databases =
  /^\/var\/lib\/(mysql|mariadb|postgresql|pgsql|mongo(db)?|redis|etcd|cassandra|elasticsearch|influxdb|neo4j|clickhouse|couchdb|rabbitmq)\//;

function writing(effect: Effect, places: Places): Hazard | undefined {
  const path = effect.path ?? effect.within;
  if (path === undefined) return undefined;
  if (isDisk(path)) return { class: "disk", level: 3, id: "write-device" };
  if (path.includes("/.git")) {
    if (/\/\.git\/hooks(\/|$)/.test(path)) return { class: "persistence", level: 3, id: "write-git-hook" };
    if (
      /\/\.git(\/(config|HEAD|index|packed-refs|shallow|info\/(attributes|grafts)|(objects|refs|logs)\/.*))?$/.test(
        path,
      )
    )
      return { class: "persistence", level: 3, id: "write-git-internals" };
  }
  const { root, home } = places;
  if (root !== undefined && isInside(path, root)) return undefined;
  if (temporary.test(path)) return undefined;
  if (path === "/" && effect.recursive && effect.how !== "mode") return { class: "system", level: 3, id: "write-root" };
  if (
    /^\/(etc\/(cron[^/]*(\/.*)?|anacrontab|systemd\/.*|init\.d\/.*|rc\.local|profile(\.d\/.*)?|bash\.bashrc|zsh.*|ld\.so\.preload|sudoers(\.d\/.*)?|pam\.d\/.*)|var\/spool\/cron(\/.*)?|Library\/Launch(Agents|Daemons)\/.*|usr\/lib\/systemd\/.*)$/.test(
      path,
    )
  )
    return { class: "persistence", level: 3, id: "write-startup" };
  if (databases.test(path)) return { class: "system", level: 3, id: "write-database" };
  if (/^\/(etc|usr|bin|sbin|lib\d*|boot|sys|proc|dev|root|System|Library)(\/|$)/.test(path))
    return {
      class: "system",
      level: /^\/usr\/local\//.test(path) || path.startsWith("/dev/") ? 1 : 3,
      id: "write-system",
    };
  const owner =
    home !== undefined && isInside(path, home) ? home : /^\/(?:root|(?:home|Users)\/[^/]+)(?=\/)/.exec(path)?.[0];
  // Who may read it changes, not what it says.
  if (owner && effect.how === "mode" && !effect.recursive) return undefined;
  if (owner && startup.test(path.slice(owner.length + 1)))
    return { class: "persistence", level: 3, id: "write-startup" };
  if (owner && isCredentialFile(path, home)) return { class: "persistence", level: 2, id: "write-credential" };
  if (owner && personal.test(path.slice(owner.length + 1)) && effect.how === "truncate")
    return massDelete("truncate-personal");
  if (owner && personal.test(path.slice(owner.length + 1)) && effect.how !== "move")
    return { class: "mass-delete", level: 1, id: "write-personal" };
  return undefined;
}

function reading(effect: Effect, { home }: Places): Hazard | undefined {
  const path = effect.path ?? effect.within;
  if (/^["']?\/proc\/\S*\/environ\b/.test(effect.word ?? "") && effect.path === undefined)
    return { class: "credential-read", level: 3, id: "credential-file" };
  // What is changed in place or handed on to be used is not shown.
  if (path === undefined || effect.how === "edit" || effect.how === "use") return undefined;
  const named = path.replace(/\/\*+$/, "");
  if (
    isCredentialFile(path, home) ||
    (effect.recursive && isCredentialFile(named, home)) ||
    (effect.glob && globbed(path, home))
  )
    return { class: "credential-read", level: 3, id: "credential-file" };
  if ((effect.recursive || effect.glob) && isKeyStore(path))
    return { class: "credential-read", level: 1, id: "key-store" };
  if (isKeyMaterial(path)) {
    const example = /\/(test|tests|fixtures|testdata|examples?)\//.test(path);
    return { class: "credential-read", level: effect.how === "stage" && !example ? 3 : 1, id: "key-material" };
  }
  if (isDisk(path)) return { class: "disk", level: 2, id: "read-device" };
  return undefined;
}

/** A pattern that can reach a credential file: `~/.ssh/*`, `.en?`, `/home/*​/.ssh/id_rsa`. */
function globbed(path: string, home: string | undefined): boolean {
  const plain = path.replace(/^\/(home|Users)\/\*\//, "/home/someone/");
  if (isCredentialFile(plain, home)) return true;
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  // `*` leaves out what begins with a dot: it reaches credentials only in a folder that is there for them.
  if (name === "*") {
    const folder = plain.slice(0, -2);
    return isCredentialFile(folder, home) || /\/\.(ssh|aws|gnupg|kube|azure)$/.test(folder);
  }
  if (/^\.env[*?[]/.test(name)) return true;
  if (name.length > 40 || !/[*?[]/.test(name) || !/^\.?[\w*?[\]-]+(\.[\w*?[\]-]+)?$/.test(name)) return false;
  try {
    const pattern = new RegExp(`^${name.replace(/\./g, "\\.").replace(/\?/g, ".").replace(/\*/g, ".*")}$`);
    return (
      name.replace(/[*?[\]]/g, "").length >= 2 &&
      [".env", "id_rsa", "id_ed25519", ".netrc", ".npmrc"].some((secret) => pattern.test(secret))
    );
  } catch {
    // An odd bracket expression names no file we know of.
    return false;
  }
}
