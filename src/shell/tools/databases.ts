// Database clients and their administration: psql, mysql, sqlite3, mongosh, redis-cli and others.
// Invariant: SQL reaches the judge from every door (option, operand, standard input, file); escapes to the shell are followed.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { all, cli } from "./commands.js";
import { sqlHazards, sqlWrites, throwaway } from "./sql.js";
import { asksHelp, isStream } from "./table.js";

function statement(text: Arg, call: Invocation, emit: Emit): void {
  if (text.value === undefined) return emit.unknown(`the statement for ${call.name} is not static`);
  // What is in a database made to be thrown away is asked about, not refused.
  for (const hazard of sqlHazards(text.value))
    emit.hazard(
      isThrowaway(call) && hazard.level === 3 ? { ...hazard, level: 2 } : hazard,
      `${call.name}: ${hazard.id.replaceAll("-", " ")}`,
    );
  meta(text.value, call, emit);
}

/** `psql app_test`, `mysql -D shop_test`, `sqlite3 test.db`: by the name of what is opened. */
function isThrowaway({ args }: Invocation): boolean {
  return args.some((arg, at) => {
    const named = /^(-d|-D|--dbname|--database)$/.test(args[at - 1]?.value ?? "");
    const value = /^--(?:dbname|database)=(.*)$/.exec(arg.value ?? "")?.[1] ?? arg.value ?? "";
    const plain = at === 0 || !/^-/.test(args[at - 1]?.value ?? "-");
    if (!named && !plain && !arg.value?.startsWith("--d")) return false;
    const name = value
      .replace(/\?.*$/, "")
      .replace(/^.*\//, "")
      .replace(/\.\w+$/, "");
    return !/\s/.test(value) && (throwaway(name) || /^\/tmp\//.test(value));
  });
}

/** psql's backslash commands and sqlite's dot commands. */
function meta(text: string, call: Invocation, emit: Emit): void {
  for (const line of text.split("\n").map((part) => part.trim())) {
    const shell = /^(?:\\!|\.(?:shell|system)|\\system|system|!)\s+(.+)$/.exec(line)?.[1];
    if (shell) emit.shell(literal(shell), `${call.name} runs it`);
    const output = /^(?:\\o|\\w|\.(?:output|once|backup|save|log|excel)|\\g|tee|\\T)\s+(?:main\s+)?(\S+)$/.exec(
      line,
    )?.[1];
    if (output && output !== "stdout" && output !== "off") {
      if (output.startsWith("|")) emit.shell(literal(output.slice(1)), `${call.name} pipes to it`);
      else emit.write(literal(unquote(output)), `${call.name} writes it`);
    }
    const input = /^(?:\\i|\\ir|\\include|\.read|source|\\\.)\s+(\S+)$/.exec(line)?.[1];
    if (input) file(literal(unquote(input)), call, emit);
    const restored = /^\.(?:restore|import)\s+(?:--\S+\s+)*(\S+)/.exec(line)?.[1];
    if (restored) emit.read(literal(unquote(restored)), `${call.name} reads it`);
    const dropped = /^\.(drop|clear)\b/.exec(line);
    if (dropped) emit.hazard({ class: "database", level: 2, id: "drop-object" }, `${call.name} ${line}`);
    const copied = /^\\copy\b.*?\b(to|from)\s+(?:program\s+'([^']*)'|'?([^\s']+)'?)/i.exec(line);
    if (copied?.[2]) emit.shell(literal(copied[2]), `${call.name} \\copy program`);
    else if (copied?.[3] && !/^(stdin|stdout)$/i.test(copied[3]))
      emit[copied[1]!.toLowerCase() === "to" ? "write" : "read"](literal(copied[3]), `${call.name} \\copy`);
  }
  const outfile = /\binto\s+(?:outfile|dumpfile)\s+'([^']*)'/i.exec(text)?.[1];
  if (outfile) emit.write(literal(outfile), `${call.name} into outfile`);
  const program = /\bcopy\b[\s\S]*?\b(?:to|from)\s+program\s+'((?:[^']|'')*)'/i.exec(text)?.[1];
  if (program && !/^\s*\\copy/m.test(text))
    emit.shell(literal(program.replaceAll("''", "'")), `${call.name} copy program`);
}

const unquote = (text: string) => text.replace(/^['"]|['"]$/g, "");

function file(path: Arg, call: Invocation, emit: Emit): void {
  if (isStream(path) && !path.process) return fromInput(call, emit);
  emit.read(path, `${call.name} takes statements from it`);
  const text = emit.projectFile(path);
  if (text !== undefined) statement(literal(text), call, emit);
}

function fromInput(call: Invocation, emit: Emit): void {
  if (call.stdin.kind === "text") statement(literal(call.stdin.text), call, emit);
  else if (call.stdin.kind === "file") file(call.stdin.path, call, emit);
}

const connects = (call: Invocation, emit: Emit, host: Arg | undefined) => {
  if (host && !/^(localhost|127\.0\.0\.1|::1|\/.*)$/.test(host.value ?? ""))
    emit.effect({ kind: "network", program: call.name, host: host.value, reason: `${call.name} connects` });
};

const sqlClient = (
  names: string[],
  grammar: string,
  roles: { text: string[]; file: string[]; output: string[] },
): ToolFamily => ({
  names,
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax(grammar));
    connects(call, emit, given.value("host", "server"));
    for (const text of given.values(...roles.text)) statement(text, call, emit);
    for (const path of given.values(...roles.file)) file(path, call, emit);
    for (const path of given.values(...roles.output)) if (!isStream(path)) emit.write(path, `${call.name} output`);
    if (!given.has(...roles.text, ...roles.file)) fromInput(call, emit);
    const url = given.operands.find((word) => /^\w+:\/\//.test(word.value ?? ""));
    if (url) connects(call, emit, literal(/:\/\/(?:[^@/]*@)?([^:/?]*)/.exec(url.value!)?.[1] ?? ""));
  },
});

const psql = sqlClient(
  ["psql", "pgcli", "cockroach", "usql", "crdb"],
  "c|command= f|file= o|output= L|log-file= d|dbname= h|host= p|port= U|username= v|set|variable= P|pset= F|field-separator= R|record-separator= T|table-attr= e|execute= A a b E H l n q s S t x X w W 1 z 0",
  { text: ["command", "execute"], file: ["file"], output: ["output", "log-file"] },
);
const mysql = sqlClient(
  ["mysql", "mariadb", "mycli", "litecli"],
  "e|execute= D|database= h|host= P|port= u|user= p|password=? S|socket= tee= init-command= delimiter= pager= default-character-set= protocol= defaults-file= ssl-ca= N B s r t v",
  { text: ["execute", "init-command"], file: [], output: ["tee"] },
);
const mssql = sqlClient(
  [
    "sqlcmd",
    "mssql-cli",
    "bcp",
    "isql",
    "osql",
    "clickhouse-client",
    "clickhouse",
    "snowsql",
    "snow",
    "presto",
    "trino",
    "beeline",
    "hive",
    "impala-shell",
    "duckdb-cli",
    "sqlplus",
    "db2",
    "cqlsh",
    "vsql",
  ],
  "Q|q|query= e|execute= f|i|file|queries-file= o|output= S|server= h|host= U|username= P|password= d|database= c|command= u= n= p= k|keyspace=",
  { text: ["query", "execute", "command"], file: ["file"], output: ["output"] },
);

const sqlite: ToolFamily = {
  names: ["sqlite3", "sqlite", "duckdb", "sqlcipher", "libsql"],
  lower(call, emit) {
    if (asksHelp(call) || call.args.some((arg) => arg.value === "-version")) return;
    const given = parse(
      call.args,
      syntax(
        "cmd= init= separator= newline= nullvalue= mmap= vfs= maxsize= c= s= f= readonly batch bail box column csv header html json line list markdown quote table tabs",
        { oneDash: true },
      ),
    );
    const [database, ...texts] = given.operands;
    const all = [...given.values("cmd", "c", "s"), ...texts];
    for (const path of given.values("init", "f")) file(path, call, emit);
    const input = call.stdin.kind === "text" ? [literal(call.stdin.text)] : [];
    // Tables in memory end with the program.
    const kept = database?.value !== ":memory:";
    for (const text of [...all, ...input])
      if (kept || text.value === undefined) statement(text, call, emit);
      else meta(text.value, call, emit);
    if (all.length === 0 && call.stdin.kind === "file") file(call.stdin.path, call, emit);
    if (!database || database.value === ":memory:") return;
    emit.read(database, `${call.name} opens it`);
    const changes = [...all, ...input].some(
      (text) =>
        text.value === undefined || sqlWrites(text.value) || /^\.(restore|import|clone|recover)\b/m.test(text.value),
    );
    const blind = all.length === 0 && call.stdin.kind !== "inherit" && call.stdin.kind !== "text";
    if ((changes || blind) && !given.has("readonly")) emit.write(database, `${call.name} changes it`);
  },
};

const mongo: ToolFamily = {
  names: ["mongosh", "mongo", "mongos"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("eval= f|file= host= port= u|username= p|password= authenticationDatabase= tls quiet"),
    );
    connects(call, emit, given.value("host"));
    const texts = given.values("eval");
    if (call.stdin.kind === "text") texts.push(literal(call.stdin.text));
    for (const text of texts) judgeMongo(text, emit);
    for (const script of [
      ...given.values("file"),
      ...given.operands.filter((word) => /\.(js|mongodb)$/.test(word.value ?? "")),
    ]) {
      const text = emit.projectFile(script);
      emit.read(script, `${call.name} runs it`);
      if (text === undefined) emit.unknown(`${call.name} runs ${script.source}`);
      else judgeMongo(literal(text), emit);
    }
  },
};

function judgeMongo(text: Arg, emit: Emit): void {
  if (text.value === undefined) return emit.unknown("the mongo script is not static");
  const code = text.value.replace(/\/\/[^\n]*/g, "").replace(/(["'`])(?:[^\\]|\\.)*?\1/g, '""');
  const say = (level: 1 | 2 | 3, id: string) => emit.hazard({ class: "database", level, id }, `mongo ${id}`);
  if (/\.dropDatabase\s*\(/.test(code) || /dropDatabase\s*:\s*1/.test(code)) say(3, "drop-database");
  if (/\.drop\s*\(/.test(code)) say(3, "drop-collection");
  if (/\.(deleteMany|remove)\s*\(\s*(\{\s*\})?\s*[,)]/.test(code)) say(3, "delete-all-rows");
  else if (/\.(deleteMany|remove|findAndModify)\s*\(/.test(code)) say(2, "delete-many");
  if (/\.(dropIndexes?|dropUser|dropRole|dropAllUsersFromDatabase|shutdownServer)\s*\(/.test(code))
    say(2, "drop-object");
  if (/\b(writeFile|removeFile|runProgram|run|load)\s*\(|child_process|require\s*\(/.test(code))
    emit.unknown("the mongo script reaches files or programs");
}

const redis: ToolFamily = {
  names: ["redis-cli", "valkey-cli", "keydb-cli", "memcached-tool", "redli"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "h= p= s= a= u= n= r= i= d= t= x X= c e eval= rdb= functions-rdb= pipe pattern= user= pass= cacert= cert= key= sni= D= tls bigkeys scan stat latency raw no-raw csv json",
        { posix: true },
      ),
    );
    connects(call, emit, given.value("h"));
    for (const path of given.values("rdb", "functions-rdb")) emit.write(path, "redis-cli saves into it");
    for (const path of given.values("eval")) emit.read(path, "redis-cli --eval");
    const lines =
      call.stdin.kind === "text" && given.operands.length === 0
        ? call.stdin.text.split("\n").map((line) => line.trim().split(/\s+/))
        : [];
    for (const words of [given.operands.map((word) => word.value ?? ""), ...lines]) judgeRedis(words, emit);
    // Keys another program lists: any number of them.
    if (
      /^(del|unlink)$/i.test(given.operands[0]?.value ?? "") &&
      given.operands.some((word) => word.value === undefined)
    )
      emit.hazard({ class: "database", level: 2, id: "redis-keys-delete" }, "redis deletes a list of keys");
  },
};

function judgeRedis(words: readonly string[], emit: Emit): void {
  // redis-cli --cluster call host:port command
  if (/^call$/i.test(words[0] ?? "") && words.length > 2) return judgeRedis(words.slice(2), emit);
  const [verb = "", sub = ""] = words.map((word) => word.toUpperCase());
  const say = (level: 1 | 2 | 3, id: string) =>
    emit.hazard({ class: "database", level, id }, `redis ${words.slice(0, 3).join(" ")}`);
  if (verb === "EVAL" && /\bFLUSH(ALL|DB)\b/i.test(words[1] ?? "")) say(3, "redis-flushall");
  else if (verb === "FLUSHALL") say(3, "redis-flushall");
  else if (verb === "FLUSHDB" || verb === "SWAPDB") say(verb === "FLUSHDB" ? 3 : 2, `redis-${verb.toLowerCase()}`);
  else if (verb === "FLUSH_ALL") say(3, "redis-flushall");
  else if (/^(DEL|UNLINK|EXPIRE|RENAME|LTRIM|SPOP|XTRIM|XDEL|HDEL|SREM|ZREM)$/.test(verb)) say(1, "redis-key-delete");
  else if (verb === "CONFIG" && /^(SET|REWRITE|RESETSTAT)$/.test(sub)) say(2, "redis-config");
  else if (
    /^(SHUTDOWN|DEBUG|SLAVEOF|REPLICAOF|FAILOVER|CLUSTER)$/.test(verb) &&
    !(verb === "CLUSTER" && /^(INFO|NODES|SLOTS|SHARDS|KEYSLOT)$/.test(sub)) &&
    !(verb === "DEBUG" && sub === "OBJECT")
  )
    say(2, `redis-${verb.toLowerCase()}`);
  else if (verb === "EVAL" || verb === "SCRIPT" || verb === "MODULE") say(1, `redis-${verb.toLowerCase()}`);
}

/** Programs whose name is the deed. */
const administration = [
  cli({
    names: "dropdb dropuser droplang",
    takes: "h|host= p|port= U|username= maintenance-db=",
    verbs: [
      {
        path: "*",
        does: ({ call, given }, emit) =>
          emit.hazard(
            {
              class: "database",
              level: given.operands.every((name) => throwaway(name.value ?? "")) ? 2 : 3,
              id: "drop-database",
            },
            call.name,
          ),
      },
    ],
  }),
  cli({
    names: "mysqladmin mariadb-admin",
    takes: "h|host= u|user= p|password=? P|port= S|socket=",
    verbs: [
      { path: "drop", hazard: "database:3", id: "drop-database" },
      ...all("database:2", [
        "shutdown",
        "kill",
        "password",
        "flush-hosts|flush-logs|flush-privileges|flush-status|flush-tables|flush-threads|refresh|reload",
      ]),
    ],
  }),
  cli({
    names:
      "createdb createuser pg_ctl pg_ctlcluster pg_isready pg_lsclusters initdb pg_createcluster vacuumdb reindexdb analyzedb",
    takes: "D|pgdata= h= p= U= l= o= T= E=",
    verbs: [],
  }),
  cli({
    names: "pg_dropcluster pg_resetwal pg_resetxlog",
    verbs: [{ path: "*", hazard: "database:3", id: "drop-cluster" }],
  }),
];

/** Dumps write, restores overwrite; --clean drops before it restores. */
const dumps: ToolFamily = {
  names: ["pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport", "redis-dump", "sqldump"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "f|file= o|out= r|result-file= d|dbname= h|host= p|port= U|username= u|user= t|table= n|schema= F|format= j= Z= c|clean C s a O x db= collection= uri= archive=? gzip query= P|password=?",
      ),
    );
    connects(call, emit, given.value("host"));
    for (const path of given.values("file", "out", "result-file", "archive"))
      if (!isStream(path)) emit.write(path, `${call.name} output`, { recursive: true });
    if (call.name === "mongodump" && !given.has("out", "archive"))
      emit.write(literal("dump"), "mongodump output", { recursive: true });
    if (given.has("clean") && /^pg_/.test(call.name))
      emit.hazard({ class: "database", level: 1, id: "dump-with-drops" }, "the dump will drop what it restores");
  },
};

const restores: ToolFamily = {
  names: ["pg_restore", "mongorestore", "mongoimport", "mysqlimport", "redis-load", "pgloader"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "d|dbname= h|host= p|port= U|username= j|jobs= f|file= t|table= n|schema= L= l|list c|clean C|create 1 drop nsInclude= db= collection= uri= archive=? gzip dir= type= mode=",
      ),
    );
    connects(call, emit, given.value("host"));
    for (const path of given.operands) emit.read(path, `${call.name} restores from it`, { recursive: true });
    if (given.has("list") || (given.has("file") && call.name === "pg_restore")) {
      for (const path of given.values("file")) if (!isStream(path)) emit.write(path, "pg_restore -f");
      return;
    }
    if (given.has("clean", "drop") || given.value("mode")?.value === "delete")
      emit.hazard({ class: "database", level: 2, id: "restore-with-drops" }, `${call.name} drops before it restores`);
  },
};

export const databases = [psql, mysql, mssql, sqlite, mongo, redis, dumps, restores, ...administration];
