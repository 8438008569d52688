// Entry to the analysers of other languages' program text (python -c, awk '...', a script file that was read).
// Invariant: a text no analyser proves harmless ends in an `unknown` effect; nothing is dropped silently.
import type { Arg, Emit, Language } from "../tool.js";

type Analyser = (text: string, emit: Emit) => void;

const analysers: Partial<Record<Language, Analyser>> = {};

export function lowerProgram(text: Arg, language: Language, emit: Emit): void {
  if (text.value === undefined) return emit.unknown(`${language} program text is not static`);
  const analyse = analysers[language];
  if (!analyse) return emit.unknown(`no analyser for ${language} programs`);
  analyse(text.value, emit);
}
