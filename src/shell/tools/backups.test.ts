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
