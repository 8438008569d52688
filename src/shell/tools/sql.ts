// Reads SQL text just far enough to tell statements that destroy from statements that do not.
// Invariant: words inside strings, quoted names and comments never count; a statement is judged by its own words only.
import type { Hazard } from "../../model/effect.js";

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
  return statements(text).flatMap((statement) => {
    const hazard = judge(
      statement.replace(/^(explain( analyze)?|begin|commit)\b\s*/, (word) =>
        word.startsWith("explain analyze") ? "" : word,
      ),
    );
    return hazard ? [hazard] : [];
  });
}

/** Conditions that hold for every row bound nothing. */
const unbound = / where (?:\(? ?(?:1 ?= ?1|true|1|'' ?= ?''|not false|id is not null|1 ?<> ?0) ?\)?)$/;

/** Databases made to be thrown away, by their names. */
export const throwaway = (name: string): boolean =>
  /(?:^|[_-])(?:tests?|testing|tmp|temp|scratch|sandbox|ci|e2e)(?:[_-]|\d*$)/i.test(name);

function judge(text: string): Hazard | undefined {
  const statement = text.replace(unbound, "");
  const danger = (level: 1 | 2 | 3, id: string): Hazard => ({ class: "database", level, id });
  const dropped = /^drop (?:database|schema|tablespace|keyspace)\b(?: if exists)? ?(\S*)/.exec(statement);
  if (dropped) return danger(throwaway(dropped[1]!) ? 2 : 3, "drop-database");
  const table = /^drop table\b(?: if exists)? ?(\S*)/.exec(statement)?.[1];
  if (table && /^(tmp|temp)_|_(tmp|temp)$/.test(table)) return danger(1, "drop-table");
  if (/^drop (table|collection|view|materialized view|user|role|owned)\b/.test(statement))
    return danger(/^drop (table|collection|owned)/.test(statement) ? 3 : 2, `drop-${statement.split(" ")[1]}`);
  if (/^drop\b/.test(statement)) return danger(2, "drop-object");
  if (/^truncate\b/.test(statement)) return danger(3, "truncate");
  if (
    /^(with .*\)\s*)?delete\b/.test(statement) &&
    !/\bwhere\b|\blimit\b/.test(statement) &&
    /\bfrom\b/.test(statement)
  )
    return danger(3, "delete-all-rows");
  if (/^update\b/.test(statement) && /\bset\b/.test(statement) && !/\bwhere\b/.test(statement))
    return danger(2, "update-all-rows");
  if (/^alter (table|database|schema)\b.*\bdrop\b/.test(statement)) return danger(2, "alter-drop");
  if (/^(reset master|purge binary logs|flush (tables|logs|privileges))/.test(statement))
    return danger(1, "server-command");
  if (/^(grant|revoke|create user|alter user|create role|alter role)\b/.test(statement)) return danger(1, "grant");
  if (/^shutdown\b/.test(statement)) return danger(2, "database-shutdown");
  return undefined;
}

/** Statements that change rows or tables; what only looks is quiet. */
export const sqlWrites = (text: string): boolean =>
  statements(text).some((statement) =>
    /^(insert|update|delete|replace|merge|create|alter|drop|truncate|vacuum|reindex|copy .* from|load|grant|revoke|call|do|exec|execute|import)\b/.test(
      statement,
    ),
  );
