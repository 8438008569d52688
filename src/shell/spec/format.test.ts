// The notation: every tool's text can be read, and a wrong text is refused with the place and the reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { families } from "../tools/index.js";
import { table } from "../tools/tool-table.js";
import { SpecError } from "./format.js";
import { type SpecFamily, tools } from "./interpret.js";

test("every tool's text can be read", () => {
  const specs = families.filter((family): family is SpecFamily => "spec" in family);
  assert.ok(specs.length >= 30, `${specs.length} tools`);
  const problems = specs.flatMap((family) => {
    try {
      family.spec();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  assert.deepEqual(problems, []);
});

const wrong: [string, string, RegExp][] = [
  ["no otherwise", "tool x\n  a : quiet", /^f, tool x, line 2: there is no line `otherwise`/],
  ["two of them", "tool x\n  otherwise quiet\n  otherwise quiet", /line 3: there are two lines/],
  ["no such hazard", "tool x\n  otherwise !no-such", /line 2: no hazard of the catalogue is called "no-such"/],
  ["no such code", "tool x\n  otherwise do that", /no code is called "that"/],
  ["no such effect", "tool x\n  otherwise erase rest", /no effect is called "erase"/],
  ["no such role", "tool x\n  options o=paint\n  otherwise quiet", /option o=paint: no role and no code/],
  ["no such style", "tool x\n  style loud\n  otherwise quiet", /no style is called "loud"/],
  ["no such target", "tool x\n  otherwise read second", /"second" names nothing/],
  ["an option that is not listed", "tool x\n  otherwise write --o", /--o, which is not among the options/],
  ["a flag with a value", "tool x\n  options u\n  --u=0 : quiet\n  otherwise quiet", /--u, which takes no argument/],
  ["an option listed twice", "tool x\n  options a|b=\n  dry b\n  otherwise quiet", /the option b is listed twice/],
  ["a word too much", "tool x\n  otherwise quiet now", /"now" has no meaning here/],
  ["no such placeholder", "tool x\n  otherwise !mkfs({verb})", /"\{verb\}" is no placeholder/],
  ["a sub-command behind an option", "tool x\n  --a b : quiet\n  otherwise quiet", /sub-commands come first/],
  ["a negated sub-command", "tool x\n  !a : quiet\n  otherwise quiet", /can be negated/],
  ["no rule", "tool x\n  list quiet\n  otherwise quiet", /is no rule/],
];
for (const [what, text, message] of wrong)
  test(`refused: ${what}`, () => {
    assert.throws(
      () => {
        for (const family of tools("f", text)) family.spec();
      },
      (error: Error) => error instanceof SpecError && message.test(error.message),
    );
  });

test("a text in front of the first tool is refused", () =>
  assert.throws(() => tools("f", "  options a"), /f, line 1: .* in front of the first tool/));

test("a tool's lines are not looked into before it is used", () => {
  const [good, bad] = tools("f", "tool good\n  otherwise quiet\ntool bad\n  nonsense");
  assert.deepEqual([good!.names, bad!.names], [["good"], ["bad"]]);
  assert.throws(() => bad!.spec(), SpecError);
});

const sample = tools(
  "sample",
  `
tool one two{,.sh} three
  options o|output=write i|input=read:use e|eval=shell n= u|uid= all keep=? t|target-directory=
  dry dry-run=?
  drop|purge --all : !backup-remove-all({path})
  drop|purge       : !backup-remove({name}-{1})
  copy #2+         : read others, write last
  copy             : unknown "one name only"
  set --uid=0|00   : !user-account-open
  set --uid        : !user-account
  clean ~/dev/*    : !wipefs
  clean !~*.keep   : delete rest tree
  list or show *   : quiet
  @three fetch     : network first "fetches", write . all
  send <           : upload first
  put              : read sources, write landing
  otherwise unknown
tool runner
  style posix
  options d|dir= u|user=
  --user : privilege --user, run rest
  otherwise run 2+ in --dir assigns
tool slashes
  style slash
  options s q log=write tn=
  --s : delete rest tree
  otherwise delete rest
tool manager
  style command
  options o|output=write
  #0 : exec
  version #1 : write ./v
  run : run rest
  otherwise unknown
`,
);
table("notation", sample, [
  ["one drop a", ["!infrastructure:2:one-drop"]],
  ["two.sh purge a", ["!infrastructure:2:two-purge"]],
  ["one drop --all", ["!infrastructure:3:one-drop"]],
  ["one --dry-run drop a", []],
  ["one --dry-run=none drop a", ["!infrastructure:2:one-drop"]],
  ["one copy a b c", ["read a", "read b", "write c"]],
  ["one copy a", ["unknown"]],
  ["one copy a -o b c", ["read a", "write b", "write c"]],
  ["one set -u 0", ["!system:3:user-account"]],
  ["one set -u0", ["!system:3:user-account"]],
  ["one set --uid 7", ["!system:2:user-account"]],
  ["one set -u $X", ["!system:2:user-account"]],
  ["one clean /dev/sda", ["!disk:3:wipefs"]],
  ["one clean a", ["delete a recursive"]],
  ["one clean a.keep", ["unknown"]],
  ["one list", []],
  ["one show x", []],
  ["one show", ["unknown"]],
  ["one frob", ["unknown"]],
  ["one $X", ["unknown"]],
  ["one list -e 'rm a'", ["shell rm a"]],
  ["one list -i -", []],
  ["one", []],
  ["one help", []],
  ["one drop --help", []],
  ["three fetch h", ["network h", "write . recursive"]],
  ["one fetch h", ["unknown"]],
  ["one send h", ["network h upload"], { stdin: { kind: "pipe" } }],
  ["one send h", ["unknown"]],
  ["one put a b/", ["read a", "write b/a"]],
  ["one put a b", ["read a", "write b"]],
  ["one put a x/b d", ["read a", "read x/b", "write d/a", "write d/b"]],
  ["one put -t d a", ["read a", "write d/a"]],
  ["one put x/a", ["write a"]],
  ["slashes /S /q a /etc", ["delete a recursive", "delete /etc recursive"]],
  ["slashes /log:out /TN name a", ["write out", "delete a"]],
  ["one -n drop list", []],
  ["one --zzz drop list", ["!infrastructure:2:one-drop"]],
  ["one --zzz 5s drop list", ["!infrastructure:2:one-drop", "unknown"]],
  ["one --zzz 5s -y 6 drop list", ["!infrastructure:2:one-drop", "unknown"]],
  ["one --zzz=5s drop list", ["!infrastructure:2:one-drop"]],
  ["runner 5 A=b rm x", ["run rm x"]],
  ["runner -d e 5 rm x --help", ["run rm x --help in e"]],
  ["manager run -o a rm -o b", ["write a", "run rm -o b"]],
  ["manager -o a run -- rm -o b", ["write a", "run rm -o b"]],
  ["manager", ["exec manager"]],
  ["manager help", []],
  ["manager version 2", ["write v"]],
  ["manager add x", ["unknown"]],
  ["runner -u me rm x", ["privilege runner", "run rm x"]],
]);
