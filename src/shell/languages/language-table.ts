// Table tests for language analysers: a program in, its effects as short strings out.
// Invariant: shares the recorder of the tool tables, so both speak the same shorthand.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { recorder } from "../tools/tool-table.js";
import { analyzeProgram } from "./index.js";

export function programs(language: Language, rows: readonly (readonly [string, readonly string[]])[]): void {
  for (const [text, expected] of rows)
    test(`${language}: ${text.replaceAll("\n", "\\n")}`, () => {
      const lines: string[] = [];
      analyzeProgram(literal(text), language, recorder(lines));
      assert.deepEqual(lines.sort(), [...expected].sort());
    });
}
