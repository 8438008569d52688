// What one language contributes to the reading of prompts.
// Invariant: data only. Strings are alternatives of a regular expression, matched against lower-case text.
import type { PromptKind } from "../kind.js";

export interface PromptLanguage {
  /** BCP 47. */
  tag: string;
  /** Stems of verbs that ask for a change, at the start of a word. */
  change?: readonly string[];
  /** The same for scripts that put no spaces between words, or mix with English: anywhere in the sentence. */
  changeAnywhere?: readonly string[];
  /** "Can you", as whole words: what follows is asked for, unless it is an explanation. */
  canYou?: readonly string[];
  canYouAnywhere?: readonly string[];
  /** Verbs that ask for an explanation, not for a change. */
  explain?: readonly string[];
  /** Words a question starts with. */
  questionWords?: readonly string[];
  /** The same where no space follows. */
  questionStarts?: readonly string[];
  /** What makes a question wherever it stands. */
  questionAnywhere?: readonly string[];
  please?: readonly string[];
  /** "The whole ...": it makes a task big. */
  whole?: readonly string[];
  wholeAnywhere?: readonly string[];
  /** "Change nothing". `{except}` stands for: not followed by one of the `except` words of any language. */
  changeNothing?: readonly string[];
  /** "Else", "but", "in": nothing else, and nothing in one place, is not nothing. */
  except?: readonly string[];
  /** "Also", "now", "this": the prompt goes on with the task at hand. */
  followsOn?: readonly string[];
  followsOnAnywhere?: readonly string[];
  /** "New task". */
  newTask?: readonly string[];
  /** Whole replies that mean yes, without punctuation. */
  yes?: readonly string[];
  /** Whole replies that ask for nothing. */
  replies?: readonly string[];
  /** Replies that may follow a yes without changing it. */
  courtesies?: readonly string[];
  /** "Then commit": words in front of the verb, and its forms. */
  commit?: {
    after?: readonly string[];
    verbs?: readonly string[];
    afterAnywhere?: readonly string[];
    verbsAnywhere?: readonly string[];
    anywhere?: readonly string[];
    /** A prompt without one of these is not searched. */
    hints?: readonly string[];
  };
  push?: { after?: readonly string[]; verbs?: readonly string[] };
  /** Plain ASCII words, separated by spaces: a plain prompt without any of them is not searched for the pattern. */
  plainWords?: Partial<Record<HintedPattern, string>>;
}

export type HintedPattern = "canYou" | "whole" | "changeNothing" | "followsOn" | "newTask";

/** Prompts with what they must be read as. They are the language's test. */
export type LanguageExamples = Partial<Record<PromptKind | "commit" | "follows" | "newTask", readonly string[]>>;
