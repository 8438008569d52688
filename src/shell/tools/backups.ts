// Backups and message brokers: what forgets snapshots or purges queues.
// Invariant: listing, checking and creating are quiet; removing a backup or a queue is dangerous, everything at once a disaster.

import { parse, syntax } from "../spec/options.js";
import type { ToolFamily } from "../tool.js";
import { all, cli } from "./commands.js";
import { asksHelp } from "./table.js";

const dry = ["dry-run", "n"];

const restic = cli({
  names: "restic rustic",
  takes:
    "r|repo= p|password-file= password-command= tag= host= keep-last= keep-daily= keep-weekly= keep-monthly= keep-yearly= keep-within= keep-tag= o= target= t= exclude= e= include= i= path= max-unused= l= H=",
  verbs: [
    { path: "forget", needs: ["unsafe-allow-remove-all"], unless: dry, hazard: "infrastructure:3" },
    ...all("infrastructure:2", ["forget", "prune", "rewrite", "repair", "key remove", "migrate"], { unless: dry }),
    {
      path: "restore",
      unless: dry,
      does: ({ given }, emit) => {
        const target = given.value("target", "t");
        if (target) emit.write(target, "restic restores into it", { recursive: true, glob: true });
      },
    },
    {
      path: "backup",
      does: ({ rest }, emit) => {
        for (const source of rest) emit.read(source, "restic saves it", { recursive: true });
        // Where to is the repository's own setting; a backup there is what it is for.
        emit.effect({ kind: "network", program: "restic", reason: "restic saves a backup" });
      },
    },
  ],
});

const borg: ToolFamily = {
  names: ["borg", "borgmatic", "borg2"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "r|repo= a|glob-archives|match-archives= keep-last= keep-daily= keep-weekly= keep-monthly= keep-yearly= keep-hourly= keep-within= P|prefix= c= C= e= exclude= rsh= remote-path= strip-components= format= comment= threshold= n|dry-run",
      ),
    );
    for (const shell of given.values("rsh")) emit.shell(shell, "borg --rsh");
    const [verb, target] = given.operands;
    if (given.has("dry-run")) return;
    const name = verb?.value ?? "";
    if (name === "extract")
      return emit.write({ source: ".", value: ".", prefix: "." }, "borg extracts here", {
        recursive: true,
        glob: true,
      });
    const whole =
      name === "rdelete" ||
      (name === "delete" &&
        !given.has("glob-archives") &&
        target !== undefined &&
        !(target.value ?? "::").includes("::"));
    if (/^(delete|rdelete|prune|recreate|compact|repo-delete)$/.test(name))
      emit.hazard(
        {
          class: "infrastructure",
          level: whole || name === "repo-delete" ? 3 : name === "compact" ? 1 : 2,
          id: `borg-${name}`,
        },
        `borg ${name}`,
      );
  },
};

const others = cli({
  names:
    "velero kopia duplicity duplicati tarsnap rdiff-backup timeshift tmutil bacula bconsole pgbackrest barman wal-g wal-e xtrabackup snapper duplicacy bup rsnapshot",
  takes: "name= n= namespace= l= selector= o= from= to=",
  verbs: [
    { path: "backup|restore|schedule|snapshot delete", needs: ["all"], hazard: "infrastructure:3" },
    ...all("infrastructure:2", [
      "backup|restore|schedule|snapshot|backup-location|plugin|policy|repository|maintenance delete|remove|rm|expire",
      "delete|deletelocalsnapshots|disable|prune|expire|forget",
      "remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup",
      "delete-backup|delete-old",
      "purge",
    ]),
  ],
  otherwise({ call, given }, emit) {
    if (given.has("delete", "remove-older-than", "delete-all", "nuke"))
      emit.hazard({ class: "infrastructure", level: 2, id: `${call.name}-delete` }, `${call.name} deletes backups`);
  },
});

/** Kafka's scripts say what they do by options. */
const kafka: ToolFamily = {
  names: [
    "kafka-topics",
    "kafka-consumer-groups",
    "kafka-acls",
    "kafka-configs",
    "kafka-delete-records",
    "kafka-streams-application-reset",
    "kafka-broker-api-versions",
    "kafka-console-consumer",
    "kafka-console-producer",
    "kafka-reassign-partitions",
    "kafka-leader-election",
    "kafka-server-stop",
  ].flatMap((name) => [name, `${name}.sh`]),
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "bootstrap-server= topic= group= entity-type= entity-name= command-config= delete-config= operation= partitions=",
      ),
    );
    emit.effect({
      kind: "network",
      program: call.name,
      host: given.value("bootstrap-server")?.value,
      reason: call.name,
    });
    const base = call.name.replace(/\.sh$/, "");
    const removes =
      given.has("delete", "remove", "delete-config", "delete-offsets") ||
      (given.has("reset-offsets") && given.has("execute")) ||
      /^(kafka-delete-records|kafka-streams-application-reset|kafka-server-stop)$/.test(base);
    if (removes) emit.hazard({ class: "infrastructure", level: 2, id: `${base}-delete` }, `${base} deletes`);
  },
};

const brokers = cli({
  names:
    "rabbitmqctl rabbitmqadmin rabbitmq-diagnostics rabbitmq-queues nats rpk mosquitto_sub mosquitto_pub pulsar-admin celery sidekiq",
  reaches: "network",
  takes: "p|vhost= n|node= s|server= u|username= P|port= H|host= context= A= Q= t|topic= m= message=",
  verbs: [
    ...all("infrastructure:3", ["reset|force_reset"]),
    ...all("infrastructure:2", [
      "delete_user|delete_vhost|delete_queue|purge_queue|clear_permissions|clear_parameter|clear_policy|clear_password|clear_topic_permissions|forget_cluster_node|stop|stop_app|shutdown|close_all_connections|remove_vhost|delete_shovel|delete_feature",
      "delete|purge",
      "stream|str|s delete|rm|del|purge|restore",
      "consumer|con|c delete|rm|del",
      "kv del|rm|purge|delete",
      "object|obj del|rm|delete",
      "account|server|bucket delete|rm|purge",
      "topic|group|topics|tenants|namespaces delete",
      "-A purge",
    ]),
  ],
});

export const backups = [restic, borg, others, kafka, brokers];
