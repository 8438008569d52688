// Entry to the analysers of other languages' program text (python -c, awk '...', a script file that was read).
// Invariant: a text no analyser proves harmless ends in an `unknown` effect; nothing is dropped silently.
import type { Arg, Emit, Language } from "../analyze/tool.js";
import { longestText } from "../longest-text.js";
import { awk } from "./awk.js";
import { loose } from "./fallback.js";
import { applescript, lua, r } from "./lua-r-applescript.js";
import { node } from "./node.js";
import { perl } from "./perl.js";
import { php } from "./php.js";
import { powershell } from "./powershell.js";
import { python } from "./python.js";
import { ruby } from "./ruby.js";
import { sed } from "./sed.js";

type Analyser = (text: string, emit: Emit) => void;

const analysers: Record<Language, Analyser> = {
  awk,
  sed,
  python,
  node,
  ruby,
  perl,
  php,
  lua,
  r,
  applescript,
  powershell: (text, emit) => powershell(text, emit),
  loose,
};

export function analyzeProgram(text: Arg, language: Language, emit: Emit): void {
  if (text.value === undefined) return emit.unknown(`${language} program text is not static`);
  if (text.value.length > longestText) return emit.tooMuch(`the ${language} program is too long to be read`);
  analysers[language](text.value, emit);
}
