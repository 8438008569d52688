// The catalogue of hazards: everything a command can be refused for, with its class, its level and what it is in words.
// Invariant: one id has one class and one level; nothing outside this file makes a hazard.

export type HazardClass =
  | "worktree-loss" // uncommitted work is lost (git reset --hard, checkout --, clean -f, stash drop)
  | "history-loss" // commits become unreachable or remote history is replaced
  | "protected-branch" // a push to, or deletion of, a branch people build on
  | "mass-delete" // a delete whose extent is a whole tree, home, root, or unresolved
  | "disk" // raw devices, file systems, partitions
  | "database" // drop, truncate, unbounded delete
  | "infrastructure" // cloud, cluster, containers, backups
  | "credential-read" // a credential file or variable becomes visible to the agent
  | "exfiltration" // local data leaves the machine
  | "remote-code" // downloaded text is executed
  | "persistence" // start-up files, cron, keys, services
  | "permissions" // ownership or modes changed widely
  | "kill" // processes ended widely or by a guarded name
  | "system" // shutdown, kernel, fork bomb, packages of the system
  | "verification-skip"; // hooks or checks by-passed (--no-verify)

/** 3: a proven disaster; 2: dangerous unless the context excuses it; 1: worth strictness only. */
export type HazardLevel = 1 | 2 | 3;

/** What makes a refusal unnecessary: git has a copy of what is deleted, or git would lose nothing as things stand. */
export type Excuse = "in-git" | "nothing-to-lose";

export interface Advice {
  why: string;
  next: string;
}

interface Entry {
  class: HazardClass;
  level: HazardLevel;
  /** What it is, for people. */
  title: string;
  /** What people write in `except:` where it is not the id: several ids may share one name. */
  name?: string;
  /** Where the class's advice does not fit. */
  advice?: Partial<Advice>;
  excuse?: Excuse;
}

const is = (cls: HazardClass, level: HazardLevel, title: string, more: Omit<Entry, "class" | "level" | "title"> = {}) =>
  ({ class: cls, level, title, ...more }) satisfies Entry as Entry;

const catalogue = {
  // Disks, partitions, file systems, volumes.
  mkfs: is("disk", 3, "makes a new file system on a device"),
  "format-image": is("disk", 1, "makes a file system in an image file"),
  wipefs: is("disk", 3, "wipes the signatures of a device"),
  blkdiscard: is("disk", 3, "discards every block of a device"),
  partition: is("disk", 3, "changes the partitions of a device"),
  "volume-remove": is("disk", 3, "removes or shrinks a logical volume, a volume group or a physical volume"),
  pvcreate: is("disk", 3, "overwrites a device to make it a physical volume"),
  mdadm: is("disk", 3, "changes a RAID array"),
  dmsetup: is("disk", 3, "changes a device mapping"),
  cryptsetup: is("disk", 3, "formats an encrypted device or erases its keys"),
  "pool-change": is("disk", 3, "destroys or overwrites a storage pool or its devices"),
  "dataset-destroy": is("disk", 3, "destroys a ZFS dataset or rolls it back"),
  "btrfs-delete": is("disk", 3, "deletes a Btrfs subvolume or device"),
  "diskutil-erase": is("disk", 3, "erases or repartitions a disk (macOS)"),
  hdiutil: is("disk", 2, "erases, burns or resizes a disk image"),
  "badblocks-write": is("disk", 3, "tests a device by overwriting it"),
  "hdparm-erase": is("disk", 3, "erases a disk or writes sectors past the file system"),
  "nvme-erase": is("disk", 3, "formats, sanitizes or writes an NVMe device"),
  diskpart: is("disk", 3, "changes disks (Windows)"),
  "storage-delete": is("disk", 3, "deletes from a storage cluster"),
  fsck: is("disk", 2, "repairs a file system in place"),
  "filesystem-change": is("disk", 2, "changes a file system or a volume"),
  mount: is("disk", 2, "changes what is mounted"),

  // Backups and message brokers.
  "backup-remove": is("infrastructure", 2, "removes or rewrites backups"),
  "backup-remove-all": is("infrastructure", 3, "removes every backup at once"),
  "backup-compact": is("infrastructure", 1, "frees the space of removed backups"),
  "topic-delete": is("infrastructure", 2, "deletes topics, groups, records or settings of a message broker"),
  "broker-reset": is("infrastructure", 3, "resets a message broker: queues, users and settings go"),
  "queue-delete": is("infrastructure", 2, "deletes or purges queues, streams, users or settings of a broker"),

  // Kubernetes.
  "kubectl-delete": is("infrastructure", 2, "deletes objects of a cluster"),
  "kubectl-delete-whole": is("infrastructure", 3, "deletes a namespace, volumes, nodes or everything of a kind", {
    name: "kubectl-delete",
  }),
  "cluster-disrupt": is("infrastructure", 2, "drains, taints or replaces what runs in a cluster"),
  "cluster-change": is("infrastructure", 1, "changes objects of a cluster"),
  "kubectl-scale": is("infrastructure", 1, "changes how many replicas run"),
  "kubectl-scale-to-zero": is("infrastructure", 2, "stops every replica", { name: "kubectl-scale" }),
  "kubectl-secret": is("credential-read", 2, "prints a Kubernetes secret"),
  kubeconfig: is("credential-read", 2, "prints the cluster credentials"),
  "release-remove": is("infrastructure", 2, "uninstalls or rolls back a release"),
  "release-change": is("infrastructure", 1, "installs or upgrades a release"),
  "release-values": is("credential-read", 1, "prints the values of a release, which may hold secrets"),
  "plugin-install": is("remote-code", 2, "installs a plug-in that runs with the tool"),
  "cluster-remove": is("infrastructure", 2, "resets or removes a cluster, an application or a source"),
  "cluster-delete": is("infrastructure", 1, "deletes or stops a local cluster"),

  // Power, services, schedules.
  shutdown: is("system", 3, "stops or restarts the machine"),
  "service-autostart": is("persistence", 2, "makes a service start by itself"),
  "service-stop": is("system", 2, "stops, disables or removes a service"),
  "security-service": is("system", 3, "stops a service that guards the machine"),
  "service-control": is("system", 1, "starts or restarts a service"),
  crontab: is("persistence", 2, "installs jobs that start by themselves"),
  "crontab-remove": is("persistence", 3, "removes every scheduled job"),
  at: is("persistence", 2, "schedules a job"),
  "at-remove": is("persistence", 1, "removes scheduled jobs"),

  // Accounts, firewall, kernel, logs.
  "user-account": is("system", 2, "changes user accounts"),
  "user-account-open": is("system", 3, "removes, opens, locks or makes root of an account", { name: "user-account" }),
  firewall: is("system", 2, "changes what guards the machine"),
  "firewall-off": is("system", 3, "turns off what guards the machine", { name: "firewall" }),
  "network-settings": is("system", 2, "changes how the machine is reached"),
  kernel: is("system", 2, "changes the kernel or the boot"),
  "kernel-load": is("system", 3, "loads code into the kernel", { name: "kernel" }),
  "log-clear": is("system", 2, "clears logs"),
  "debugger-attach": is("credential-read", 2, "reads the memory of another process"),
  clipboard: is("credential-read", 1, "reads the clipboard"),
  screenshot: is("credential-read", 1, "sees the screen"),
  "browser-debugging": is("credential-read", 2, "opens the browser's sessions to programs"),

  // Files, modes, packages, settings.
  "mv-to-null": is("mass-delete", 3, "destroys a file by moving it to /dev/null"),
  shred: is("mass-delete", 3, "overwrites a file so that nothing brings it back"),
  "device-overwrite": is("disk", 3, "overwrites a device"),
  "dd-device": is("disk", 3, "writes to a device"),
  "rsync-delete": is("mass-delete", 2, "deletes at the destination what the source lacks"),
  "mode-system-tree": is("permissions", 3, "changes owner or mode of a whole system tree"),
  "mode-home": is("permissions", 3, "changes owner or mode of a whole home directory"),
  "mode-root": is("permissions", 3, "changes owner or mode of the root directory"),
  setuid: is("permissions", 2, "makes a program run with its owner's rights"),
  setcap: is("permissions", 2, "gives a program capabilities"),
  "chmod-world-writable": is("permissions", 1, "lets everybody write a file"),
  "chmod-world-writable-tree": is("permissions", 2, "lets everybody write a whole tree", {
    name: "chmod-world-writable",
  }),
  "chown-recursive": is("permissions", 1, "changes the owner of a whole tree"),
  "system-install": is("system", 1, "installs or upgrades packages of the system"),
  "system-remove": is("system", 2, "removes packages of the system"),
  "system-remove-essential": is("system", 3, "removes what the system needs to run"),
  "brew-remove": is("system", 1, "removes packages of the user"),
  "user-service-start": is("persistence", 1, "makes a service of the user start by itself"),
  "package-source": is("system", 2, "trusts another source of packages"),
  "archive-and-run": is("remote-code", 3, "runs what comes out of an archive"),
  "editor-extension": is("remote-code", 1, "installs an extension of the editor"),
  preferences: is("persistence", 1, "changes settings of the desktop"),
  "preferences-remove": is("persistence", 2, "removes settings or permissions of the desktop", { name: "preferences" }),

  // Windows, phones.
  format: is("disk", 3, "formats a drive (Windows)"),
  "disk-cmdlet": is("disk", 3, "erases or repartitions a disk (PowerShell)"),
  "shadow-copies": is("infrastructure", 3, "deletes backups of the system (Windows)"),
  "cipher-wipe": is("disk", 2, "wipes the free space of a drive (Windows)"),
  schtasks: is("persistence", 2, "creates or starts a scheduled task (Windows)"),
  "windows-settings": is("system", 2, "changes the registry, accounts, services or shares (Windows)"),
  "windows-permissions": is("permissions", 2, "changes owner or rights of files (Windows)"),
  "invoke-expression": is("remote-code", 3, "runs text nobody sees"),
  "phone-change": is("infrastructure", 1, "changes what is on a phone"),
  fastboot: is("disk", 3, "erases or flashes a phone"),

  // Searching, fetching, sending.
  "found-secrets-sent": is("exfiltration", 3, "hands secrets it finds to a program that sends them"),
  "database-dump-sent": is("exfiltration", 3, "sends a dump of a database away"),
  "secret-variable-sent": is("exfiltration", 3, "sends a secret variable away"),
  "metadata-service": is("credential-read", 3, "asks the cloud's metadata service, which hands out credentials"),
  "jenkins-delete": is("infrastructure", 2, "deletes a job of a build server"),
  "search-delete": is("database", 2, "deletes from a search server, or stops it"),
  "http-delete": is("infrastructure", 1, "deletes something of a service"),
  "service-delete": is("infrastructure", 2, "deletes data or a project of a service"),
  "service-delete-all": is("infrastructure", 3, "deletes all data of a service", { name: "service-delete" }),
  "ftp-command": is("infrastructure", 2, "deletes, renames or writes on a file server"),
  "container-socket": is("infrastructure", 2, "talks to the container service past its client"),
  "remote-storage-delete": is("infrastructure", 2, "deletes in a remote storage"),
  "remote-storage-delete-all": is("infrastructure", 3, "deletes everything below a place of a remote storage"),
  "rclone-config": is("credential-read", 2, "prints the stored credentials of rclone"),
  "reverse-shell": is("remote-code", 3, "gives a shell to a connection"),
  "dns-exfiltration": is("exfiltration", 2, "sends a command's output in the name that is asked for"),
  "dns-exfiltration-data": is("exfiltration", 3, "sends a file's content in the name that is asked for", {
    name: "dns-exfiltration",
  }),
  "network-scan": is("system", 2, "scans a network"),
  "attack-tool": is("system", 2, "attacks or listens to systems"),
  mail: is("exfiltration", 1, "sends a message"),
  "mail-data": is("exfiltration", 2, "sends a file or a program's output by mail", { name: "mail" }),
  tunnel: is("exfiltration", 2, "opens this machine to others"),

  // Processes.
  "kill-all": is("kill", 3, "ends every process"),
  "kill-interlock": is("kill", 3, "ends Interlock itself"),
  "kill-guarded": is("kill", 2, "ends a process the machine or the agent needs"),
  "kill-by-name": is("kill", 1, "ends processes by name"),
  "kill-by-name-wide": is("kill", 2, "ends every process of a common name or of a user", { name: "kill-by-name" }),
  "kill-process": is("kill", 1, "ends a process"),
} satisfies Record<string, Entry>;

export type HazardId = keyof typeof catalogue;

export const hazardCatalogue: Readonly<Record<HazardId, Entry>> = catalogue;

export const isHazardId = (id: string): id is HazardId => Object.hasOwn(catalogue, id);

/** Why an effect can hurt beyond the files it names. The guard pack decides by class and level. */
export interface Hazard {
  class: HazardClass;
  level: HazardLevel;
  /** The catalogue's entry. Tools that are not written as specs yet still make up ids of their own. */
  id: HazardId | (string & {});
  /** A more exact name for messages and `except:` ("aws-s3-rb"); the id where there is none. */
  name?: string;
}

/** The one way to make a hazard: class and level come from the catalogue. */
export function hazard(id: HazardId, name?: string): Hazard {
  const entry = hazardCatalogue[id];
  const shown = name ?? entry.name;
  return { class: entry.class, level: entry.level, id, ...(shown !== undefined && shown !== id && { name: shown }) };
}

/** What people see in a refusal and write in `except:`. */
export const hazardName = ({ id, name }: Hazard): string => name ?? id;

/** Whether an `except:` list names the hazard: by its name or its id, a trailing `*` stands for any ending. */
export function isExcepted(hazard: Hazard, except: readonly string[]): boolean {
  const names = [hazardName(hazard), hazard.id];
  return except.some((entry) =>
    names.some((name) => (entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry)),
  );
}

/** Why and what instead, for the one who reads the refusal. */
export function adviceOn({ class: cls, id }: Hazard): Advice {
  return { ...classAdvice[cls], ...(isHazardId(id) ? hazardCatalogue[id].advice : {}) };
}

const user = "ask the user to do it in their own terminal";

export const classAdvice: Record<HazardClass, Advice> = {
  "worktree-loss": {
    why: "uncommitted work would be lost without a way back",
    next:
      "`git stash push -u` sets changes aside and can be undone; " +
      "`git reset --soft COMMIT` takes commits back and keeps their content",
  },
  "history-loss": {
    why: "commits others or the user may need would be replaced or become unreachable",
    next: "make a new commit instead (`git revert COMMIT`), or keep the old one first: `git branch keep/NAME`",
  },
  "protected-branch": {
    why: "people build on that branch",
    next: "push a branch of your own (`git push -u origin HEAD`) and open a pull request",
  },
  "mass-delete": {
    why: "a whole tree would be deleted that git can't give back",
    next: "delete single files by name, commit first, or move the folder aside: `mv FOLDER FOLDER.old`",
  },
  disk: { why: "it writes to a raw device or file system", next: user },
  database: {
    why: "data would be dropped or changed without a bound",
    next:
      "look first (`SELECT count(*)` with the same condition) and bound the statement with WHERE, " +
      "or ask the user to run it",
  },
  infrastructure: {
    why: "it changes or removes running infrastructure",
    next: "show the plan (plan, diff, --dry-run) and ask the user to apply it",
  },
  "credential-read": {
    why: "a credential would become visible to the agent and end up in the transcript",
    next: "use it without showing it (pass the file or variable to the program that needs it), or ask the user",
  },
  exfiltration: {
    why: "local data would leave this machine",
    next: "keep it local, or ask the user to send it",
  },
  "remote-code": {
    why: "text from elsewhere would be executed unseen",
    next: "download it to a file, read it, then run what you need from it",
  },
  persistence: {
    why: "it installs something that runs later without anybody asking",
    next: user,
  },
  permissions: {
    why: "ownership or permissions would change widely",
    next: "change the single file that needs it",
  },
  kill: {
    why: "processes that are not this agent's would be ended",
    next: "end only a process you started, by its number",
  },
  system: { why: "it changes the machine, not the project", next: user },
  "verification-skip": {
    why: "the project's own checks would be skipped",
    next: "run it without the option and fix what the checks report",
  },
};
