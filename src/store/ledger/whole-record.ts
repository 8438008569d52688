// A record with the words of its body, which stand in a text beside the ledger.
// Invariant: the text is read only when somebody looks at the body; where it was erased the rest of the body is there.
import type { JsonObject } from "../../model/json.js";
import type { LedgerRecord } from "../types.js";
import { bodyText, joinBody } from "./body-text.js";
import type { TextReader } from "./side-texts.js";

/** The record with the words of its body, read when they are first asked for. */
export function withBodyText(record: LedgerRecord, texts: () => TextReader): LedgerRecord {
  if (!record.texts?.[bodyText]) return record;
  const open = record.body;
  let whole: JsonObject | undefined;
  const read = (): JsonObject => {
    const text = texts().text(record, bodyText);
    return text === undefined ? open : joinBody(open, JSON.parse(text) as JsonObject);
  };
  return Object.defineProperty(record, "body", { get: () => (whole ??= read()), enumerable: true });
}
