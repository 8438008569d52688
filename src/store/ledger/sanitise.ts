// What a caller hands in, made fit to be written: secrets out, the store's own slices untouched.
// Invariant: nothing reaches the ledger, the snapshot or a side file that did not pass through here.

import type { JsonObject } from "../../model/json.js";
import { StoreFault } from "../fault.js";
import { redact, redactJson } from "../redact/redact.js";
import type { RecordDraft } from "../types.js";
import { largestRecord, type RecordContent } from "./append-record.js";
import { bodyText, splitBody } from "./body-text.js";
import { canonical, canonicalOrdered } from "./canonical-json.js";
import { addPrepared, prepareTexts } from "./side-texts.js";

/**
 * The body loses all that looks like a secret; the patch, which gates compare, only what certainly is one. Words of the
 * body become a text beside the ledger.
 */
export function cleaned(draft: RecordDraft): RecordContent {
  const foreign = Object.keys(draft.patch ?? {}).find((key) => key.startsWith("store/"));
  if (foreign !== undefined)
    throw new StoreFault(
      "bad-record",
      `The patch touches ${foreign}, which belongs to the store.`,
      "This is a fault in the caller; report it.",
    );
  const body = redactJson(draft.body);
  const patch = draft.patch && redactJson(draft.patch, { formatsOnly: true });
  const { open, apart } = splitBody(draft.type, body.value);
  const texts = draft.texts || apart ? prepareTexts(draft.texts ?? {}) : undefined;
  if (texts && apart) addPrepared(texts, bodyText, textOf(apart));
  const redacted = body.count + (patch?.count ?? 0) + (texts?.redacted ?? 0);
  return {
    type: draft.type,
    host: named(draft.host),
    session: named(draft.session),
    agent: named(draft.agent),
    ids: draft.ids,
    body: open,
    patch: patch?.value,
    written: {
      body: body.ordered && !apart ? canonicalOrdered(open) : undefined,
      patch: patch?.ordered ? canonicalOrdered(patch.value) : undefined,
    },
    texts,
    redacted: redacted || undefined,
  };
}

/** The words of a body as a text; too large or without a JSON form, it is refused like a record. */
function textOf(apart: JsonObject): string {
  const refused = (why: string, cause?: unknown) =>
    new StoreFault("bad-record", `The record cannot be written: ${why}.`, "This is a fault in the caller.", cause);
  let text: string;
  try {
    text = canonical(apart);
  } catch (error) {
    throw refused((error as Error).message, error);
  }
  if (text.length > largestRecord) throw refused(`its words have more than ${largestRecord} characters`);
  return text;
}

const recent = new Map<string, string>();

/** Host, session and agent: the same few in record after record. */
function named(text: string | undefined): string | undefined {
  if (!text) return text;
  const known = recent.get(text);
  if (known !== undefined) return known;
  const clean = redact(text, { formatsOnly: true }).text;
  if (recent.size >= 64) recent.clear();
  recent.set(text, clean);
  return clean;
}
