// Backups and message brokers: what forgets snapshots or purges queues.
// Invariant: listing, checking and creating are quiet; removing a backup or a queue is dangerous, everything at once a
// disaster.
import { type Code, tools } from "../spec/interpret.js";
import { cut } from "../spec/options.js";

const keep = "keep-last= keep-hourly= keep-daily= keep-weekly= keep-monthly= keep-yearly= keep-within=";

const code: Code = {
  /** What proxmox-backup-client saves: "name.pxar:/path". */
  archives({ call, rest }, emit) {
    for (const word of rest) {
      const colon = (word.value ?? word.prefix).indexOf(":");
      emit.read(cut(word, colon + 1), `${call.name} saves it`, { recursive: true });
    }
  },
};

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
tool proxmox-backup-client
  options repository= ns= keyfile=read:use keyfd= crypt-mode= backup-id= backup-type= backup-time= chunk-size= rate=
    burst=
    exclude= include-dev= skip-lost-and-found all-file-systems skip-e2big-xattr output-format= keep-last= keep-hourly=
    keep-daily= keep-weekly= keep-monthly= keep-yearly= quiet change-detection-mode= entries-max= verbose
    allow-existing-dirs overwrite pattern= kdf= hint= master-pubkey-file=read:use log=
  dry dry-run=?
  reaches network
  snapshot|group forget : !backup-remove({path})
  prune : !backup-remove({path})
  namespace delete : !backup-remove-all({path})
  backup : do archives
  restore : write 3 all "restores into it"
  key create|change-passphrase|import-master-pubkey|import-with-master-key|create-master-key :
    write first "keeps a key in it"
  key show|show-master-pubkey|paperkey : read first
  mount|map|unmap : !mount({path})
  list|status|files|version|catalog|benchmark|login|logout|diff|snapshots|upload-log : quiet
  snapshot list|files|notes|protected|upload-log : quiet
  group list|notes|change-owner or namespace list|create or task list|log|stop : quiet
  otherwise unknown
tool snapraid
  options c|conf=read:use f|filter= d|filter-disk= m|filter-missing e|filter-error p|plan= o|older-than= i|import=read
    l|log=write a|audit-only h|pre-hash Z|force-zero E|force-empty U|force-uuid D|force-device N|force-nocopy
    F|force-full R|force-realloc s|spin-down-on-error w|bw-limit= A|stats T|speed-test v|verbose q|quiet
  # With these, sync takes lost files for deleted ones, and nothing brings them back.
  sync --force-zero|force-empty|force-full|force-uuid|force-realloc|force-device : !backup-remove({path})
  fix : write . all "restores files"
  sync|scrub|touch|rehash : quiet
  status|smart|probe|up|down|diff|dup|list|check|devices|pool : quiet
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
tool confluent
  options environment= cluster= o|output= context= api-key= api-secret= bootstrap= config= config-file=read:use
    partitions= url= name= schema=read:use subject= version= type= region= cloud= prompt no-browser save organization=
    service-account=
    resource= description= replicas= principal= topic= consumer-group= operations= schema-id= value-format= key-format=
    group= from-beginning b offset= partition= properties= delimiter= kafka-endpoint= force permanent all unsafe-trace
    v|verbose i|if-not-exists
  dry dry-run
  reaches network
  environment delete or kafka|ksql|schema-registry cluster delete : !broker-reset({path})
  * delete or * * delete or * * * delete : !topic-delete({path})
  api-key create : unknown "prints a new secret"
  login|logout|version|update|completion|context|prompt|shell|feedback|help|local|cloud-signup : quiet
  * list|describe|use or * * list|describe|use or * * * list|describe|use : quiet
  kafka topic produce < : upload "sends what it reads"
  kafka topic produce|consume : quiet
  * create|update or * * create|update : quiet
  otherwise unknown
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
  code,
);
