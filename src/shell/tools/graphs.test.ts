import { graphs } from "./graphs.js";
import { table } from "./tool-table.js";

table("graphs", graphs, [
  ["cypher-shell 'MATCH (n) RETURN n'", []],
  ["cypher-shell 'MATCH (n) DETACH DELETE n'", ["!database:3:delete-nodes"]],
  ["cypher-shell 'MATCH (n:Tmp) DETACH DELETE n'", ["!database:2:delete-nodes"]],
  ["cypher-shell 'MATCH (n:User {id: 1}) DETACH DELETE n'", ["!database:1:delete-nodes"]],
  ["cypher-shell \"CREATE (n {text: 'MATCH (n) DELETE n'})\"", []],
  ["cypher-shell 'DROP DATABASE x'", ["!database:3:drop-database"]],
  ["cypher-shell -f a.cypher", ["read a.cypher"]],
  ["influx query 'from(bucket:\"b\")'", ["network influx"]],
  ["influx delete --bucket b --start a --stop b", ["network influx", "!database:3:influx-delete"]],
  ["influx delete --bucket b --predicate '_measurement=\"m\"'", ["network influx", "!database:2:influx-delete"]],
  ["influx bucket delete -n b", ["network influx", "!database:3:influx-bucket-delete"]],
  ["influx -execute 'DROP MEASUREMENT m'", ["network influx", "!database:3:drop-measurement"]],
  ["influx -execute 'SHOW DATABASES'", ["network influx"]],
  ["nodetool status", []],
  ["nodetool decommission", ["!database:3:nodetool-decommission"]],
  ["neo4j-admin database load --from-path=d --overwrite-destination x", ["!database:3:neo4j-admin-database-load"]],
  ["surreal sql -e 'REMOVE TABLE users'", ["!database:3:drop-table"]],
  ["influx frobnicate", ["network influx", "unknown"]],
  ["influx user delete -n u", ["network influx", "!database:2:influx-user-delete"]],
  ["influx restore --full d", ["network influx", "!database:3:influx-restore"]],
  ["nodetool drain", ["!database:2:nodetool-drain"]],
  ["nodetool frobnicate", ["unknown"]],
]);
