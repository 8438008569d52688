// What makes a write dangerous: devices, git's own files, start-up files, the system, what a person made.
// Invariant: judged by path alone; inside the project only git's own files count.
import type { Hazard, PathEffect } from "../../model/effect.js";
import { hazard } from "../../model/hazards.js";
import { isInside } from "../analyze/paths.js";
import { isCredentialFile } from "./credentials.js";
import { nameList } from "./name-list.js";
import { homeOf, isBuiltHere, isDisk, isPersonal, isSystemCore, isTemporary, type KnownPlaces } from "./places.js";

/** Below a home: read by shells, desktops and tools when they start. */
const homeStartup = nameList(`.bashrc .bash_profile .bash_login .bash_logout .profile .inputrc
  .zshrc .zshenv .zprofile .zlogin .xinitrc .xprofile .pam_environment .vimrc .tmux.conf
  .config/fish/* .config/autostart/* .config/systemd/user/* .config/environment.d/* Library/LaunchAgents/*
  .ssh/{authorized_keys,authorized_keys2,config,rc,environment} .gitconfig .config/git/config
  .npmrc .pypirc .aws/* .kube/config .docker/config.json .gnupg/*`);

/** Of the system: run at boot, at login or by a clock. */
const systemStartup = nameList(
  `/etc/anacrontab /etc/systemd/* /etc/init.d/* /etc/rc.local /etc/profile /etc/profile.d/* /etc/bash.bashrc /etc/zsh*
  /etc/ld.so.preload /etc/sudoers /etc/sudoers.d/* /etc/pam.d/* /var/spool/cron/** /Library/Launch{Agents,Daemons}/*
  /usr/lib/systemd/*`,
  [/\/etc\/cron[^/]*(\/.*)?/],
);

/** Files of a running database. */
const databases = nameList(`/var/lib/{mysql,mariadb,postgresql,pgsql}/*
  /var/lib/{mongo,mongodb,redis,etcd,cassandra,elasticsearch,influxdb,neo4j,clickhouse,couchdb,rabbitmq}/*`);

const gitParts = "config|HEAD|index|packed-refs|shallow|info/(attributes|grafts)|(objects|refs|logs)/.*";
const gitInternals = new RegExp(`/\\.git(/(${gitParts}))?$`);

const startup = hazard("write-startup");

export function writingHazard(effect: PathEffect, { root, home }: KnownPlaces): Hazard | undefined {
  const path = effect.path ?? effect.within;
  if (path === undefined) return undefined;
  if (isDisk(path)) return hazard("write-device");
  if (/\/\.git\/hooks(\/|$)/.test(path)) return hazard("write-git-hook");
  if (path.includes("/.git") && gitInternals.test(path)) return hazard("write-git-internals");
  if (root !== undefined && isInside(path, root))
    return effect.how === "truncate" && !isPassing(path.slice(root.length + 1)) ? hazard("truncate-work") : undefined;
  if (isTemporary(path)) return undefined;
  if (path === "/" && effect.recursive && effect.how !== "mode") return hazard("write-root");
  if (systemStartup.test(path)) return startup;
  if (databases.test(path)) return hazard("write-database");
  if (isSystemCore(path)) {
    const mild = path.startsWith("/usr/local/") || path.startsWith("/dev/");
    return hazard(mild ? "write-system-local" : "write-system");
  }
  const owner = homeOf(path, home, /^\/(?:root|(?:home|Users)\/[^/]+)(?=\/)/);
  return owner ? inHome(path, path.slice(owner.length + 1), effect, home) : undefined;
}

function inHome(path: string, rest: string, effect: PathEffect, home: string | undefined): Hazard | undefined {
  // Who may read it changes, not what it says.
  if (effect.how === "mode" && !effect.recursive) return undefined;
  if (homeStartup.test(rest)) return startup;
  if (effect.how === "truncate" && isPersonal(rest)) return hazard("truncate-personal");
  if (isCredentialFile(path, home)) return hazard("write-credential");
  if (!isPersonal(rest) || effect.how === "move") return undefined;
  return hazard("write-personal");
}

/** Build output and logs: emptied every day. */
const isPassing = (belowRoot: string): boolean =>
  isBuiltHere(belowRoot) || /\.(?:log|out|err|tmp|pid|lock)$|(?:^|\/)\.gitkeep$/.test(belowRoot);
