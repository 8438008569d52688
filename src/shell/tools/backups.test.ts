import { backups } from "./backups.js";
import { table } from "./tool-table.js";

table("backups", backups, [
  ["restic snapshots", []],
  ["restic forget --keep-last 1 --prune", ["!infrastructure:2:restic-forget"]],
  ["restic forget --dry-run x", []],
  ["borg list repo", []],
  ["borg delete repo::archive", ["!infrastructure:2:borg-delete"]],
  ["borg delete repo", ["!infrastructure:3:borg-delete"]],
  ["borg extract --dry-run repo::a", []],
  ["velero backup get", []],
  ["velero backup delete b", ["!infrastructure:2:velero-backup-delete"]],
  ["velero backup delete --all --confirm", ["!infrastructure:3:velero-backup-delete"]],
  ["kafka-topics --bootstrap-server h:9092 --list", ["network h:9092"]],
  [
    "kafka-topics --bootstrap-server h:9092 --delete --topic t",
    ["network h:9092", "!infrastructure:2:kafka-topics-delete"],
  ],
  ["rabbitmqctl list_users", ["network rabbitmqctl"]],
  ["rabbitmqctl delete_user x", ["network rabbitmqctl", "!infrastructure:2:rabbitmqctl-delete_user"]],
  ["nats stream info S", ["network nats"]],
  ["nats kv purge C", ["network nats", "!infrastructure:2:nats-kv-purge"]],
]);

table("more backups and brokers", backups, [
  [
    "proxmox-backup-client backup root.pxar:/p/data --repository u@pbs:store",
    ["network proxmox-backup-client", "read data recursive"],
  ],
  [
    "proxmox-backup-client restore host/a/2026-01-01T00:00:00Z root.pxar out",
    ["network proxmox-backup-client", "write out recursive"],
  ],
  [
    "proxmox-backup-client snapshot forget host/a/x",
    ["network proxmox-backup-client", "!infrastructure:2:proxmox-backup-client-snapshot-forget"],
  ],
  ["proxmox-backup-client prune host/a --keep-last 3 --dry-run", ["network proxmox-backup-client"]],
  ["proxmox-backup-client list", ["network proxmox-backup-client"]],
  ["snapraid status", []],
  ["snapraid sync", []],
  ["snapraid -c conf sync --force-empty", ["read conf", "!infrastructure:2:snapraid-sync"]],
  ["snapraid fix -d d1", ["write . recursive"]],
  ["snapraid frobnicate", ["unknown"]],
  ["confluent kafka topic list", ["network confluent"]],
  [
    "confluent kafka topic delete orders --force",
    ["network confluent", "!infrastructure:2:confluent-kafka-topic-delete"],
  ],
  ["confluent environment delete env-1", ["network confluent", "!infrastructure:3:confluent-environment-delete"]],
  ["confluent kafka topic delete orders --dry-run", ["network confluent"]],
]);
