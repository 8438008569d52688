// The rules of kits/math, phase by phase: what is refused and what passes, for file tools and shell alike.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  edit,
  kitOptions,
  type PhaseRow,
  phaseRows,
  phaseStage,
  startPhase,
  write,
} from "../../../../test/kits/phase-stage.js";
import { phaseFindings } from "../phase-snapshot.js";

const lean = `/-! No axiom is used here. -/
theorem add_comm' (a b : Nat) : a + b = b + a := by
  sorry

theorem two : 1 + 1 = 2 := by
  rfl
`;
const files = {
  "specs/foo.md": "# Foo\n",
  "DOMAIN_CONTEXT.md": "# Domain\n",
  "Foo/Basic.lean": lean,
  "lakefile.lean": "package foo\n",
  "CONSTRUCTION_LOG.md": "# Log\n",
};
const universal: PhaseRow[] = [
  { name: "lake clean", bash: "lake clean", refused: /compiled cache/ },
  { name: "lake clean in a row", bash: "cd . && lake -q clean && lake build", refused: /compiled cache/ },
  { name: "sudo", bash: "sudo lake build", refused: /rights/ },
  { name: "building", bash: "lake build 2>&1 | tail -40" },
];

const building: PhaseRow[] = [
  { name: "a raw build", bash: "lake build", refused: /with all its output/ },
  { name: "a raw build of one module", bash: "cd . && lake build Foo.Basic 2>&1", refused: /with all its output/ },
  { name: "a raw build in another shell", bash: 'timeout 600 bash -c "lake build"', refused: /with all its output/ },
  { name: "a raw build behind cat", bash: "lake build 2>&1 | cat", refused: /with all its output/ },
  { name: "a build into a log", bash: "lake build > /tmp/interlock-build.log 2>&1" },
  { name: "the end of a build", bash: "cd . && lake build 2>&1 | tail -40" },
  { name: "counting its errors", bash: "lake build 2>&1 | grep -c error" },
];

phaseRows({ kit: "math", phase: "survey", files }, [
  ...universal,
  { name: "defect 1.3: 2>&1", bash: "grep -rn add_comm .lake/packages 2>&1 | head" },
  { name: "reading", tool: "Read", input: { file_path: "Foo/Basic.lean" } },
  { name: "a scratch file outside the project", bash: "echo x > /tmp/interlock-notes.md" },
  { name: "a file", ...write("notes.md"), refused: /survey only reads/ },
  { name: "a redirection", bash: "echo x > notes.md", refused: /survey only reads/ },
  { name: "tee", bash: "echo x | tee notes.md", refused: /survey only reads/ },
]);

for (const phase of ["specify", "construct"])
  phaseRows({ kit: "math", phase, files }, [
    ...universal,
    { name: "a spec", ...write("specs/bar.md") },
    { name: "defect 1.3: a spec that says no axiom may be used", ...write("specs/bar.md", "No axiom, no admit.\n") },
    { name: "Lean", ...write("Foo/New.lean", "theorem a : p := sorry"), refused: /before formalize/ },
    {
      name: "defect 1.3: Lean through the shell",
      bash: "echo 'theorem a' > Foo/New.lean",
      refused: /before formalize/,
    },
    { name: "the cache", bash: "rm -rf .lake/build", refused: /\.lake/ },
  ]);

phaseRows({ kit: "math", phase: "formalize", files }, [
  ...universal,
  ...building,
  { name: "a statement", ...write("Foo/New.lean", "theorem a (n : Nat) : n = n := by\n  sorry\n") },
  { name: "a definition", ...write("Foo/New.lean", "def f (n : Nat) := n + 1\ntheorem a : f 0 = 1 := sorry\n") },
  { name: "a comment on axioms", ...write("Foo/New.lean", "-- no axiom\ntheorem a : p := by sorry\n") },
  {
    name: "a proof in one line",
    ...write("Foo/New.lean", "theorem a : p := by simp"),
    refused: /every proof is `sorry`/,
  },
  {
    name: "defect 1.3: a proof on the next line",
    ...write("Foo/New.lean", "theorem a : p := by\n  simp"),
    refused: /theorem a/,
  },
  { name: "defect 1.3: a term proof", ...write("Foo/New.lean", "theorem a : 1 = 1 := rfl"), refused: /theorem a/ },
  { name: "an axiom", ...write("Foo/New.lean", "axiom a : p"), refused: /"axiom"/ },
  { name: "a spec", ...edit("specs/foo.md", "Foo", "Bar"), refused: /specs are locked/ },
  { name: "the domain", ...edit("DOMAIN_CONTEXT.md", "Domain", "x"), refused: /DOMAIN_CONTEXT/ },
  {
    name: "Lean through the shell",
    bash: "cat > Foo/New.lean <<'E'\ntheorem a : p := by simp\nE",
    refused: /can't be compared/,
  },
]);

const prove: PhaseRow[] = [
  ...universal,
  ...building,
  { name: "a proof", ...edit("Foo/Basic.lean", "by\n  sorry", "by\n  exact Nat.add_comm a b") },
  { name: "a comment on axioms", ...edit("Foo/Basic.lean", "  sorry", "  -- needs no axiom\n  sorry") },
  { name: "a try in scratch", ...write("scratch/try.lean", "theorem x : p := by sorry") },
  { name: "an addition to the domain", ...edit("DOMAIN_CONTEXT.md", "# Domain\n", "# Domain\nring does not apply\n") },
  { name: "a revision request", ...write("REVISION.md", "restart_from: FORMALIZE\n") },
  { name: "the statement", ...edit("Foo/Basic.lean", "a + b = b + a", "a + b = a + b"), refused: /reads differently/ },
  {
    name: "defect 1.3: MultiEdit of a statement",
    tool: "MultiEdit",
    input: {
      file_path: "Foo/Basic.lean",
      edits: [
        { old_string: "  rfl", new_string: "  decide" },
        { old_string: "a + b = b + a", new_string: "True" },
      ],
    },
    refused: /theorem add_comm'/,
  },
  {
    name: "defect 1.3: an edit with sorry that restates",
    ...edit("Foo/Basic.lean", "a + b = b + a := by\n  sorry", "True := by\n  trivial"),
    refused: /theorem add_comm'/,
  },
  {
    name: "a new lemma",
    ...edit("Foo/Basic.lean", "theorem two", "theorem three : p := h\ntheorem two"),
    refused: /is new/,
  },
  {
    name: "a deleted theorem",
    ...write("Foo/Basic.lean", "theorem two : 1 + 1 = 2 := by\n  rfl\n"),
    refused: /is gone/,
  },
  { name: "one more sorry", ...edit("Foo/Basic.lean", "  rfl", "  sorry"), refused: /more `sorry`/ },
  { name: "native_decide", ...edit("Foo/Basic.lean", "  sorry", "  native_decide"), refused: /native_decide/ },
  { name: "admit", ...edit("Foo/Basic.lean", "  sorry", "  admit"), refused: /admit/ },
  { name: "a spec", ...edit("specs/foo.md", "Foo", "Bar"), refused: /locked/ },
  { name: "the domain rewritten", ...write("DOMAIN_CONTEXT.md", "# Other\n"), refused: /only added to/ },
  { name: "Lean through sed", bash: "sed -i 's/sorry/admit/' Foo/Basic.lean", refused: /can't be compared/ },
  { name: "git checkout of a file", bash: "git checkout HEAD -- specs/foo.md", refused: /locked/ },
];
phaseRows({ kit: "math", phase: "prove", files }, prove);
phaseRows(
  { kit: "math", phase: "prove", files, by: "variable" },
  prove.map((r) => ({ ...r, name: `MATH_PHASE alone: ${r.name}` })),
);

phaseRows({ kit: "math", phase: "polish", files }, [
  ...universal,
  { name: "a doc comment", ...edit("Foo/Basic.lean", "theorem two", "/-- Arithmetic. -/\ntheorem two") },
  { name: "layout", ...edit("Foo/Basic.lean", "(a b : Nat) : a", "(a b : Nat) :\n    a") },
  { name: "a statement", ...edit("Foo/Basic.lean", "1 + 1 = 2", "2 = 2"), refused: /theorem two/ },
  { name: "a proof", ...edit("Foo/Basic.lean", "  rfl", "  decide"), refused: /the proof of theorem two/ },
  { name: "a spec", ...edit("specs/foo.md", "Foo", "Bar"), refused: /locked/ },
]);

phaseRows({ kit: "math", phase: "audit", files }, [
  ...universal,
  {
    name: "defect 1.3: a report that counts axioms",
    ...edit("CONSTRUCTION_LOG.md", "# Log", "# Log\naxiom: 0, admit: 0, see specs/foo.md"),
  },
  { name: "a revision request", bash: "echo 'restart_from: CONSTRUCT' > REVISION.md" },
  { name: "Lean", ...edit("Foo/Basic.lean", "sorry", "rfl"), refused: /audit writes/ },
  { name: "defect 1.3: Lean through the shell", bash: "echo x >> Foo/Basic.lean", refused: /audit writes/ },
  { name: "a spec", ...write("specs/foo.md"), refused: /audit writes/ },
]);

phaseRows({ kit: "math", phase: "log", files }, [
  ...universal,
  { name: "defect 1.3: git checkout -b", bash: "git checkout -b math/foo" },
  { name: "the lists", ...write("CONSTRUCTIONS.md") },
  { name: "an axiom", ...write("Foo/New.lean", "axiom a : p"), refused: /axiom/ },
]);

test("kits/math: what a program did to the declarations is found at the end of the phase", (t) => {
  const made = phaseStage(t, { kit: "math", phase: "prove", files });
  const record = startPhase(made, { kit: "math", phase: "prove" });
  const put = (text: string) => writeFileSync(join(made.root, "Foo/Basic.lean"), text);
  const rules = () => phaseFindings(made.root, record, kitOptions).map((f) => f.rule);
  put(lean.replace("  sorry", "  exact Nat.add_comm a b"));
  assert.deepEqual(rules(), []);
  put(lean.replace("a + b = b + a", "True"));
  assert.deepEqual(rules(), ["same-declarations"]);
  put(lean.replace("  rfl", "  sorry"));
  assert.deepEqual(rules(), ["sorry-count"]);
  put(lean.replace("  rfl", "  native_decide"));
  assert.deepEqual(rules(), ["no-new-axioms"]);
});
