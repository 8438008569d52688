// Backups and message brokers: what forgets snapshots or purges queues.
// Invariant: listing, checking and creating are quiet; removing a backup or a queue is dangerous, everything at once a
// disaster.
import { tools } from "../spec/interpret.js";

const keep = "keep-last= keep-hourly= keep-daily= keep-weekly= keep-monthly= keep-yearly= keep-within=";

export const backups = tools(
  "backups",
  `
tool restic rustic
  options r|repo= p|password-file=read:use password-command=shell repository-file=read:use ${keep} keep-tag= tag=
    host= H=
    o|option= t|target=  e|exclude= i|include= iexclude= iinclude= exclude-file=read files-from=read path= max-unused=
    l=
    cache-dir= limit-upload= limit-download= compression= pack-size= retry-lock= cacert=read:use
    tls-client-cert=read:use
    k|key-hint= g|group-by= prune unsafe-allow-remove-all q|quiet v|verbose=? json no-cache no-lock insecure-tls
    f|force
  dry n|dry-run
  forget --unsafe-allow-remove-all : !backup-remove-all({path})
  forget|prune|rewrite|repair|migrate or key remove : !backup-remove({path})
  restore : write --target all "restores into it"
  # Where to is the repository's own setting; a backup there is what it is for.
  backup : read rest tree "saves it", network "saves a backup"
  snapshots|ls|list|stats|check|diff|find|cat|dump|init|unlock|cache|tag|copy|mount|recover|self-update|generate :
    quiet
  key list|add|passwd : quiet
  otherwise unknown
tool borg borgmatic borg2
  options r|repo= a|glob-archives|match-archives= ${keep} P|prefix= c|checkpoint-interval= C|compression= e|exclude=
    exclude-from=read
    patterns-from=read rsh=shell remote-path= strip-components= format= comment= threshold= lock-wait= log-json
    s|stats
    p|progress list v|verbose debug info critical error encryption= make-parent-dirs=? first= last= sort-by= json
    force=?
    one-file-system x show-rc umask= keep-exclude-tags timestamp= files-cache= chunker-params= paper qr-html
  dry n|dry-run
  extract : write . all "extracts here"
  rdelete|repo-delete : !backup-remove-all({path})
  delete !--glob-archives #1+ !~*::* !~? : !backup-remove-all({path})
  delete|prune|recreate : !backup-remove({path})
  compact : !backup-compact({path})
  list|info|check|create|init|diff|mount|umount|export-tar|rlist|rinfo|rcreate|repo-list|repo-info|repo-create : quiet
  break-lock|key|config|upgrade|with-lock|serve|benchmark|version|rename|transfer|repo-space|repo-compress : quiet
  otherwise unknown
tool velero kopia duplicity duplicati tarsnap rdiff-backup timeshift tmutil bacula bconsole pgbackrest barman wal-g
tool wal-e
tool xtrabackup snapper duplicacy bup rsnapshot
  options name= n|namespace= l|selector= o|output= from= to= c|config= confirm all
  backup|restore|schedule|snapshot delete --all : !backup-remove-all({path})
  backup|restore|schedule|snapshot|backup-location|plugin|policy|repository|maintenance delete|remove|rm|expire :
    !backup-remove({path})
  delete|deletelocalsnapshots|disable|prune|expire|forget : !backup-remove({path})
  remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup : !backup-remove({path})
  delete-backup|delete-old|purge : !backup-remove({path})
  --delete|remove-older-than|delete-all|nuke : !backup-remove({name}-delete)
  backup|restore|schedule|snapshot|backup-location|plugin|policy|repository|maintenance : quiet
  list|listbackups|status|show|info|get|describe|logs|check|verify|create|destinationinfo|latestbackup|backup-list :
    quiet
  --list|create|check|list-archives|print-stats|backup|restore|verify : quiet
  otherwise unknown
# Kafka's scripts say what they do by options.
tool kafka-{delete-records,streams-application-reset,server-stop}{,.sh}
  options bootstrap-server= command-config=read:use offset-json-file=read application-id= input-topics= by-duration=
  always network --bootstrap-server
  otherwise !topic-delete({name}-delete)
tool kafka-{topics,consumer-groups,acls,configs,broker-api-versions,console-consumer,console-producer}{,.sh}
tool kafka-{reassign-partitions,leader-election}{,.sh}
  options bootstrap-server= topic= group= entity-type= entity-name= command-config=read:use delete-config= operation=
    partitions= replication-factor= config= add-config= all-groups all-topics to-offset= to-datetime= list describe
    create
    alter from-beginning max-messages= property= producer-property= consumer-property= zookeeper=
  always network --bootstrap-server
  --delete|remove|delete-config|delete-offsets : !topic-delete({name}-delete)
  --reset-offsets --execute : !topic-delete({name}-delete)
  otherwise quiet
tool rabbitmqctl rabbitmqadmin rabbitmq-diagnostics rabbitmq-queues nats rpk mosquitto_sub mosquitto_pub pulsar-admin
tool celery
tool sidekiq
  options p|vhost= n|node= s|server= u|username= P|port= H|host= context= A|app= Q= t|topic= m|message= i=
    c|concurrency=
    quiet l|loglevel= r= C=
  reaches network
  reset|force_reset : !broker-reset({path})
  delete_user|delete_vhost|delete_queue|purge_queue|clear_*|forget_cluster_node : !queue-delete({path})
  stop|stop_app|shutdown|close_all_connections|remove_vhost|delete_shovel|delete_feature : !queue-delete({path})
  delete|purge : !queue-delete({path})
  stream|str|s delete|rm|del|purge|restore : !queue-delete({path})
  consumer|con|c delete|rm|del : !queue-delete({path})
  kv del|rm|purge|delete : !queue-delete({path})
  object|obj del|rm|delete : !queue-delete({path})
  account|server|bucket delete|rm|purge : !queue-delete({path})
  topic|group|topics|tenants|namespaces delete : !queue-delete({path})
  @mosquitto_sub|mosquitto_pub : quiet
  #0 : quiet
  list*|status|show|cluster_status|environment|ping|check_*|report|node_health_check|await_startup : quiet
  stream|str|s|consumer|con|c|kv|object|obj|account|server|topic|group|topics|tenants|namespaces|cluster
    ls|list|info|get|report|describe|health|check|watch|status : quiet
  pub|sub|req|reply|bench|rtt|publish|get|declare|inspect|worker|beat|events|report|version|produce|consume : quiet
  otherwise unknown
`,
);
