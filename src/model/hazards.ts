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

/** What git must prove for a refusal to be unnecessary as things stand. */
export type Excuse =
  | "kept-in-git" // all that is deleted is in git, or git was told to ignore it
  | "no-changes" // no tracked file was changed
  | "no-untracked" // there are no untracked files
  | "no-lone-commits" // no tracked file was changed, and another ref has every commit
  | "path-unchanged" // the path was not changed
  | "no-stash" // nothing is stashed, or branches have it
  | "branch-kept" // the branches do not exist, or other refs have their commits
  | "remote-branch-kept"; // other refs have the commits of the remote's branches, as they were last fetched

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
  /** More exact names given where it is found; `*` stands for words of the command. */
  names?: string;
  /** Where the class's advice does not fit. */
  advice?: Partial<Advice>;
  excuse?: Excuse;
}

const is = (cls: HazardClass, level: HazardLevel, title: string, more: Omit<Entry, "class" | "level" | "title"> = {}) =>
  ({ class: cls, level, title, ...more }) satisfies Entry as Entry;

/** The force option is the harm: git itself refuses what would be lost. */
const unforced = {
  next: "leave the force option out; what git then refuses to lose is set aside by `git -C FOLDER stash push -u`",
};
const keepStash = { next: "keep it as a branch first: `git branch keep/NAME stash@{N}`" };

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
  "kubectl-delete": is("infrastructure", 2, "deletes objects of a cluster", { names: "kubectl-delete-*" }),
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

  // Cloud providers and their storage.
  "cloud-delete": is("infrastructure", 2, "deletes, stops or detaches a cloud resource"),
  "cloud-delete-whole": is("infrastructure", 3, "deletes a cloud resource with all it holds"),
  "cloud-access": is("infrastructure", 2, "changes who may reach a cloud resource, its secrets or its database"),
  "cloud-deploy": is("infrastructure", 1, "deploys or changes a cloud stack"),
  "cloud-credential": is("credential-read", 2, "prints a cloud credential"),
  "bucket-delete": is("infrastructure", 2, "deletes objects of a bucket", { names: "aws-s3-sync-delete" }),
  "bucket-delete-whole": is("infrastructure", 3, "deletes a bucket or everything below a prefix"),
  "bucket-move": is("infrastructure", 1, "moves objects of a bucket", { names: "aws-s3-mv" }),
  "warehouse-remove": is("database", 2, "removes a table of a data warehouse"),
  "warehouse-remove-whole": is("database", 3, "removes a data set with all its tables"),

  // Containers.
  "container-remove": is("infrastructure", 1, "stops or removes containers, images or networks", {
    names: "compose-stop *-rm *-rmi *-kill",
  }),
  "container-remove-all": is("infrastructure", 2, "removes or ends every container, image or pod"),
  "container-volume": is("infrastructure", 2, "removes volumes or unused data of the container service"),
  "container-volume-all": is("infrastructure", 3, "removes all unused data of the container service, volumes too"),
  "swarm-remove": is("infrastructure", 2, "removes what a swarm or a container machine holds"),
  "compose-down": is("infrastructure", 1, "stops and removes the containers of a project"),
  "compose-down-volumes": is("infrastructure", 2, "removes the volumes of a project"),
  "docker-privileged": is("system", 2, "starts a container that rules the machine"),
  "docker-capability": is("system", 2, "gives a container rights over the machine"),
  "docker-host-pid": is("system", 2, "lets a container see the processes of the machine"),
  "docker-device": is("disk", 2, "gives a container a disk"),
  "docker-socket-mount": is("system", 2, "lets a container rule the container service"),
  "docker-folder-mount": is("system", 2, "gives a container a system folder", { name: "docker-root-mount" }),
  "docker-root-mount": is("system", 3, "gives a container the whole machine"),
  "docker-credential-mount": is("credential-read", 2, "gives a container credentials"),

  // Code hosts, pipelines and hosting platforms.
  "repo-delete": is("infrastructure", 3, "deletes a repository"),
  "repo-change": is("infrastructure", 2, "archives, renames or transfers a repository"),
  "repo-visibility": is("exfiltration", 2, "changes who may see a repository"),
  "repo-publish": is("exfiltration", 3, "makes a repository public", { name: "repo-visibility" }),
  "host-delete": is("infrastructure", 2, "deletes a release, a secret or another thing of a code host"),
  "host-remove": is("infrastructure", 1, "deletes or stops a run, a label or another small thing of a code host"),
  "api-delete": is("infrastructure", 2, "deletes through the interface of a service", {
    names: "gh-api-delete glab-api-delete",
  }),
  "api-delete-whole": is("infrastructure", 3, "deletes a repository, a site or a group through an interface"),
  "host-protection": is("infrastructure", 2, "changes what guards a repository"),
  "merge-admin": is("verification-skip", 2, "merges without the checks that guard the branch"),
  "service-token": is("credential-read", 2, "prints a token of a service"),
  "extension-install": is("remote-code", 2, "installs or runs an extension"),
  "app-delete": is("infrastructure", 3, "deletes an application, its database or its storage"),
  "app-remove": is("infrastructure", 2, "removes a part of an application, its settings or its releases"),
  "app-deploy": is("infrastructure", 1, "deploys an application"),
  "app-settings": is("credential-read", 2, "prints the settings of an application, which hold secrets"),
  "pipeline-remove": is("infrastructure", 2, "removes a part of a pipeline, a runner or a secret"),
  "pipeline-secret": is("infrastructure", 1, "stores a secret for a pipeline"),

  // Infrastructure as code, configuration management, key-value stores.
  "terraform-destroy": is("infrastructure", 3, "destroys everything a configuration has made"),
  "terraform-apply": is("infrastructure", 2, "changes infrastructure to fit a configuration"),
  "state-change": is("infrastructure", 2, "changes what the tool knows of the infrastructure"),
  "state-import": is("infrastructure", 1, "adds a resource to what the tool knows"),
  "stack-destroy": is("infrastructure", 3, "destroys a stack, a service or a cluster"),
  "stack-change": is("infrastructure", 2, "deploys, stops or changes a stack or a job"),
  "stack-secret": is("credential-read", 1, "prints a secret setting of a stack"),
  "ansible-change": is("infrastructure", 1, "changes machines by a module", { name: "ansible" }),
  "ansible-absent": is("infrastructure", 2, "removes something from machines by a module"),
  "configuration-run": is("infrastructure", 1, "changes the machines of its inventory"),
  "configuration-teardown": is("infrastructure", 2, "tears down machines of its inventory", {
    name: "configuration-run",
  }),
  "key-delete": is("database", 2, "deletes keys, members or users of a key-value store"),
  "key-delete-all": is("database", 3, "deletes every key below a prefix", { name: "etcd-delete-all" }),
  "key-read": is("credential-read", 1, "prints many values of a key-value store"),

  // Secret stores and keys.
  "vault-disable": is("infrastructure", 3, "removes a secret engine, a namespace or every version of a secret"),
  "vault-change": is("infrastructure", 2, "removes or changes secrets, policies or the seal of a vault"),
  "secret-read": is("credential-read", 2, "prints a stored secret"),
  "secret-delete": is("infrastructure", 2, "removes a stored secret"),
  "secret-decrypt": is("credential-read", 2, "decrypts secrets"),
  "keychain-read": is("credential-read", 3, "prints a password of the key ring"),
  "keychain-unlock": is("credential-read", 2, "opens the key ring to programs", { name: "keychain-read" }),
  "keychain-write": is("persistence", 1, "stores something in the key ring"),
  "keychain-delete": is("infrastructure", 2, "removes something from the key ring"),
  "password-read": is("credential-read", 2, "prints a stored password"),
  "password-copied": is("credential-read", 2, "puts a stored password on the clipboard", { name: "password-read" }),
  "password-delete": is("infrastructure", 2, "removes a stored password"),
  "gpg-secret-keys": is("credential-read", 3, "exports secret keys"),
  "gpg-delete-key": is("infrastructure", 2, "deletes keys"),
  "ssh-copy-id": is("persistence", 2, "installs a key on another machine"),
  "key-unprotect": is("persistence", 3, "takes the passphrase off a key"),
  "ssh-add-delete": is("persistence", 1, "removes keys from the agent"),
  "dotfiles-apply": is("persistence", 1, "writes settings into the home directory"),
  "dotfiles-state": is("worktree-loss", 1, "forgets which dotfiles and scripts were applied"),
  "model-remove": is("infrastructure", 1, "removes a model from this machine"),
  "dotfiles-remove": is("mass-delete", 2, "removes files from the home directory"),

  // Databases.
  "drop-database": is("database", 3, "drops a database or a schema"),
  "drop-database-test": is("database", 2, "drops a database made for tests", { name: "drop-database" }),
  "drop-table": is("database", 3, "drops a table"),
  "drop-table-temporary": is("database", 1, "drops a temporary table", { name: "drop-table" }),
  "drop-collection": is("database", 3, "drops a collection"),
  "drop-owned": is("database", 3, "drops everything a role owns"),
  "drop-object": is("database", 2, "drops a view, an index, a user or another object", {
    names: "drop-view drop-materialized drop-user drop-role",
  }),
  "drop-cluster": is("database", 3, "drops or resets a whole database server"),
  truncate: is("database", 3, "empties a table"),
  "delete-all-rows": is("database", 3, "deletes every row"),
  "delete-many": is("database", 2, "deletes rows by a condition"),
  "update-all-rows": is("database", 2, "changes every row"),
  "alter-drop": is("database", 2, "drops a part of a table"),
  "server-command": is("database", 1, "flushes or resets logs and caches of a database"),
  grant: is("database", 1, "changes users and rights of a database"),
  "database-shutdown": is("database", 2, "stops a database"),
  "database-server": is("database", 2, "stops a database server or changes how it runs"),
  "throwaway-data": is("database", 2, "drops or empties a database made to be thrown away"),
  "dump-with-drops": is("database", 1, "makes a dump that drops what it restores"),
  "restore-with-drops": is("database", 2, "drops before it restores"),
  "redis-flush": is("database", 3, "deletes every key", { names: "redis-flushall redis-flushdb" }),
  "redis-keys-delete": is("database", 2, "deletes a list of keys"),
  "redis-key-delete": is("database", 1, "deletes or changes a key"),
  "redis-server": is("database", 2, "stops the server or changes how it runs", {
    names: "redis-*",
  }),
  "redis-script": is("database", 1, "runs a script in the server", { names: "redis-eval redis-module" }),
  "delete-nodes": is("database", 3, "deletes every node of a graph"),
  "delete-nodes-labelled": is("database", 2, "deletes every node of a kind", { name: "delete-nodes" }),
  "delete-nodes-bound": is("database", 1, "deletes nodes by a condition", { name: "delete-nodes" }),
  "drop-measurement": is("database", 3, "drops a measurement"),
  "drop-series": is("database", 3, "drops series"),
  "drop-series-bound": is("database", 2, "drops series by a condition", { name: "drop-series" }),
  "points-delete": is("database", 3, "deletes every point of a time", { name: "influx-delete" }),
  "points-delete-bound": is("database", 2, "deletes points by a condition", { name: "influx-delete" }),
  "database-remove": is("database", 3, "removes a database, overwrites it or takes a server out of its cluster"),
  "database-change": is("database", 2, "removes a part of a database or stops a server"),

  // Migrations.
  "migration-reset": is("database", 3, "drops and rebuilds a database"),
  "migration-undo-all": is("database", 2, "undoes every migration or accepts that data is lost"),
  "migration-undo": is("database", 1, "undoes a migration or changes the schema directly"),
  "migration-test": is("database", 1, "resets the database of the tests"),
  "statement-run-elsewhere": is("database", 2, "runs statements of an unread file on a server elsewhere"),
  "statement-run": is("database", 1, "runs statements of a file"),
  "generated-remove": is("worktree-loss", 1, "removes generated files"),

  // Power, services, schedules.
  shutdown: is("system", 3, "stops or restarts the machine"),
  "service-autostart": is("persistence", 2, "makes a service start by itself"),
  "service-stop": is("system", 2, "stops, disables or removes a service"),
  "security-service": is("system", 3, "stops a service that guards the machine"),
  "service-control": is("system", 1, "starts or restarts a service"),
  crontab: is("persistence", 2, "installs jobs that start by themselves"),
  "crontab-replace": is("persistence", 3, "replaces every scheduled job by what it is given", { name: "crontab" }),
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
  "mode-system-tree": is("permissions", 3, "changes owner or mode of a whole system tree", {
    names: "*-system-tree",
  }),
  "mode-home": is("permissions", 3, "changes owner or mode of a whole home directory", {
    names: "*-home",
  }),
  "mode-root": is("permissions", 3, "changes owner or mode of the root directory", {
    names: "*-root",
  }),
  "mode-credential": is("permissions", 3, "lets everybody read a private key or credential"),
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
  "brew-remove-all": is("system", 3, "removes every package of the user", { name: "brew-remove" }),
  "brew-remove": is("system", 1, "removes packages of the user"),
  "user-service-start": is("persistence", 1, "makes a service of the user start by itself"),
  "package-source": is("system", 2, "trusts another source of packages"),
  "archive-and-run": is("remote-code", 3, "runs what comes out of an archive"),
  "editor-extension": is("remote-code", 1, "installs an extension of the editor"),
  preferences: is("persistence", 1, "changes settings of the desktop"),
  "preferences-remove-all": is("persistence", 3, "removes every setting of the desktop", { name: "preferences" }),
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

  // The environment and the shell itself.
  "environment-dump": is("credential-read", 2, "prints the whole environment"),
  "environment-dump-filtered": is("credential-read", 1, "prints a part of the environment", {
    name: "environment-dump",
  }),
  "secret-variable": is("credential-read", 3, "prints a variable that holds a secret"),
  "env-dump": is("credential-read", 2, "uses the whole environment in a program"),
  "env-secret": is("credential-read", 2, "uses a variable that holds a secret in a program"),
  "deno-remote": is("remote-code", 2, "runs a program from the network"),
  "jenkins-admin": is("infrastructure", 2, "deletes or stops something of a Jenkins server", {
    names:
      "jenkins-delete-* jenkins-groovy jenkins-groovysh jenkins-shutdown jenkins-safe-shutdown " +
      "jenkins-disconnect-node jenkins-clear-queue",
  }),
  "ssh-tunnel": is("exfiltration", 2, "opens a port of this machine to another"),
  "code-by-environment": is("remote-code", 2, "loads code into a program by a variable"),
  "code-by-environment-weak": is("remote-code", 1, "names code a program may load by a variable", {
    name: "code-by-environment",
  }),
  "code-by-passing-file": is("remote-code", 3, "loads code from the project or a temporary file by a variable", {
    name: "code-by-environment",
  }),
  "path-hijack": is("remote-code", 2, "puts a folder anybody may write to in front of the search path"),
  "program-by-setting": is("remote-code", 3, "runs a program nobody knows, named in a setting"),
  "hidden-characters": is("system", 3, "names a command with characters nobody can see"),
  "too-long-to-judge": is("system", 3, "is too long to be looked at as a whole", {
    advice: {
      why: "what stands behind the part that was looked at could be anything",
      next: "run it in parts, each as a call of its own; write a long program to a file and run that",
    },
  }),
  "fork-bomb": is("system", 3, "starts processes without end"),
  "download-and-run": is("remote-code", 3, "runs what it downloads"),
  "decode-and-run": is("remote-code", 3, "runs what was encoded or packed"),
  "session-kill": is("kill", 1, "ends a terminal session and what runs in it", {
    names: "tmux-kill-session tmux-kill-pane tmux-kill-window tmux-killp tmux-killw",
  }),
  "session-kill-all": is("kill", 2, "ends every terminal session and what runs in them", { names: "tmux-kill-server" }),

  // Git: the work tree.
  "git-reset-hard": is("worktree-loss", 3, "discards uncommitted work", { excuse: "no-changes" }),
  "git-reset-merge": is("worktree-loss", 3, "discards uncommitted work that is staged", { excuse: "no-changes" }),
  "git-reset-keep": is("worktree-loss", 3, "resets the work tree to another commit", { excuse: "no-changes" }),
  "git-checkout-force": is("worktree-loss", 3, "switches branches and discards uncommitted work", {
    excuse: "no-changes",
  }),
  "git-switch-force": is("worktree-loss", 3, "switches branches and discards uncommitted work", {
    excuse: "no-changes",
  }),
  "git-checkout-path": is("worktree-loss", 3, "overwrites files with what git has", { excuse: "path-unchanged" }),
  "git-checkout-path-maybe": is("worktree-loss", 2, "overwrites a file unless the word names a branch", {
    name: "git-checkout-path",
    excuse: "path-unchanged",
  }),
  "git-restore-path": is("worktree-loss", 3, "overwrites files with what git has", { excuse: "path-unchanged" }),
  "git-clean": is("worktree-loss", 3, "deletes untracked files", { excuse: "no-untracked" }),
  "git-clean-rebuildable": is("worktree-loss", 1, "deletes untracked files a build makes again", {
    name: "git-clean",
    excuse: "no-untracked",
  }),
  "git-stash-drop": is("worktree-loss", 3, "deletes stashed work", { excuse: "no-stash", advice: keepStash }),
  "git-stash-clear": is("worktree-loss", 3, "deletes all stashed work", { excuse: "no-stash", advice: keepStash }),
  "git-worktree-remove": is("worktree-loss", 3, "deletes a work tree with its changes", { advice: unforced }),
  "git-rm-force": is("worktree-loss", 2, "deletes files with their changes", { advice: unforced }),
  "git-rm-force-all": is("worktree-loss", 3, "deletes every file with its changes", {
    name: "git-rm-force",
    advice: unforced,
  }),
  "git-checkout-index": is("worktree-loss", 3, "overwrites files with what is staged", { excuse: "no-changes" }),
  "git-read-tree-reset": is("worktree-loss", 3, "replaces the work tree", { excuse: "no-changes" }),
  "git-submodule-update-force": is("worktree-loss", 2, "discards changes of submodules", { advice: unforced }),
  "git-submodule-deinit": is("worktree-loss", 3, "empties submodules with their changes", { advice: unforced }),
  "git-submodule-deinit-all": is("worktree-loss", 2, "empties every submodule", {
    name: "git-submodule-deinit",
    advice: unforced,
  }),
  "git-apply-reverse": is("worktree-loss", 3, "takes uncommitted work back by its own difference", {
    excuse: "no-changes",
  }),
  "delete-changed": is("worktree-loss", 3, "deletes the files that were changed", { excuse: "no-changes" }),
  "git-abort": is("worktree-loss", 1, "gives up a merge, rebase, pick or patch", {
    names: "merge-abort revert-abort cherry-pick-abort rebase-abort am-abort",
  }),
  "git-config-corrupts": is("worktree-loss", 3, "sets what makes the repository lose its work tree", {
    advice: { next: "leave the setting as it is, or ask the user to set it" },
  }),

  // Git: history and branches.
  "git-rebase": is("history-loss", 1, "makes new commits of old ones"),
  "git-reset": is("history-loss", 3, "moves the branch and discards work", { excuse: "no-lone-commits" }),
  "git-reset-commits": is("history-loss", 1, "moves the branch and keeps the files", {
    name: "git-reset",
    excuse: "no-lone-commits",
  }),
  "git-push-force": is("history-loss", 3, "replaces the history of a remote branch"),
  "git-push-mirror": is("history-loss", 3, "makes every remote branch like the local ones"),
  "git-push-prune": is("history-loss", 3, "deletes remote branches that are not here"),
  "git-push-delete": is("history-loss", 3, "deletes a remote branch", { excuse: "remote-branch-kept" }),
  "git-push-lease": is("history-loss", 1, "replaces a remote branch nobody else has changed"),
  "git-branch-delete": is("history-loss", 3, "deletes a branch that may not be merged", { excuse: "branch-kept" }),
  "git-branch-delete-merged": is("history-loss", 1, "deletes a merged branch", { name: "git-branch-delete" }),
  "git-branch-force": is("history-loss", 2, "moves a branch away from its commits"),
  "git-tag-delete": is("history-loss", 2, "deletes a tag"),
  "git-tag-delete-many": is("history-loss", 3, "deletes many tags at once", { name: "git-tag-delete" }),
  "git-tag-force": is("history-loss", 1, "moves a tag"),
  "git-reflog-expire": is("history-loss", 3, "deletes the way back to lost commits"),
  "git-reflog-expire-old": is("history-loss", 1, "deletes old entries of the reflog", { name: "git-reflog-expire" }),
  "git-reflog-delete": is("history-loss", 2, "deletes entries of the reflog"),
  "git-gc-prune": is("history-loss", 3, "deletes unreachable commits at once"),
  "git-prune": is("history-loss", 3, "deletes unreachable commits at once"),
  "git-prune-old": is("history-loss", 1, "deletes old unreachable commits", { name: "git-prune" }),
  "git-filter-branch": is("history-loss", 3, "rewrites every commit of a branch"),
  "git-filter-repo": is("history-loss", 3, "rewrites every commit of the repository"),
  "git-update-ref": is("history-loss", 1, "moves a ref"),
  "git-update-ref-guarded": is("history-loss", 2, "moves HEAD or a branch people build on", { name: "git-update-ref" }),
  "git-update-ref-delete": is("history-loss", 3, "deletes a ref"),
  "git-replace": is("history-loss", 2, "replaces an object of the history"),
  "git-lfs-prune": is("history-loss", 1, "deletes old large files"),
  "git-lfs-prune-force": is("history-loss", 2, "deletes large files the remote may not have", {
    name: "git-lfs-prune",
  }),
  "git-lfs-migrate": is("history-loss", 3, "rewrites commits to move large files"),
  "git-push-protected": is("protected-branch", 1, "pushes to a branch people build on"),
  "git-push-lease-protected": is("protected-branch", 3, "replaces a branch people build on"),
  "git-push-delete-protected": is("protected-branch", 3, "deletes a remote branch people build on"),
  "git-branch-delete-protected": is("protected-branch", 2, "deletes a branch people build on"),

  // Git: hooks, settings, credentials.
  "no-verify": is("verification-skip", 2, "skips the git hooks"),
  "hooks-path": is("verification-skip", 2, "turns the git hooks off"),
  "git-hooks-outside": is("remote-code", 3, "takes git hooks from outside the project", { name: "git-hooks-path" }),
  "git-hooks-inside": is("remote-code", 1, "takes git hooks from a folder of the project", { name: "git-hooks-path" }),
  "git-hooks-path-outside": is("persistence", 3, "stores that git hooks come from outside the project", {
    name: "git-hooks-path",
  }),
  "git-hooks-path-inside": is("persistence", 1, "stores that git hooks come from a folder of the project", {
    name: "git-hooks-path",
  }),
  "git-include": is("remote-code", 2, "takes more git settings from a file"),
  "git-include-temporary": is("remote-code", 3, "takes git settings from a place anybody may write to", {
    name: "git-include",
  }),
  "git-include-stored": is("persistence", 3, "stores that git settings come from a place anybody may write to", {
    name: "git-include",
  }),
  "git-protocol-ext": is("remote-code", 3, "lets git run commands named in addresses"),
  "git-protocol-ext-stored": is("persistence", 3, "stores that git may run commands named in addresses", {
    name: "git-protocol-ext",
  }),
  "git-ext-address": is("remote-code", 3, "stores an address that is a command"),
  "git-config-exec": is("remote-code", 3, "makes git run a program from elsewhere"),
  "git-config-exec-stored": is("persistence", 3, "stores a program that git will run", { name: "git-config-exec" }),
  "git-config-exec-plain": is("persistence", 1, "stores a well-known pager, editor or tool", {
    name: "git-config-exec",
  }),
  "git-config-unknown-key": is("persistence", 2, "stores a git setting nobody can know"),
  "git-config-redirect": is("persistence", 2, "stores where git connects or what it checks"),
  "git-credential-helper": is("persistence", 2, "stores a well-known helper for credentials"),
  "git-credential-helper-foreign": is("persistence", 3, "stores a program that is given every credential", {
    name: "git-credential-helper",
  }),
  "git-maintenance": is("persistence", 1, "installs a schedule"),
  "git-redirect": is("exfiltration", 2, "changes where git connects"),
  "git-credential": is("credential-read", 3, "prints stored credentials"),

  // Programs in other languages.
  "store-empty": is("database", 3, "empties a data store", {
    names:
      "flushall flushdb dropdatabase drop_database delete_all destroy_all drop_all dropalltables droptables drop_table",
  }),
  "finder-delete": is("mass-delete", 3, "lets the Finder delete many files"),
  registry: is("system", 2, "changes the registry (Windows)"),
  "registry-tree": is("system", 3, "deletes a whole key of the registry (Windows)", { name: "registry" }),
  "powershell-disk": is("disk", 3, "formats, clears or repartitions a disk", {
    names: "format-volume clear-disk initialize-disk remove-partition reset-physicaldisk",
  }),
  "powershell-security": is("system", 3, "turns off what guards the machine", {
    names: "set-mppreference disable-netfirewallrule set-netfirewallprofile disable-computerrestore",
  }),
  "powershell-autostart": is("persistence", 2, "makes a task or service start by itself", {
    names: "register-scheduledtask new-service",
  }),
  "powershell-system": is("system", 2, "changes services, users or settings", {
    names:
      "set-service stop-service remove-service set-executionpolicy set-itemproperty remove-itemproperty " +
      "new-itemproperty disable-scheduledtask new-localuser add-localgroupmember",
  }),
  "powershell-trash": is("mass-delete", 2, "empties the recycle bin", { names: "clear-recyclebin" }),
  "powershell-remove": is("infrastructure", 2, "removes a cloud or directory object", {
    names: "remove-* uninstall-* clear-* reset-* disable-*",
  }),
  "powershell-remove-whole": is("infrastructure", 3, "removes a whole group, store, machine or database"),

  // Version control other than git.
  discard: is("worktree-loss", 3, "throws away changes of the work tree"),
  "history-rewrite": is("history-loss", 1, "makes new commits of old ones"),
  "history-remove": is("history-loss", 2, "removes or takes back commits, branches or operations", {
    names: "svn-remote-delete",
  }),
  "history-destroy": is("history-loss", 3, "removes history without a way back", { names: "rewrite-history" }),

  // Agents and Interlock itself.
  "hookless-agent": is("verification-skip", 2, "starts an agent without its hooks"),
  "unguarded-agent": is("verification-skip", 2, "starts an agent that asks for no permission"),
  "interlock-bypass": is("verification-skip", 3, "loosens Interlock or speaks for a person"),
  "interlock-control": is("verification-skip", 2, "starts, stops or sets up Interlock"),
  "goose-reset": is("database", 3, "takes every migration back"),
  "goose-down": is("database", 1, "takes a migration back"),

  // Packages, builds, releases.
  publish: is("infrastructure", 2, "publishes a package or a release: it reaches everyone"),
  "unpublish-force": is("infrastructure", 3, "takes every version of a published package back", { name: "publish" }),
  "registry-settings": is("infrastructure", 2, "removes or opens something in a package registry"),
  "registry-settings-minor": is("infrastructure", 1, "changes settings of a package registry", {
    name: "registry-settings",
  }),
  "package-index": is("remote-code", 3, "takes packages from a server the project does not name", {
    advice: { next: "use the usual registry, or ask the user to name the server in the project's settings" },
  }),
  "global-install": is("system", 1, "installs for the whole user"),
  "npm-script-shell": is("persistence", 3, "sets what runs with every script from now on"),
  "npm-token": is("credential-read", 2, "prints a token of the package registry"),
  unpublish: is("infrastructure", 2, "takes a published package back"),
  "module-cache-clean": is("worktree-loss", 1, "empties the cache of downloaded modules"),
  "build-clean": is("worktree-loss", 1, "deletes what a build system made"),
  "build-install": is("system", 1, "installs what was built", { name: "install" }),
  "simulator-delete": is("infrastructure", 1, "erases or deletes a simulator"),
  "hooks-uninstall": is("verification-skip", 2, "removes the git hooks of the project"),
  "hook-cache-clean": is("infrastructure", 1, "empties the cache of a hook manager"),
  "flyway-clean": is("database", 3, "drops every object of a database"),

  // What is deleted, by its place.
  "delete-root": is("mass-delete", 3, "deletes the root directory"),
  "delete-maybe-root": is("mass-delete", 3, "deletes the root directory when a variable is empty"),
  "delete-home": is("mass-delete", 3, "deletes a home directory or what is mounted"),
  "delete-system": is("mass-delete", 3, "deletes files of the system"),
  "delete-log": is("mass-delete", 2, "deletes a log file of the system", { name: "delete-system" }),
  "delete-device": is("disk", 3, "deletes a device file"),
  "delete-temp": is("mass-delete", 3, "deletes a whole folder of temporary files"),
  "delete-temp-variable": is("mass-delete", 2, "deletes a whole folder of temporary files named by a variable", {
    name: "delete-temp",
  }),
  "delete-git": is("mass-delete", 3, "deletes what git keeps of the repository"),
  "delete-project": is("mass-delete", 3, "deletes the whole project"),
  "delete-project-files": is("mass-delete", 2, "deletes every file in the project's root", { excuse: "kept-in-git" }),
  "delete-project-tree": is("mass-delete", 3, "deletes a folder of the project", { excuse: "kept-in-git" }),
  "delete-outside-project": is("mass-delete", 3, "deletes a folder outside the project"),
  "delete-outside-file": is("mass-delete", 2, "deletes a file outside the project"),
  "delete-outside-build": is("mass-delete", 2, "deletes build output outside the project"),
  "delete-personal": is("mass-delete", 3, "deletes a personal file"),
  "delete-unresolved": is("mass-delete", 2, "deletes a folder whose name is not known"),
  "delete-unresolved-file": is("mass-delete", 1, "deletes a file whose name is not known", {
    name: "delete-unresolved",
  }),
  "to-trash": is("mass-delete", 1, "moves something to the trash"),
  "move-download": is("mass-delete", 1, "takes a file out of the downloads"),

  // What is written, by its place.
  "write-root": is("system", 3, "writes below the root directory"),
  "write-system": is("system", 3, "writes files of the system"),
  "write-system-local": is("system", 1, "writes where programs are installed by hand", { name: "write-system" }),
  "write-database": is("system", 3, "writes files of a running database"),
  "write-device": is("disk", 3, "writes to a disk"),
  "write-startup": is("persistence", 3, "writes a file that runs or counts at every start"),
  "write-git-hook": is("persistence", 3, "writes a git hook"),
  "write-git-internals": is("persistence", 3, "writes files git keeps for itself"),
  "write-credential": is("persistence", 2, "writes a credential file"),
  "write-personal": is("mass-delete", 1, "writes a personal file"),
  "overwrite-work": is("worktree-loss", 3, "copies over uncommitted work", {
    advice: { next: "commit it, or keep it first: `cp FILE FILE.orig && cp NEW FILE`" },
  }),
  "truncate-work": is("worktree-loss", 3, "empties a file with uncommitted work", {
    excuse: "kept-in-git",
    advice: { next: "keep it in git first: `git add FILE`" },
  }),
  "truncate-personal": is("mass-delete", 3, "empties a personal file"),

  // What is read or sent.
  "credential-file": is("credential-read", 3, "shows a file of credentials"),
  "key-store": is("credential-read", 1, "shows a folder that holds keys"),
  "key-material": is("credential-read", 1, "shows a key or certificate file"),
  "key-material-staged": is("credential-read", 3, "puts a key file into a commit", { name: "key-material" }),
  "read-device": is("disk", 2, "reads a disk past its file system"),
  "secret-shown": is("credential-read", 3, "prints a stored secret where the agent sees it"),
  "secret-sent": is("exfiltration", 3, "reads a secret and sends data away in one command"),
  "upload-everything": is("exfiltration", 3, "sends a whole project or home away"),
  "upload-file": is("exfiltration", 1, "sends a file away"),
  "dev-tcp": is("exfiltration", 3, "opens a connection by a redirection"),

  // Processes.
  "kill-all": is("kill", 3, "ends every process"),
  "kill-interlock": is("kill", 3, "ends Interlock itself"),
  "kill-guarded": is("kill", 2, "ends a process the machine or the agent needs", { names: "kill-*" }),
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
  /** The catalogue's entry. */
  id: HazardId;
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
  return { ...classAdvice[cls], ...hazardCatalogue[id].advice };
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
