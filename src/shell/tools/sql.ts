// Reads SQL text just far enough to tell statements that destroy from statements that do not.
// Invariant: words inside strings, quoted names and comments never count; a statement is judged by its own words only.
import { type Hazard, type HazardId, hazard } from "../../model/hazards.js";

/** Statements with strings and comments blanked, split at semicolons. */
function statements(text: string): string[] {
  const bare = text
    .replace(/--[^\n]*|#(?=[ \t])[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, " '' ")
    .replace(/'(?:[^'\\]|''|\\.)*'/g, "''")
    .replace(/"(?:[^"\\]|""|\\.)*"/g, "x")
    .replace(/`[^`]*`/g, "x");
  return bare.split(";").map((statement) => statement.trim().replace(/\s+/g, " ").toLowerCase());
}

export function sqlHazards(text: string): Hazard[] {
  const made = new Set<string>();
  return statements(text).flatMap((statement) => {
    // What the same text made before holds nothing of value.
    const created = /^create (?:temp(?:orary)? )?table (?!if not exists)(\w[\w.]*)/.exec(statement)?.[1];
    if (created && created !== "x") made.add(created);
    const dropped = /^(?:drop table(?: if exists)?|truncate(?: table)?|delete from) (\w[\w.]*)(?: cascade)?$/.exec(
      statement,
    )?.[1];
    if (dropped && made.has(dropped)) return [];
    const found = judge(
      statement.replace(/^(explain( analyze)?|begin|commit)\b\s*/, (word) =>
        word.startsWith("explain analyze") ? "" : word,
      ),
    );
    return found ? [found] : [];
  });
}

/** Conditions that hold for every row bound nothing. */
const unbound = / where (?:\(? ?(?:1 ?= ?1|true|1|'' ?= ?''|not false|id is not null|1 ?<> ?0) ?\)?)$/;

/** Databases made to be thrown away, by their names. */
export const throwaway = (name: string): boolean =>
  /(?:^|[_-])(?:tests?|testing|tmp|temp|scratch|sandbox|ci|e2e)(?:[_-]|\d*$)/i.test(name);

function judge(text: string): Hazard | undefined {
  const statement = text.replace(unbound, "");
  const dropped = /^drop (?:database|schema|tablespace|keyspace)\b(?: if exists)? ?(\S*)/.exec(statement);
  if (dropped) return hazard(throwaway(dropped[1]!) ? "drop-database-test" : "drop-database");
  const table = /^drop table\b(?: if exists)? ?(\S*)/.exec(statement)?.[1];
  if (table && /^(tmp|temp)_|_(tmp|temp)$/.test(table)) return hazard("drop-table-temporary");
  const part = /^drop (view|materialized|user|role)\b/.exec(statement)?.[1];
  if (part) return hazard("drop-object", `drop-${part}`);
  if (deletes.test(statement) && !/\bwhere\b|\blimit\b/.test(statement) && /\bfrom\b/.test(statement))
    return hazard("delete-all-rows");
  if (/^update\b/.test(statement) && /\bset\b/.test(statement) && !/\bwhere\b/.test(statement))
    return hazard("update-all-rows");
  const id = byBeginning.find(([pattern]) => pattern.test(statement))?.[1];
  return id && hazard(id);
}

const deletes = /^(with .*\)\s*)?delete\b/;

/** Statements whose first words say it all. */
const byBeginning: readonly (readonly [RegExp, HazardId])[] = [
  [/^drop table\b/, "drop-table"],
  [/^drop collection\b/, "drop-collection"],
  [/^drop owned\b/, "drop-owned"],
  [/^drop\b/, "drop-object"],
  [/^truncate\b/, "truncate"],
  [/^alter (table|database|schema)\b.*\bdrop\b/, "alter-drop"],
  [/^(reset master|purge binary logs|flush (tables|logs|privileges))/, "server-command"],
  [/^(grant|revoke|create user|alter user|create role|alter role)\b/, "grant"],
  [/^shutdown\b/, "database-shutdown"],
];

const changing = [
  ..."insert update delete replace merge create alter drop truncate vacuum reindex".split(" "),
  ..."load grant revoke call do exec execute import".split(" "),
  "copy .* from",
];
const changes = new RegExp(`^(${changing.join("|")})\\b`);

/** Statements that change rows or tables; what only looks is quiet. */
export const sqlWrites = (text: string): boolean => statements(text).some((statement) => changes.test(statement));
