// Calls that empty a data store, whatever library makes them: redis, mongo, Active Record, Django, SQL in a text.
// Invariant: adds a hazard, never takes an effect away; a call with a condition is not one of these.
import { type Hazard, hazard } from "../../model/hazards.js";
import { sqlHazards } from "../tools/sql.js";
import { wordSet } from "../word-set.js";
import { trim } from "./expressions.js";
import type { Token } from "./tokens.js";
import type { Call, ProgramScope } from "./vocabulary.js";

const empties = wordSet(`
  flushall flushdb flushAll flushDb dropDatabase drop_database delete_all destroy_all drop_all dropAllTables
  dropTables drop_table`);
const runsSql = wordSet(`
  query execute raw exec exec_query exec_update executeRaw executeRawUnsafe $executeRawUnsafe $queryRawUnsafe
  unsafe executescript statement unprepared`);
const mayEmpty = /^(deleteMany|remove|delete|truncate)$/;

export const touchesStore = (method: string): boolean =>
  empties.has(method) || runsSql.has(method) || mayEmpty.test(method);

/** A text with names filled in: the words around them stand. */
function template(tokens: readonly Token[] | undefined): string {
  const [text, ...more] = tokens ?? [];
  return text?.kind === "string" && !more.length
    ? text.text.replace(/^\w?["'`]+|["'`]+$/g, "").replace(/\$?\{[^{}]*\}/g, "x")
    : "";
}

export function emptiesStore(method: string, call: Call, scope: ProgramScope): void {
  const say = (found: Hazard) => scope.emit.hazard(found, `${method} in a program`);
  if (runsSql.has(method)) {
    if (scope.scratchStore) return;
    for (const found of sqlHazards(scope.constant(call.args[0]) ?? template(call.args[0]))) say(found);
    return;
  }
  const names = call.receiver.filter((token) => token.kind === "name").map((token) => token.text);
  const bound = names.some((name) => /^(where|filter|find_by|limit|exclude|scope)$/.test(name));
  if (empties.has(method) && !bound) return say(hazard("store-empty", method.toLowerCase()));
  const nothing =
    call.args.length === 0 && call.keywords.size === 0
      ? true
      : call.args.length === 1 &&
        trim(call.args[0]!)
          .map((token) => token.text)
          .join("") === "{}";
  if (!nothing || bound) return;
  const all = names.includes("all") && names.includes("objects");
  const model = /^[A-Z]/.test(names[0] ?? "") && names.length === 1;
  if (method === "deleteMany" || (method === "delete" && all) || (method === "truncate" && model))
    say(hazard("delete-all-rows"));
}
