// Runs mutated shell texts with the real bash and an empty search path.
// Every program bash tries to start must be named in the analysis, unless the text is unparsed or unknown.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { analyse } from "../../src/shell/index.js";

const rounds = process.env["INTERLOCK_NIGHTLY"] ? 10_000 : 1_000;
const place = mkdtempSync(join(tmpdir(), "interlock-fuzz-"));
after(() => rmSync(place, { recursive: true, force: true }));

const seeds = [
  "aa b c",
  "aa 'x y' \"z $(bb q)\" | cc",
  "aa && bb || cc; dd & ee",
  "( aa; bb ) | { cc; dd; }",
  "if aa; then bb; elif cc; then dd; else ee; fi",
  "for i in 1 2; do aa $i; bb; done",
  "while aa; do bb; break; done",
  "case x in x) aa;; y|z) bb;; *) cc;; esac",
  'f() { aa "$1"; }; f x; bb',
  "function g { aa; }; g",
  "aa <<E\nq $(bb) `cc`\nE\ndd",
  "aa <<'E'\nq $(bb)\nE\ndd",
  "aa <<-E\n\tx\n\tE\nbb",
  'aa <<< "$(bb)"',
  "x=$(aa) y=`bb` cc $x",
  'a=(1 $(aa) 3); bb "${a[@]}"',
  "echo ${x:-$(aa)} ${y:=`bb`} ${z:+$(cc)}",
  "[[ -n $(aa) && x == $(bb) ]] && cc",
  "(( 1 + 1 )) && aa",
  "aa <(bb) >(cc)",
  "eval 'aa; bb'",
  "trap 'aa' EXIT",
  "x=aa; $x b",
  "x='aa b'; $x; \"$x\"",
  "{aa,bb} c",
  "! aa; time bb",
  "aa 2>&1 >/dev/null | bb",
  "command aa; builtin echo x; exec bb",
  "coproc aa; wait",
  "declare x=$(aa); export z=$(cc)",
  "echo \"a\\\"$(aa)\\\"\" 'b' $'c\\'d' ; bb",
  "aa # comment",
  "aa#b; bb",
  "\\aa; 'bb'; \"cc\"; d\"d\"; $'ee'",
  "aa \\\n b; cc",
  "x[1]=$(aa); bb",
  "echo ${x[$(aa)]}",
  "set -- $(aa); bb",
  "source <(echo aa)",
  "echo aa | while read l; do bb; done",
  "for ((i=0;i<1;i++)); do aa; done",
  "echo ${#x} ${x#*y} ${x%%$(aa)} ${x/a/$(bb)}",
  "f() ( aa ); f; unset -f f; f",
  "aa() { :; }; aa; bb",
  "a=b aa; c=d e=f bb g",
  ">x aa; 2>y bb z",
  'x="$(aa "$(bb)" `cc`)"',
  "cat <<A <<B\n$(aa)\nA\n$(bb)\nB\ncc",
];
const tokens = [
  "; & | && || ( ) {  } $( ` \" ' \\ # < > >> << <<< <( >( $(( )) [[ ]] ! = $ ${ } * ? [ ]",
  "aa bb do done if then fi in esac 2>&1 >& &> - 2>&- $x $' x= += @ %",
]
  .join(" ")
  .split(" ");

/** A small generator of our own, so that a failing round can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

function mutate(below: (limit: number) => number): string {
  const seed = () => seeds[below(seeds.length)]!;
  let text = seed();
  for (let count = 1 + below(3); count > 0; count--) {
    const at = below(text.length + 1);
    const kind = below(4);
    if (kind === 0) text = text.slice(0, at) + tokens[below(tokens.length)]! + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + below(3));
    else if (kind === 2) text += [";", "\n", "|", "&&"][below(4)]! + seed();
    else text = text.slice(0, at) + seed().slice(0, below(12)) + text.slice(at);
  }
  return text;
}

/** The programs bash tried to start. Nothing real can be started: the search path is empty and paths are kept out. */
function started(text: string, round: number): string[] {
  const directory = join(place, String(round));
  const log = join(place, `${round}.log`);
  mkdirSync(directory);
  const setup = [
    "kill() { :; }",
    `command_not_found_handle() { builtin printf '%s\\0' "$1" >> "$LOG"; }`,
    "ulimit -t 1 -f 1000; PATH=/nonexistent",
    'builtin cd "$DIRECTORY"; builtin eval "$TEXT"',
  ].join("; ");
  spawnSync("bash", ["--norc", "-c", setup], {
    env: { TEXT: text, LOG: log, DIRECTORY: directory },
    input: "",
    stdio: ["pipe", "ignore", "ignore"],
    timeout: 4_000,
    killSignal: "SIGKILL",
  });
  const names = existsSync(log) ? readFileSync(log, "utf8").split("\0") : [];
  return [...new Set(names.filter((name) => name !== "" && !/[~/]/.test(name)))];
}

test(`${rounds} mutated texts: bash starts only programs the analysis named`, (context) => {
  if (spawnSync("bash", ["--version"]).status !== 0) return context.skip("no bash here");
  const below = random(20_261_115);
  const missed: string[] = [];
  let compared = 0;
  for (let round = 0; round < rounds; round++) {
    const text = mutate(below);
    if (/\/(?!dev\/null)/.test(text)) continue;
    const { parsed, effects, commands } = analyse(text, { cwd: place, env: {} });
    const follows = !effects.some((effect) => effect.kind === "unknown" && !effect.reason.startsWith("no table knows"));
    if (!parsed || !follows) continue;
    const named = new Set(commands.map((command) => command.program));
    const hidden = started(text, round).filter((name) => !named.has(name) && !named.has(name.replace(/^=/, "")));
    if (hidden.length) missed.push(`${JSON.stringify(text)} starts ${hidden.join(", ")}`);
    compared++;
  }
  assert.deepEqual(missed.slice(0, 20), []);
  assert.ok(compared > rounds / 4, `only ${compared} texts could be compared`);
});
