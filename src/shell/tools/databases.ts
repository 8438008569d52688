// Database clients and their administration: psql, mysql, sqlite3, mongosh, redis-cli and others.
// Invariant: a text reaches its judge from every door: option, operand, standard input, file.
import { type HazardId, hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { isTemporary } from "../hazards/places.js";
import { type Code, tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { sqlWrites, throwaway } from "./sql.js";
import { clientCommands, runStatement, runStatementFile, runStatementsOfInput } from "./statements.js";

const isLocal = (host: string) => /^(localhost|127\.0\.0\.1|::1|\/.*)?$/.test(host);

const code: Code = {
  host({ call, value }, emit) {
    if (!isLocal(value?.value ?? "?"))
      emit.effect({ kind: "network", program: call.name, host: value?.value, reason: `${call.name} connects` });
  },
  /** postgres://user@host/name */
  address({ call, rest }, emit) {
    const url = rest.find((word) => /^\w+:\/\//.test(word.value ?? ""))?.value;
    const host = url && (/:\/\/(?:[^@/]*@)?([^:/?]*)/.exec(url)?.[1] ?? "");
    if (host && !isLocal(host))
      emit.effect({ kind: "network", program: call.name, host, reason: `${call.name} connects` });
  },
  sql: ({ call, value }, emit) => runStatement(value!, call, emit),
  sqlFile: ({ call, value }, emit) => runStatementFile(value!, call, emit),
  input: ({ call }, emit) => runStatementsOfInput(call, emit),
  sqlite({ call, given, rest: [database, ...texts] }, emit) {
    const all = [...given.values("cmd", "c", "s"), ...texts];
    const input = call.stdin.kind === "text" ? [literal(call.stdin.text)] : [];
    // Tables in memory end with the program.
    const place = database && emit.resolve(database);
    const kept = database?.value !== ":memory:" && !(place !== undefined && isTemporary(place));
    for (const text of [...all, ...input])
      if (kept || text.value === undefined) runStatement(text, call, emit);
      else clientCommands(text.value, call, emit);
    if (all.length === 0 && call.stdin.kind === "file") runStatementFile(call.stdin.path, call, emit);
    if (!database || database.value === ":memory:") return;
    emit.read(database, `${call.name} opens it`);
    const changes = [...all, ...input].some(
      ({ value }) => value === undefined || sqlWrites(value) || /^\.(restore|import|clone|recover)\b/m.test(value),
    );
    const blind = all.length === 0 && call.stdin.kind !== "inherit" && call.stdin.kind !== "text";
    if ((changes || blind) && !given.has("readonly")) emit.write(database, `${call.name} changes it`);
  },
  mongoText: ({ value }, emit) => judgeMongo(value!, emit),
  mongo({ call, given, rest }, emit) {
    if (call.stdin.kind === "text") judgeMongo(literal(call.stdin.text), emit);
    const scripts = rest.filter((word) => /\.(js|mongodb)$/.test(word.value ?? ""));
    for (const script of [...given.values("file"), ...scripts]) {
      const text = emit.projectFile(script);
      emit.read(script, `${call.name} runs it`);
      if (text === undefined) emit.unknown(`${call.name} runs ${script.source}`);
      else judgeMongo(literal(text), emit);
    }
  },
  redis({ call, rest }, emit) {
    judgeRedis(
      rest.map((word) => word.value ?? ""),
      emit,
    );
    if (call.stdin.kind === "text" && rest.length === 0)
      for (const line of call.stdin.text.split("\n")) judgeRedis(line.trim().split(/\s+/), emit);
    // Keys another program lists: any number of them.
    if (/^(del|unlink)$/i.test(rest[0]?.value ?? "") && rest.some((word) => word.value === undefined))
      emit.hazard(hazard("redis-keys-delete"), "redis deletes a list of keys");
  },
  dropDatabases({ call, rest }, emit) {
    const forTests = rest.every((name) => throwaway(name.value ?? ""));
    emit.hazard(hazard(forTests ? "drop-database-test" : "drop-database"), call.name);
  },
};

const mongoCalls: readonly (readonly [RegExp, HazardId])[] = [
  [/\.dropDatabase\s*\(|dropDatabase\s*:\s*1/, "drop-database"],
  [/\.drop\s*\(/, "drop-collection"],
  [/\.(deleteMany|remove)\s*\(\s*(\{\s*\})?\s*[,)]/, "delete-all-rows"],
  [/\.(dropIndexes?|dropUser|dropRole|dropAllUsersFromDatabase|shutdownServer)\s*\(/, "drop-object"],
];

function judgeMongo(text: Arg, emit: Emit): void {
  if (text.value === undefined) return emit.unknown("the mongo script is not static");
  const bare = text.value.replace(/\/\/[^\n]*/g, "").replace(/(["'`])(?:[^\\]|\\.)*?\1/g, '""');
  const found = mongoCalls.flatMap(([pattern, id]) => (pattern.test(bare) ? [id] : []));
  const some = /\.(deleteMany|remove|findAndModify)\s*\(/.test(bare) && !found.includes("delete-all-rows");
  for (const id of some ? [...found, "delete-many" as const] : found) emit.hazard(hazard(id), `mongo ${id}`);
  if (/\b(writeFile|removeFile|runProgram|run|load)\s*\(|child_process|require\s*\(/.test(bare))
    emit.unknown("the mongo script reaches files or programs");
}

/** A command of redis, by its first two words. */
const redisCommands: readonly (readonly [RegExp, HazardId, string?])[] = [
  [/^EVAL .*\bFLUSH(ALL|DB)\b/, "redis-flush", "redis-flushall"],
  [/^(FLUSHALL|FLUSH_ALL)\b/, "redis-flush", "redis-flushall"],
  [/^FLUSHDB\b/, "redis-flush", "redis-flushdb"],
  [/^(DEL|UNLINK|EXPIRE|RENAME|LTRIM|SPOP|XTRIM|XDEL|HDEL|SREM|ZREM)\b/, "redis-key-delete"],
  [/^CONFIG (SET|REWRITE|RESETSTAT)\b/, "redis-server", "redis-config"],
  [/^(SHUTDOWN|SLAVEOF|REPLICAOF|FAILOVER|SWAPDB)\b/, "redis-server"],
  [/^DEBUG (?!OBJECT\b)/, "redis-server"],
  [/^CLUSTER (?!(INFO|NODES|SLOTS|SHARDS|KEYSLOT)\b)/, "redis-server"],
  [/^(EVAL|SCRIPT|MODULE)\b/, "redis-script"],
];

function judgeRedis(words: readonly string[], emit: Emit): void {
  // redis-cli --cluster call host:port command
  if (/^call$/i.test(words[0] ?? "") && words.length > 2) return judgeRedis(words.slice(2), emit);
  const text = `${words[0] ?? ""} ${words[1] ?? ""}`.toUpperCase();
  const [, id, name] = redisCommands.find(([pattern]) => pattern.test(text)) ?? [];
  if (!id) return;
  const shown = id === "redis-key-delete" ? undefined : (name ?? `redis-${words[0]!.toLowerCase()}`);
  emit.hazard(hazard(id, shown), `redis ${words.slice(0, 3).join(" ")}`);
}

export const databases = tools(
  "databases",
  `
tool psql pgcli
  options c|command=sql f|file=sqlFile o|output=write L|log-file=write d|dbname= h|host=host p|port= U|username=
    v|set|variable= P|pset= F|field-separator= R|record-separator= T|table-attr= A|no-align a|echo-all b|echo-errors
    E|echo-hidden H|html l|list n|no-readline q|quiet s|single-step S|single-line t|tuples-only x|expanded X|no-psqlrc
    w|no-password W|password 1|single-transaction z|field-separator-zero 0|record-separator-zero csv e|echo-queries
    u|user= D|dsn= dsn-alias= pgclirc=read:use row-limit= prompt= prompt-dsn= warn= ssh-tunnel= less-chatty
    auto-vertical-output list-dsn V
  also #1+ : do address
  !--command|file : do input
  otherwise quiet
tool cockroach usql
  options e|c|execute|command=sql f|file=sqlFile o|out|output=write d|database= host=host p|port= u|user= url=
    certs-dir= insecure format= set= v|variable= watch= echo-sql safe-updates=? w|no-password W|password q|quiet
    t|tuples-only x A C J H X
  also #1+ : do address
  !--command|file : do input
  otherwise quiet
tool mysql mariadb mycli litecli
  options e|execute=sql D|database= h|host=host P|port= u|user= p|password=? S|socket= tee=write init-command=sql
    delimiter= pager=shell default-character-set= protocol= defaults-file=read:use defaults-extra-file=read:use
    defaults-group-suffix= login-path= ssl-ca= ssl-cert= ssl-key= ssl-mode= max-allowed-packet= connect-timeout=
    prompt= plugin-dir= default-auth= server-public-key-path= N|skip-column-names B|batch s|silent r|raw t|table
    v|verbose A|no-auto-rehash C|compress f|force H|html X|xml E|vertical i|ignore-spaces n|unbuffered q|quick w|wait
    b|no-beep U|safe-updates V column-names=? auto-rehash=? ssl=? local-infile=? binary-mode show-warnings
    bind-address= character-sets-dir= compression-algorithms= dns-srv-name= load-data-local-dir= max-join-size=
    net-buffer-length= network-namespace= select-limit= shared-memory-base-name= ssl-capath= ssl-crl= ssl-crlpath=
    ssl-fips-mode= tls-ciphersuites= tls-version= zstd-compression-level= ssl-cipher=
  also #1+ : do address
  !--execute|init-command : do input
  otherwise quiet
tool sqlcmd mssql-cli bcp isql osql clickhouse-client clickhouse snowsql snow presto trino beeline hive impala-shell
tool sqlplus db2 cqlsh vsql
# Letters that mean different things in these clients are not listed: both readings are tried.
  options Q|q|query=sql e|execute=sql c|command=sql f|i|file|queries-file=sqlFile o|output=write S|server=host
    h|host=host U|username= P|password= d|database= u|user= p|port= k|keyspace= format= input-format= multiquery
    secure config-file=read:use settings= account|accountname= dbname= schemaname= warehouse= role= rolename=
    connection= catalog= schema= session= ssl cqlversion= debug no-color request-timeout= connect-timeout= hiveconf=
    hivevar= verbose silent outputformat= showHeader= authenticator= multiline
  also #1+ : do address
  !--query|execute|command|file : do input
  otherwise quiet
tool sqlite3 sqlite duckdb sqlcipher libsql
  style one-dash
  options cmd= init=sqlFile separator= newline= nullvalue= mmap= vfs= maxsize= pagecache= lookaside= heap= memtrace c=
    s= f=sqlFile readonly batch bail box column csv header noheader html json jsonlines line list markdown quote table
    tabs ascii append deserialize echo interactive stats version utf8 safe nofollow unsigned unredacted ui no-stdin
  --version : quiet
  otherwise do sqlite
tool mongosh mongo mongos
  options eval=mongoText f|file= host=host port= u|username= p|password= authenticationDatabase=
    authenticationMechanism= tls ssl quiet norc nodb shell json=? apiVersion= tlsCAFile= tlsCertificateKeyFile=
    retryWrites verbose awsAccessKeyId= awsSecretAccessKey= gssapiServiceName= sslCAFile= sslPEMKeyFile=
    networkMessageCompressors= configdb= bind_ip= gssapiHostName= tlsDisabledProtocols= tlsCRLFile=
  otherwise do mongo
tool redis-cli valkey-cli keydb-cli memcached-tool redli
  style posix
  options h=host p= s= a= u= n= r= i= d= D= t= x X= c e 2 3 eval=read rdb=write functions-rdb=write pipe pipe-timeout=
    pattern= quoted-pattern= user= pass= askpass cacert= cacertdir= cert= key= sni= tls insecure tls-ciphers= bigkeys
    memkeys memkeys-samples= hotkeys scan stat latency latency-history latency-dist lru-test= raw no-raw quoted-input
    csv json show-pushes= replica slave intrinsic-latency= cluster ldb ldb-sync-mode no-auth-warning verbose count=
    cursor= resp2 resp3
  otherwise do redis

tool dropdb dropuser droplang
  options h|host=host p|port= U|username= maintenance-db= e|echo f|force i|interactive w|no-password W|password
    if-exists d|dbname= l|list
  #0 : quiet
  otherwise do dropDatabases
tool mysqladmin mariadb-admin
  options h|host=host u|user= p|password=? P|port= S|socket= f|force s|silent v|verbose i|sleep= c|count= w|wait=?
    r|relative defaults-file=read:use defaults-extra-file=read:use login-path= connect-timeout= shutdown-timeout=
    protocol= b E C ssl-ca= ssl-cert= ssl-key= ssl-mode=
  ~drop : !drop-database
  shutdown|kill|password|flush-*|refresh|reload|stop-slave|stop-replica|debug : !database-server({path})
  * ~shutdown|kill|password|stop-slave|stop-replica : !database-server({name}-shutdown)
  status|extended-status|ping|processlist|variables|create|start-slave|start-replica : quiet
  otherwise unknown
tool createdb createuser pg_ctl pg_ctlcluster pg_isready pg_lsclusters initdb pg_createcluster vacuumdb reindexdb
tool analyzedb
  options D|pgdata= h= p= U= l= o= T= E= a|all
  otherwise quiet
tool pg_dropcluster pg_resetwal pg_resetxlog
  options D|pgdata= f|force stop s c= e= l= m= o= O= u= x= wal-segsize=
  dry n|dry-run
  #0 !--pgdata : quiet
  otherwise !drop-cluster

tool pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport redis-dump
  options f|file=write:tree o|out=write:tree r|result-file=write:tree archive=?write:tree d|dbname|database=
    h|host=host p|port= U|username= u|user= t|table= T|exclude-table= n|schema= N|exclude-schema= F|format= j|jobs=
    Z|compress= c|clean C|create s|schema-only a|data-only O|no-owner x|no-privileges b|blobs B E|encoding=
    S|superuser= v|verbose w W l= g|globals-only db= collection= uri= gzip q|query= P|password=? single-transaction
    quick=? no-data no-create-info routines triggers events all-databases databases add-drop-table=? where=
    ignore-table= set-gtid-purged= column-statistics=? defaults-file=read:use defaults-extra-file=read:use
    no-tablespaces if-exists inserts column-inserts exclude-table-data= fields= type= jsonArray sort= limit= skip=
    pretty authenticationDatabase= readPreference= queryFile=read lock-wait-timeout= e|extension= extra-float-digits=
    include-foreign-data= rows-per-insert= section= snapshot= role=
  also @mongodump !--out|archive : write ./dump tree
  @pg_dump|pg_dumpall --clean : !dump-with-drops
  otherwise quiet
tool pg_restore
  options d|dbname= h|host=host p|port= U|username= j|jobs= f|file=write t|table= n|schema= N|exclude-schema=
    L|use-list=read l|list c|clean C|create 1|single-transaction a|data-only s|schema-only O|no-owner x|no-privileges
    e|exit-on-error F|format= I|index= P|function= T|trigger= S|superuser= role= section= v|verbose w W if-exists
    disable-triggers no-data-for-failed-tables use-set-session-authorization strict-names
  also #1+ : read rest tree
  --list|file : quiet
  --clean : !restore-with-drops
  otherwise quiet
tool mongorestore mongoimport mysqlimport redis-load pgloader
  options h|host=host p|port= u|username= password= d|db= c|collection= uri= archive=?read gzip dir=read:tree
    file=read type= mode= drop delete D nsInclude= nsExclude= nsFrom= nsTo= j|numParallelCollections= headerline
    fields= f= jsonArray upsert upsertFields= authenticationDatabase= oplogReplay dryRun stopOnError
    maintainInsertionOrder with= set= on-error-stop columns= fields-terminated-by= lines-terminated-by= local L
    ignore-lines= batch config=read:use sslCAFile= sslPEMKeyFile= sslPEMKeyPassword= authenticationMechanism=
    numInsertionWorkers= writeConcern= fieldFile=read awsSessionToken=
  also #1+ : read rest tree
  --drop or --mode=delete : !restore-with-drops
  @mysqlimport --delete|D : !restore-with-drops
  otherwise quiet
`,
  code,
);
