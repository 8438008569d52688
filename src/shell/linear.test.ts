// Cost grows with the text, not with its square: growth ratios on hostile and on merely long commands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "./index.js";
import { project } from "./testing.js";

const repeat = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join("");

/** Text by size; the largest is what the issue names or what fits into the length cap. */
const families: Record<string, { build: (size: number) => string; size: number }> = {
  "open substitutions": { build: (size) => "$(".repeat(size), size: 100_000 },
  "open subshells": { build: (size) => "(".repeat(size), size: 100_000 },
  "open braces": { build: (size) => `echo ${"{a,".repeat(size)}`, size: 80_000 },
  backticks: { build: (size) => "`".repeat(size), size: 100_000 },
  "one long word": { build: (size) => `echo ${"a".repeat(size)}`, size: 1_000_000 },
  "a long quoted text": { build: (size) => `echo "${"a $x ".repeat(size)}"`, size: 40_000 },
  segments: { build: (size) => "echo a; ".repeat(size), size: 10_000 },
  "and-chains": { build: (size) => `true${" && rm a".repeat(size)}`, size: 10_000 },
  pipelines: { build: (size) => `cat a${" | grep x".repeat(size)}`, size: 5_000 },
  "here-documents": {
    build: (size) => repeat(size, (index) => `cat <<E${index} > f${index}\nx $y\nE${index}\n`),
    size: 1_000,
  },
  "here-documents on one line": {
    build: (size) => `${repeat(size, (index) => `cat <<E${index};`)}\n${repeat(size, (index) => `x\nE${index}\n`)}`,
    size: 1_000,
  },
  subshells: { build: (size) => "(cd a; x=1); ".repeat(size), size: 8_000 },
  assignments: { build: (size) => repeat(size, (index) => `v${index}=a; `), size: 10_000 },
  exports: { build: (size) => repeat(size, (index) => `export v${index}=a; ls; `), size: 5_000 },
  comments: { build: (size) => "ls # it's a#b\n".repeat(size), size: 8_000 },
  "function calls": { build: (size) => `f() { rm $1; }; ${"f a; ".repeat(size)}`, size: 10_000 },
  "an arithmetic sum": { build: (size) => `echo $((${"1+".repeat(size)}1))`, size: 50_000 },
  "growing text": { build: (size) => `x=a; ${"x=$x$x; ".repeat(size)} rm $x`, size: 5_000 },
  "nested loops": {
    build: (size) => `${"for i in a b c d e f g h; do ".repeat(6)}${"rm $i; ".repeat(size)}${"done; ".repeat(6)}`,
    size: 100,
  },
  "assignments in Python": { build: (size) => `python3 -c '${"a=".repeat(size)}1'`, size: 40_000 },
  "calls in Python": { build: (size) => `python3 -c '${"f(".repeat(150)}${"a(1);".repeat(size)}'`, size: 8_000 },
  "words in Perl": { build: (size) => `perl -e '${"a ".repeat(size)}'`, size: 40_000 },
  "words in Ruby": { build: (size) => `ruby -e '${"a: ".repeat(size)}'`, size: 30_000 },
  "assignments in JavaScript": { build: (size) => `node -e '${"a=".repeat(size)}1'`, size: 40_000 },
  "commands in sed": { build: (size) => `sed '${"s/a/b/;".repeat(size)}' f`, size: 8_000 },
  "statements in awk": { build: (size) => `awk '{${"print $1;".repeat(size)}}' f`, size: 8_000 },
  "commands in PowerShell": { build: (size) => `pwsh -c '${"a | rm $x.y; ".repeat(size)}'`, size: 4_000 },
  "open blocks in PowerShell": { build: (size) => `pwsh -c '${"@{".repeat(size)}'`, size: 40_000 },
  "open substitutions in PowerShell": { build: (size) => `pwsh -c '${'"$('.repeat(size)}'`, size: 30_000 },
  "loops in Python": { build: (size) => `python3 -c '${"for f in g(a): open(f)\n".repeat(size)}'`, size: 3_000 },
  "chained calls in Ruby": { build: (size) => `ruby -e '${"a.each(b).each(c){|d| e};".repeat(size)}'`, size: 2_000 },
  "loops over patterns": { build: (size) => 'for f in *; do rm "$f"; done; '.repeat(size), size: 2_000 },
  mounts: { build: (size) => `docker run ${"-v /a:/b ".repeat(size)} x rm -rf /b/c`, size: 4_000 },
  conditionals: { build: (size) => "if a; then x=1; else x=2; fi; ".repeat(size), size: 4_000 },
};

/** Processor time in microseconds: other work on the machine does not count. */
const cost = (text: string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    analyse(text, project);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  return least;
};

for (const [name, { build, size }] of Object.entries(families))
  test(`${name}: eight times the text costs far less than 64 times`, () => {
    const small = build(size / 8);
    const large = build(size);
    cost(small);
    // Garbage collection can spoil one measurement, not four in a row; below half a millisecond it is all noise.
    const ratios: number[] = [];
    do ratios.push(cost(large) / Math.max(cost(small), 500));
    while (ratios.length < 4 && ratios.at(-1)! >= 30);
    assert.ok(
      Math.min(...ratios) < 30,
      `${size / 8} -> ${size}: ${ratios.map((ratio) => ratio.toFixed(1)).join(", ")} times the cost`,
    );
  });

test("10,000 segments and 1,000 here-documents are really analysed", () => {
  const segments = analyse(`${"echo a; ".repeat(10_000)}rm last`, project);
  assert.ok(segments.parsed && segments.effects.some((effect) => effect.path === "/p/last"));
  const documents = analyse(families["here-documents"]!.build(1_000), project);
  assert.equal(documents.effects.filter((effect) => effect.kind === "write").length, 1_000);
});

test("what is too long, too deep or too much ends in unknown, never in nothing", () => {
  for (const text of [
    "$(".repeat(100_000),
    `echo ${"a".repeat(1_000_000)}; rm x`,
    families["nested loops"]!.build(100),
  ]) {
    const { effects } = analyse(text, project);
    assert.ok(effects.length > 0, text.slice(0, 40));
  }
});
