// Declarations are found and compared without being fooled by comments, strings and layout.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bareLean, leanDeclarations, leanFacts, newAxiom, provedDeclaration, restated } from "./lean-source.js";

const sample = `/-- An axiom in a comment, /- nested -/ admit -/
theorem add_zero' (n : Nat) : n + 0 = n := by
  sorry -- native_decide

lemma two (h : a := b) :
    1 + 1 = 2 := rfl
def name := "axiom \\" unsafe"
structure Point where
  x : Nat
instance : Inhabited Point where
  default := ⟨0⟩
`;

test("names, statements and proofs", () => {
  assert.deepEqual(
    leanDeclarations(sample).map((d) => [d.name, d.body]),
    [
      ["theorem add_zero'", ":= by sorry"],
      ["lemma two", ":= rfl"],
      ["def name", ':= ""'],
      ["structure Point", ""],
      ["instance _", "where default:= ⟨0⟩".replace(" ⟨", "⟨")],
    ],
  );
  assert.equal(leanFacts(sample).sorries, 1);
  assert.equal(leanFacts(sample).axioms, 0);
  assert.ok(!bareLean(sample).includes("nested"));
});

const rows: [what: string, before: string, after: string, found: RegExp | undefined][] = [
  ["a proof changes", "theorem a : p := by sorry", "theorem a : p := by simp", undefined],
  ["layout changes", "theorem a : p := by sorry", "theorem a :\n    p := by\n  exact h", undefined],
  [
    "the statement changes",
    "theorem a : p := by sorry",
    "theorem a : True := by trivial",
    /theorem a is gone or reads/,
  ],
  ["a hypothesis is added", "theorem a : p := sorry", "theorem a (h : False) : p := h.elim", /reads differently/],
  ["renamed", "theorem a : p := sorry", "theorem b : p := h", /theorem a is gone/],
  ["a new lemma", "theorem a : p := sorry", "theorem a : p := h\nlemma x : q := k", /lemma x is new/],
  [
    "a variable is put before it",
    "theorem a : p := sorry",
    "variable (h : p)\ntheorem a : p := h",
    /reads differently/,
  ],
  [
    "a variable moves",
    "section\nvariable (h : p)\nend\ntheorem a : p := sorry",
    "section\nend\nvariable (h : p)\ntheorem a : p := h",
    /reads differently/,
  ],
  [
    "a notation",
    "theorem a : 1 = 2 := sorry",
    'notation "1 = 2" => True\ntheorem a : 1 = 2 := trivial',
    /reads differently/,
  ],
  [
    "an import, an open and an option",
    "theorem a : p := sorry",
    "import X\nopen Nat\nset_option maxHeartbeats 9 in\ntheorem a : p := h",
    undefined,
  ],
  [
    "an option after a structure",
    "structure S where\n  x : Nat\ntheorem a : p := sorry",
    "structure S where\n  x : Nat\nset_option x 9 in\ntheorem a : p := h",
    undefined,
  ],
  ["a field of a structure", "structure S where\n  x : Nat", "structure S where\n  x : Int", /structure S/],
];
for (const [what, before, after, found] of rows)
  test(`compared: ${what}`, () => {
    const said = restated(leanFacts(before).statements, leanFacts(after).statements);
    if (found) assert.match(said ?? "nothing", found);
    else assert.equal(said, undefined);
  });

test("new axioms count outside comments and strings only", () => {
  assert.equal(newAxiom("", "axiom choice : p"), "axiom");
  assert.equal(newAxiom("", "theorem a : p := by native_decide"), "native_decide");
  assert.equal(newAxiom("", "-- no axiom, no admit\n/- unsafe -/"), undefined);
  assert.equal(newAxiom("", 'def s := "axiom"'), undefined);
  assert.equal(newAxiom("axiom a : p", "axiom a : p\n-- more"), undefined);
  assert.equal(newAxiom("", "theorem axiom_of_choice' : p := by sorry"), undefined);
  assert.equal(newAxiom("", "theorem t : p := by\n  admit"), "admit");
  assert.equal(newAxiom("", "theorem t : p := sorryAx _ true"), "sorryAx");
  assert.equal(newAxiom("", "theorem t : p := by decide +native"), "decide +native");
  assert.equal(newAxiom("", "set_option debug.skipKernelTC true"), "skipKernelTC");
});

test("a proof on the next line and a term proof are proofs", () => {
  assert.equal(provedDeclaration("theorem a : p := by\n  simp", ""), "theorem a");
  assert.equal(provedDeclaration("theorem a : 1 = 1 := rfl", ""), "theorem a");
  assert.equal(provedDeclaration("theorem a : p := by sorry\nlemma b : q :=\n  sorry\ndef f := 3", ""), undefined);
  assert.equal(provedDeclaration("theorem a : p := rfl", "theorem a : p := rfl"), undefined);
});
