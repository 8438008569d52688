// Graph, time-series and wide-column databases: cypher-shell, influx, nodetool and their administration.
// Invariant: a statement that takes everything away is a proven disaster, one with a condition is not; asking is quiet.
import type { Hazard } from "../../model/effect.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { all, cli } from "./commands.js";
import { sqlHazards } from "./sql.js";
import { asksHelp, isStream } from "./table.js";

const database = (level: Hazard["level"], id: string): Hazard => ({ class: "database", level, id });

/** The texts a client gets by option, operand, file or standard input. */
function texts(call: Invocation, given: readonly Arg[], files: readonly Arg[], emit: Emit): Arg[] {
  const found = [...given];
  for (const file of files) {
    if (isStream(file) && !file.process) continue;
    emit.read(file, `${call.name} takes statements from it`);
    const text = emit.projectFile(file);
    if (text !== undefined) found.push(literal(text));
  }
  if (found.length === 0 && call.stdin.kind === "text") found.push(literal(call.stdin.text));
  return found;
}

const cypher: ToolFamily = {
  names: ["cypher-shell", "memgraph-client", "mgconsole"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("a|address|uri= u|username= p|password= d|database= f|file= format= P|param= encryption= access-mode="),
    );
    for (const text of texts(call, given.operands, given.values("file"), emit)) {
      if (text.value === undefined) emit.unknown(`the statement for ${call.name} is not static`);
      else for (const hazard of cypherHazards(text.value)) emit.hazard(hazard, `${call.name}: ${hazard.id}`);
    }
  },
};

function cypherHazards(text: string): Hazard[] {
  const bare = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ").replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  return bare.split(";").flatMap((statement) => {
    if (/\bdrop\s+(composite\s+)?database\b/i.test(statement)) return [database(3, "drop-database")];
    if (/\bdrop\s+(constraint|index|user|role|alias)\b/i.test(statement)) return [database(2, "drop-object")];
    if (!/\bdelete\b/i.test(statement)) return [];
    // A label, a property or a condition narrows what is matched.
    const bound = /\bwhere\b|\{\s*\w+\s*:|\blimit\b/i.test(statement);
    const labelled = /\(\s*\w*\s*:/.test(statement);
    return [database(bound ? 1 : labelled ? 2 : 3, "delete-nodes")];
  });
}

const influx: ToolFamily = {
  names: ["influx", "influx3"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "execute= database= host= port= username= password= b|bucket= o|org= t|token= n|name= i|id= p|predicate= start= stop= c|active-config= f|file= r|retention= format= precision= bucket-id= org-id=",
        { oneDash: true },
      ),
    );
    emit.effect({ kind: "network", program: call.name, host: given.value("host")?.value, reason: call.name });
    for (const text of texts(call, given.values("execute"), [], emit))
      for (const hazard of influxHazards(text.value ?? "")) emit.hazard(hazard, `influx: ${hazard.id}`);
    const [group, verb] = given.operands.map((word) => word.value ?? "");
    if (group === "delete")
      return emit.hazard(database(given.has("predicate") ? 2 : 3, "influx-delete"), "influx delete removes points");
    if (/^(delete|rm|remove)$/.test(verb ?? ""))
      emit.hazard(database(/^(bucket|org|database|table)$/.test(group!) ? 3 : 2, `influx-${group}-delete`), "influx");
    if (group === "restore" && given.has("full")) emit.hazard(database(3, "influx-restore"), "influx restore --full");
  },
};

const influxHazards = (text: string): Hazard[] =>
  text.split(";").flatMap((statement) => {
    if (/^\s*drop\s+(measurement|retention\s+policy|shard)\b/i.test(statement))
      return [database(3, "drop-measurement")];
    if (/^\s*drop\s+series\b/i.test(statement)) return [database(/\bwhere\b/i.test(statement) ? 2 : 3, "drop-series")];
    return sqlHazards(statement);
  });

const administration = cli({
  names: "neo4j-admin nodetool surreal arangosh arangorestore couchbase-cli cbq ksql rethinkdb promtool scylla sstable",
  takes:
    "h|host= p|port= u|username|user= pw|password= database= from-path= from= c|cluster= bucket= e|execute= script= endpoint= ns= db= server.database= server.endpoint=",
  verbs: [
    { path: "database delete|drop", hazard: "database:3" },
    { path: "database load|restore", needs: ["overwrite-destination"], hazard: "database:3" },
    ...all("database:3", ["assassinate|decommission|removenode", "bucket-delete"]),
    ...all("database:2", ["drain|clearsnapshot|truncatehints|stopdaemon|disablegossip", "bucket-flush"]),
  ],
  otherwise({ call, given }, emit) {
    for (const text of [
      ...given.values("execute", "script"),
      ...(call.stdin.kind === "text" ? [literal(call.stdin.text)] : []),
    ]) {
      for (const hazard of sqlHazards(text.value ?? "")) emit.hazard(hazard, `${call.name}: ${hazard.id}`);
      if (/^\s*remove\s+(namespace|database|table|ns|db)\b/im.test(text.value ?? ""))
        emit.hazard(database(3, "drop-table"), `${call.name}: remove`);
      if (/\._dropDatabase\(|\b_drop\(|\.truncate\(/.test(text.value ?? ""))
        emit.hazard(database(3, "drop-collection"), `${call.name} drops`);
    }
  },
});

export const graphs = [cypher, influx, administration];
