// Graph, time-series and wide-column databases: cypher-shell, influx, nodetool and their administration.
// Invariant: a statement that takes everything away is a proven disaster, one with a condition is not; asking is quiet.
import { type Hazard, hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { type Code, tools, type Use } from "../spec/interpret.js";
import { isStream, literal } from "../spec/options.js";
import { sqlHazards } from "./sql.js";
import { sayHazard } from "./statements.js";

type Judge = (text: string) => Hazard[];

function judgeText(text: Arg, judge: Judge, { call }: Use, emit: Emit): void {
  if (text.value === undefined) emit.unknown(`the statement for ${call.name} is not static`);
  else for (const found of judge(text.value)) sayHazard(found, call, emit);
}

function judgeInput(judge: Judge, use: Use, emit: Emit): void {
  if (use.call.stdin.kind === "text") judgeText(literal(use.call.stdin.text), judge, use, emit);
}

function cypherHazards(text: string): Hazard[] {
  const bare = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ").replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  return bare.split(";").flatMap((statement) => {
    if (/\bdrop\s+(composite\s+)?database\b/i.test(statement)) return [hazard("drop-database")];
    if (/\bdrop\s+(constraint|index|user|role|alias)\b/i.test(statement)) return [hazard("drop-object")];
    if (!/\bdelete\b/i.test(statement)) return [];
    // A label, a property or a condition narrows what is matched.
    if (/\bwhere\b|\{\s*\w+\s*:|\blimit\b/i.test(statement)) return [hazard("delete-nodes-bound")];
    return [hazard(/\(\s*\w*\s*:/.test(statement) ? "delete-nodes-labelled" : "delete-nodes")];
  });
}

const influxHazards: Judge = (text) =>
  text.split(";").flatMap((statement) => {
    if (/^\s*drop\s+(measurement|retention\s+policy|shard)\b/i.test(statement)) return [hazard("drop-measurement")];
    if (/^\s*drop\s+series\b/i.test(statement))
      return [hazard(/\bwhere\b/i.test(statement) ? "drop-series-bound" : "drop-series")];
    return sqlHazards(statement);
  });

const otherHazards: Judge = (text) => [
  ...sqlHazards(text),
  ...(/^\s*remove\s+(namespace|database|table|ns|db)\b/im.test(text) ? [hazard("drop-table")] : []),
  ...(/\._dropDatabase\(|\b_drop\(|\.truncate\(/.test(text) ? [hazard("drop-collection")] : []),
];

const code: Code = {
  cypher(use, emit) {
    const { call, given, rest } = use;
    const texts = [...rest];
    for (const file of given.values("file")) {
      if (isStream(file) && !file.process) continue;
      emit.read(file, `${call.name} takes statements from it`);
      const text = emit.projectFile(file);
      if (text !== undefined) texts.push(literal(text));
    }
    for (const text of texts) judgeText(text, cypherHazards, use, emit);
    if (texts.length === 0) judgeInput(cypherHazards, use, emit);
  },
  influxText: (use, emit) => judgeText(use.value!, influxHazards, use, emit),
  influxInput: (use, emit) => judgeInput(influxHazards, use, emit),
  text: (use, emit) => judgeText(use.value!, otherHazards, use, emit),
  input: (use, emit) => judgeInput(otherHazards, use, emit),
};

export const graphs = tools(
  "graphs",
  `
tool cypher-shell memgraph-client mgconsole
  options a|address|uri= u|username= p|password= d|database= f|file= format= P|param= encryption= access-mode=
    fail-fast fail-at-end non-interactive debug v|driver-version sample-rows= wrap= log=write history= impersonate=
    enable-autocompletions error-format= notifications change-password host= port= use_ssl= use-ssl=
  otherwise do cypher
tool influx influx3
  style one-dash
  options execute=influxText database= host= port= username= password= b|bucket= o|org= t|token= n|name= i|id=
    p|predicate= start= stop= c|active-config= f|file=read r|retention= format= precision= bucket-id= org-id=
    configs-path= skip-verify http-debug hide-headers json d|description= full new-bucket= new-org= h|raw=
    shard-group-duration= import path=read compressed pretty ssl unsafeSsl
  always network --host
  also !--execute : do influxInput
  delete --predicate : !points-delete-bound
  delete : !points-delete
  bucket|org|database|table delete|rm|remove : !database-remove({name}-{1}-delete)
  * delete|rm|remove : !database-change({name}-{1}-delete)
  restore --full : !database-remove(influx-restore)
  --execute : quiet
  #0 : quiet
  query|write|ping|bucket|org|user|auth|config|setup|server-config|task|secret|telegrafs|transpile|v1|export : quiet
  apply : quiet
  backup|restore|dashboards|replication|remote|scripts|stacks|template|bucket-schema|completion|create|show : quiet
  serve|test : quiet
  otherwise unknown
tool neo4j-admin nodetool surreal arangosh arangorestore couchbase-cli cbq ksql rethinkdb promtool
  options h|host= p|port= u|username|user= pw|password= database= from-path= to-path= from= c|cluster= bucket=
    e|execute=text script=text javascript.execute-string=text endpoint= ns|namespace= db= server.database=
    server.endpoint= server.username= server.password= input-directory=read:tree conn= pass= ssl expand-commands
    verbose force pretty
  also !--execute|script : do input
  database delete|drop : !database-remove({path})
  database load|restore --overwrite-destination : !database-remove({path})
  assassinate|decommission|removenode|bucket-delete : !database-remove({path})
  drain|clearsnapshot|truncatehints|stopdaemon|disablegossip|bucket-flush : !database-change({path})
  --execute|script|javascript.execute-string or #0 : quiet
  @arangosh|arangorestore|cbq|ksql|rethinkdb : quiet
  database|server|dbms info|status|list|dump|backup|check|migrate|load|restore|import|copy|report|start|stop|console :
    quiet
  status|info|ring|describecluster|tablestats|cfstats|tpstats|netstats|compactionstats|gossipinfo|version : quiet
  flush|repair : quiet
  cleanup|compact|snapshot|listsnapshots|getendpoints|getlogginglevels|toppartitions|proxyhistograms : quiet
  tablehistograms : quiet
  sql|start|import|export|isready|upgrade|validate|check|query|tsdb|debug|push|test|promql|*-list|server-info : quiet
  host-list : quiet
  otherwise unknown
`,
  code,
);
