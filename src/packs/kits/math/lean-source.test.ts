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
});

test("a proof on the next line and a term proof are proofs", () => {
  assert.equal(provedDeclaration("theorem a : p := by\n  simp", ""), "theorem a");
  assert.equal(provedDeclaration("theorem a : 1 = 1 := rfl", ""), "theorem a");
  assert.equal(provedDeclaration("theorem a : p := by sorry\nlemma b : q :=\n  sorry\ndef f := 3", ""), undefined);
  assert.equal(provedDeclaration("theorem a : p := rfl", "theorem a : p := rfl"), undefined);
});
