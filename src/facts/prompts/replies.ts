// Replies that carry no request of their own, in every language: a yes, thanks, "continue".
// Invariant: the whole prompt has to be such replies; a yes answers what was proposed, the others answer nothing.
import { english } from "./languages/en.js";
import { phrasesOf } from "./other-languages.js";

const yes = new Set([...english.yes!, ...phrasesOf("yes")]);
const replies = new Set([...english.replies!, ...phrasesOf("replies")]);
const courtesies = new Set([...english.courtesies!, ...phrasesOf("courtesies")]);

const maxWordsOfReply = 5;
const maxWords = 10;

/** Whether a bare prompt (lower case, no punctuation) is only replies, and whether they amount to a yes. */
export function acknowledgement(bare: string): "yes" | "other" | undefined {
  const words = bare.split(" ");
  if (!bare || words.length > maxWords) return undefined;
  let agreed = true;
  for (let i = 0; i < words.length; ) {
    let n = Math.min(maxWordsOfReply, words.length - i);
    while (n && !yes.has(words.slice(i, i + n).join(" ")) && !replies.has(words.slice(i, i + n).join(" "))) n--;
    if (!n) return undefined;
    const said = words.slice(i, i + n).join(" ");
    agreed &&= yes.has(said) || (i > 0 && courtesies.has(said));
    i += n;
  }
  return agreed ? "yes" : "other";
}
