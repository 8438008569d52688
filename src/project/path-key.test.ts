// The comparison key: what any file system folds together is one key, what none does stays apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonKey } from "./path-key.js";

const same: [string, string][] = [
  ["/p/.CLAUDE/Settings.JSON", "/p/.claude/settings.json"],
  ["/p//.claude/./settings.json/", "/p/.claude/settings.json"],
  ["/p/x/../.claude/settings.json", "/p/.claude/settings.json"],
  ["/p/.claude\\settings.json", "/p/.claude/settings.json"],
  ["/p/.cla\u200cude/settings.json", "/p/.claude/settings.json"],
  ["/p/.claude\u202e/settings\ufeff.json", "/p/.claude/settings.json"],
  ["/p/.claude/\u00adsettings.json\n", "/p/.claude/settings.json"],
  ["/p/.claude./settings.json. .", "/p/.claude/settings.json"],
  ["/p/.claude / settings.json ", "/p/.claude/settings.json"],
  ["/p/.claude/settings.json::$DATA", "/p/.claude/settings.json"],
  ["/p/.claude::$INDEX_ALLOCATION/settings.json", "/p/.claude/settings.json"],
  ["/p/.claude/\u017fettings.json", "/p/.claude/settings.json"],
  ["/p/.git/hoo\u212as/x", "/p/.git/hooks/x"],
  ["/p/GIT~1/hooks/x", "/p/.git/hooks/x"],
  ["/p/CLAUDE~1/SETTIN~1.JSO", "/p/.claude/settings.json"],
  ["/p/\uff0eclaude\uff0fsettings.json", "/p/.claude/settings.json"],
  ["/jos\u0065\u0301/x", "/josé/x"],
  ["/stra\u00dfe/x", "/STRASSE/x"],
];
for (const [a, b] of same)
  test(`${JSON.stringify(a)} and ${b} are one`, () => assert.equal(comparisonKey(a), comparisonKey(b)));

const apart: [string, string][] = [
  ["/p/settings.json", "/p/settings.jsonc"],
  ["/p/.claude-notes.md", "/p/.claude/notes.md"],
  ["/p/claude/settings.json", "/p/.claude/settings.json"],
  ["/p/gitignore~1x", "/p/.git"],
  ["/a/b", "a/b"],
  ["/p/vue.config.ts", "/p/vueconfig.ts"],
];
for (const [a, b] of apart)
  test(`${JSON.stringify(a)} and ${b} stay apart`, () => assert.notEqual(comparisonKey(a), comparisonKey(b)));
