// Whether an answer holds something: not blank, not an empty list, not a sentence that says there is nothing.
// Invariant: pure over the outcome.
import { alternatives, lazyRegExp } from "../../../facts/lazy-pattern.js";
import type { Event } from "../../../model/event.js";
import { isObject, type JsonObject } from "../../../model/json.js";

const things =
  "results?|matches|files|documents?|entries|data|content|issues|repositories|libraries|library|pages?|hits|links" +
  "|items" +
  "|sources|packages?|modules?|articles?|answers?|snippets?|examples?|topics?|records?|documentation|docs|information" +
  "|anything|something|repos?|commits|code|records|papers|posts|questions|discussions|threads|symbols?|references";
const nothing = lazyRegExp(
  () =>
    new RegExp(
      [
        String.raw`^\W*(?:(?:sorry|unfortunately)\W+)?(?:i|we|there|the (?:search|query|request|server|tool)|your`,
        String.raw` (?:search|query))?\s*(?:could|did|do|does|can|was|were|are|is|have|has|returned|found|yielded`,
        String.raw`|produced|matched)?\s*(?:not|n't|unable to|no|nothing|zero|0|none)\b.{0,160}$`,
      ].join(""),
      "i",
    ),
);
const nothingFound = lazyRegExp(() =>
  alternatives(
    [
      String.raw`\b(?:no|zero|0)\s+(?:[\w'"/@.-]+\s+){0,3}(?:${things})\b`,
      String.raw`\b(?:not|n't)\b[^.]{0,30}\bany\s+(?:[\w-]+\s+){0,2}(?:${things})\b`,
      String.raw`\bnothing\b|\bnot (?:been )?(?:able to )?find\b|couldn't find|could not (?:find|locate|be found)`,
      String.raw`\bunable to (?:find|locate)|n't able to (?:find|locate)|not able to locate`,
      String.raw`\bempty (?:results?|list|set|response)\b`,
      String.raw`cannot find|can't find|not found|no matching|none\b`,
    ],
    "i",
  ),
);
const refusedAnswer =
  /^\W*(?:not found|none|null|undefined|(?:error|access denied|forbidden|404|403|401|unauthori[sz]ed).*)\W*$/i;

/** One sentence whose point is that there is nothing. */
const oneSentence = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^[^.!?\n]{0,100}\b(?:(?:was|were|is|are|could|can) ?not (?:be )?(?:found|located|available)` +
        String.raw`|returned (?:an? )?(?:empty|no|zero)\b[^.!?]{0,40}|\(empty\b[^)]{0,60}\))\W*$`,
      "i",
    ),
);

/** A short answer that only says that there is nothing. */
const saysNothing = (text: string): boolean =>
  refusedAnswer.test(text) ||
  oneSentence().test(text) ||
  (nothingFound().test(text.slice(0, 160)) && (nothing().test(text) || nothingFound().exec(text)!.index < 20));

/** Whether a successful call returned something: not blank, not an empty list, not "no results". */
export function hasContent({ outcome }: Event, local: boolean): boolean {
  const text = outcome?.text.trim() ?? "";
  // An HTTP error page is no content.
  if (isObject(outcome?.response) && Number(outcome.response["code"]) >= 400) return false;
  if (text.length < (local ? 1 : 20)) return false;
  if (text.length < 300 && saysNothing(text.replace(/\s+/g, " "))) return false;
  return !/^[[{]/.test(text) || text.length > 5000 || !hollow(text);
}

function hollow(text: string): boolean {
  try {
    return hollowValue(JSON.parse(text) as JsonObject);
  } catch {
    // Not JSON after all, so it is text.
    return false;
  }
}

const hollowValue = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(hollowValue);
  if (isObject(value as JsonObject)) {
    const entries = Object.entries(value as JsonObject);
    const lists = entries.filter(([, v]) => Array.isArray(v));
    return lists.length ? lists.every(([, v]) => hollowValue(v)) : entries.every(([, v]) => hollowValue(v));
  }
  return value === null || value === "" || value === 0 || value === false;
};
