// Places on a machine that make a delete or a write dangerous, or harmless.
// Invariant: plain data and tests of absolute, normalised paths; nothing is looked up on disk.
import { nameList } from "./name-list.js";

/** Where a command runs, as far as it is known. */
export interface KnownPlaces {
  root?: string;
  home?: string;
  cwd?: string;
}

const below = (names: string): RegExp => new RegExp(`^/(${names.trim().split(/\s+/).join("|")})(/|$)`);

/** Directories of the system; deleting in them breaks the machine. */
const systemFolders = below(`bin boot dev etc lib\\d* opt proc root run sbin srv sys usr var
  System Library Applications private Windows nix`);
export const isSystemPath = (path: string): boolean => systemFolders.test(path);

/** Those of them that hold the system's own programs and settings: writing there is not installing or serving. */
const systemCore = below("etc usr bin sbin lib\\d* boot sys proc dev root System Library");
export const isSystemCore = (path: string): boolean => systemCore.test(path);

/** Those in which no folder is build output, whatever its name. */
const neverBuilt = /^\/(usr|bin|sbin|lib|lib64|etc|boot|dev|proc|sys|System|Library)\//;

const temporary = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders|\/dev\/shm)(\/|$)/;
export const isTemporary = (path: string): boolean => temporary.test(path);
export const isTemporaryFolder = (path: string): boolean => /^(\/private)?\/(tmp|var\/tmp)$/.test(path);

/** Where homes and disks hang, and what hangs right there. */
export const isMountPlace = (path: string): boolean => /^\/(home|Users|mnt|media|Volumes)(\/[^/]*)?$/.test(path);

const diskNames = [
  "sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\\d|mmcblk\\d",
  "disk\\d|rdisk\\d|dm-\\d|md\\d|mapper/|loop\\d|sr\\d",
  "mem|kmem|port",
];
const disks = new RegExp(`^/dev/(${diskNames.join("|")})`);
export const isDisk = (path: string): boolean => path.startsWith("/dev/") && disks.test(path);

/** The home a path lies in: the user's own, or another one its spelling names. */
export function homeOf(path: string, home: string | undefined, others: RegExp): string | undefined {
  if (home !== undefined && (path === home || path.startsWith(`${home}/`))) return home;
  return others.exec(path)?.[0];
}

/** Below a home: what a person made or needs, and nothing makes again. */
const personalNames = [
  "Documents Desktop Downloads Pictures Music Videos Movies Library",
  "\\.ssh \\.gnupg \\.aws \\.config \\.kube",
  "\\.(?:bash|zsh|python|psql|mysql|sqlite|node_repl|rediscli)_history$",
];
const personal = new RegExp(`^(${personalNames.join(" ").split(" ").join("|")})(/|$)`);
export const isPersonal = (belowHome: string): boolean => personal.test(belowHome);

/** Below a home: what tools fetch again. */
const caches = nameList(`.cache/** .npm/_cacache/** .npm/_npx/** .gradle/caches/** .m2/repository/**
  Library/Caches/** Library/Developer/Xcode/DerivedData/** .cargo/registry/**
  .local/share/{Trash,virtualenvs}/** .virtualenvs/**`);
export const isCache = (belowHome: string): boolean => caches.test(belowHome);

/** Build output: names nobody gives to anything else, so they count in every project. */
const buildFolders = `node_modules bower_components __pycache__ .{pytest,mypy,ruff}_cache .tox .nox .venv venv
  .next .nuxt .svelte-kit .turbo .parcel-cache .vite .cache .gradle .terraform .angular .nyc_output
  dist build target out coverage cache tmp DerivedData Pods .dart_tool _build CMakeFiles`;
const buildFolderPatterns = [/cmake-build-[\w-]+/, /[\w.-]*\.egg-info/];

/** Names that mean build output in the project at hand; in a folder somewhere else they may hold anything. */
const projectBuildFolders = `builds output bin obj htmlcov .eggs .serverless .aws-sam deps .stack-work dist-newstyle
  temp .tmp .temp log logs test-results playwright-report storybook-static site _site vendor caches __snapshots__
  .output .docusaurus .expo generated gen artifacts release debug scratch sandbox`;
const projectBuildPatterns = [/[\w.-]*\.(xcarchive|app|dSYM)/, /.*[-_.](cache|tmp|temp|out|build|bak|old)/];

const builtAnywhere = nameList(buildFolders, buildFolderPatterns);
const builtHere = nameList(
  `${buildFolders} ${projectBuildFolders}`,
  [...buildFolderPatterns, ...projectBuildPatterns],
  "i",
);

/** Build output of the project at hand. */
export const isBuiltHere = (belowRoot: string): boolean => belowRoot.split("/").some((part) => builtHere.test(part));

/** Build output of some project: not right below a home, and not in the system's own directories. */
export function isBuiltElsewhere(path: string): boolean {
  if (/^\/var\/cache\/[^/]+/.test(path)) return true;
  if (neverBuilt.test(path)) return false;
  const parts = path.replace(/^\/(root|(home|Users)\/[^/]+)(?=\/)/, "").split("/");
  return parts.some((part, at) => at > 1 && builtAnywhere.test(part));
}
