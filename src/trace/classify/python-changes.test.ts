// The class of changes to Python, a named row each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyChange } from "./classify.js";

const refactor = "AST_REFACTOR";
const evolution = "INTENT_EVOLUTION";
const documentation = "DOCUMENTATION";

type Row = [what: string, before: string, after: string, expected: string];

const inFunction = (...lines: string[]): string => `def f(p):\n${lines.map((line) => `    ${line}\n`).join("")}`;
const body = (what: string, before: string, after: string, expected: string): Row => [
  what,
  inFunction(...before.split("\n")),
  inFunction(...after.split("\n")),
  expected,
];

const rows: Row[] = [
  // Layout and comments
  ["the same text", "a = 1\n", "a = 1\n", refactor],
  ["blanks inside a line", "a=f( 1,2 )\n", "a = f(1, 2)\n", refactor],
  ["another indentation", "if a:\n  b()\n  c()\n", "if a:\n    b()\n    c()\n", refactor],
  ["a line moved out of its block", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", evolution],
  ["a line moved into a block", "for a in b:\n    c()\nd()\n", "for a in b:\n    c()\n    d()\n", evolution],
  [
    "else that belongs to another if",
    "if a:\n  if b:\n    c()\n  else:\n    d()\n",
    "if a:\n  if b:\n    c()\nelse:\n  d()\n",
    evolution,
  ],
  ["a dedent to nowhere", "if a:\n    b()\nc()\n", "if a:\n    b()\n  c()\n", evolution],
  ["tabs mixed with blanks", "if a:\n    b()\n    c()\n", "if a:\n\tb()\n        c()\n", evolution],
  ["two statements on one line", "a()\nb()\n", "a(); b()\n", refactor],
  ["a call over several lines", "f(a, b)\n", "f(\n    a,\n    b,\n)\n", refactor],
  ["a line continued with a backslash", "a = b + c\n", "a = b + \\\n    c\n", refactor],
  ["a comment added", "a = 1\n", "a = 1  # why\n", documentation],
  ["a comment between statements changed", "# a\nf()\n", "# b\nf()\n", documentation],
  ["a docstring changed", 'def f():\n    """One."""\n    g()\n', 'def f():\n    """Two."""\n    g()\n', documentation],
  ["a docstring that the program reads", '"""One."""\nprint(__doc__)\n', '"""Two."""\nprint(__doc__)\n', evolution],
  [
    "a string that is no docstring",
    'def f():\n    g()\n    x = "One."\n',
    'def f():\n    g()\n    x = "Two."\n',
    evolution,
  ],
  ["a type comment", "a = []  # type: list[int]\n", "a = []  # type: list[str]\n", evolution],
  ["blanks inside a string with an escape", "f('a  b\\n')\n", "f('a b\\n')\n", evolution],
  ["blanks inside an f-string with an escape", "f(f'a  b\\n{c}')\n", "f(f'a b\\n{c}')\n", evolution],
  ["a line break inside a long string", 'f("""a\n  b\\n""")\n', 'f("""a b\\n""")\n', evolution],
  ["quotes", "f('a')\n", 'f("a")\n', refactor],
  ["a string's prefix", "f('a')\n", "f(b'a')\n", evolution],
  ["a tuple of one", "a = (b)\n", "a = (b,)\n", evolution],
  ["a trailing comma that makes a tuple", "a = b\n", "a = b,\n", evolution],
  ["an index that becomes a tuple", "a[b]\n", "a[b,]\n", evolution],
  // Consistent renaming
  body("a local renamed", "a = p\nreturn a", "b = p\nreturn b", refactor),
  body("a local renamed in one place only", "a = p\nreturn a", "b = p\nreturn a", evolution),
  body("an unpacked local renamed", "a, (b, *c) = p\nreturn a, b, c", "x, (y, *z) = p\nreturn x, y, z", refactor),
  body("a loop variable renamed", "for a in p:\n    g(a)", "for b in p:\n    g(b)", refactor),
  body("a with variable renamed", "with g(p) as a:\n    h(a)", "with g(p) as b:\n    h(b)", refactor),
  body(
    "an except variable renamed",
    "try:\n    g()\nexcept E as a:\n    h(a)",
    "try:\n    g()\nexcept E as b:\n    h(b)",
    refactor,
  ),
  body("a walrus renamed", "if (a := p):\n    g(a)", "if (b := p):\n    g(b)", refactor),
  body(
    "a nested function renamed",
    "def a():\n    return 1\nreturn a()",
    "def b():\n    return 1\nreturn b()",
    refactor,
  ),
  body("a comprehension's name renamed", "return [a for a in p]", "return [b for b in p]", refactor),
  body("a generator argument's name renamed", "return sum(a for a in p)", "return sum(b for b in p)", refactor),
  body(
    "a capture of match renamed",
    "match p:\n    case [a, b]:\n        g(a, b)",
    "match p:\n    case [x, y]:\n        g(x, y)",
    refactor,
  ),
  body("a local in an f-string renamed", 'a = p\nreturn f"{a:>3} {a!r}"', 'b = p\nreturn f"{b:>3} {b!r}"', refactor),
  ["a positional-only parameter renamed", "def f(a, /):\n    return a\n", "def f(b, /):\n    return b\n", refactor],
  ["*args and **kwargs renamed", "def f(*a, **b):\n    return a, b\n", "def f(*x, **y):\n    return x, y\n", refactor],
  // Names that others see
  ["a parameter renamed", "def f(a):\n    return a\n", "def f(b):\n    return b\n", evolution],
  ["a lambda's parameter renamed", "f = lambda a: a\n", "f = lambda b: b\n", evolution],
  ["a keyword argument renamed", "def f():\n    a = 1\n    g(a=a)\n", "def f():\n    b = 1\n    g(b=b)\n", evolution],
  body("a keyword kept while its local is renamed", "a = 1\ng(a=a)", "b = 1\ng(a=b)", refactor),
  ["a function of the module renamed", "def a():\n    pass\n", "def b():\n    pass\n", evolution],
  ["a variable of the module renamed", "a = 1\nf(a)\n", "b = 1\nf(b)\n", evolution],
  ["a private function of the module renamed", "def _a():\n    pass\n_a()\n", "def _b():\n    pass\n_b()\n", evolution],
  ["__all__ changed", '__all__ = ["a"]\n', '__all__ = ["b"]\n', evolution],
  [
    "an attribute renamed",
    "class A:\n    def m(self):\n        self.x = 1\n",
    "class A:\n    def m(self):\n        self.y = 1\n",
    evolution,
  ],
  ["a name in a class body renamed", "class A:\n    x = 1\n    y = x\n", "class A:\n    z = 1\n    y = z\n", evolution],
  ["a method renamed", "class A:\n    def m(self): pass\n", "class A:\n    def n(self): pass\n", evolution],
  body("an imported name in a function", "import a\na.b()", "import c\nc.b()", evolution),
  body("an alias of an import", "import a as b\nb.c()", "import a as d\nd.c()", evolution),
  ["another module", "from a import b\n", "from c import b\n", evolution],
  // Scopes
  body("global keeps its name", "global a\na = 1", "global b\nb = 1", evolution),
  [
    "nonlocal renamed with its variable",
    "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    g()\n    return a\n",
    "def f():\n    b = 1\n    def g():\n        nonlocal b\n        b = 2\n    g()\n    return b\n",
    refactor,
  ],
  [
    "nonlocal removed",
    "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    return g, a\n",
    "def f():\n    a = 1\n    def g():\n        a = 2\n    return g, a\n",
    evolution,
  ],
  body(
    "a rename that captures",
    "a = 1\nb = 2\nreturn [a for x in p]",
    "x = 1\nb = 2\nreturn [x for x in p]",
    evolution,
  ),
  body(
    "the first iterable is looked up outside",
    "x = p\nreturn [x for x in x]",
    "y = p\nreturn [x for x in y]",
    refactor,
  ),
  body(
    "a later iterable is looked up inside",
    "return [b for a in p for b in a]",
    "return [b for a in p for b in p]",
    evolution,
  ),
  [
    "a class's name is not seen in its methods",
    "def f():\n    x = 1\n    class A:\n        x = 2\n        def m(self):\n            return x\n    return A\n",
    "def f():\n    y = 1\n    class A:\n        x = 2\n        def m(self):\n            return y\n    return A\n",
    refactor,
  ],
  body(
    "a walrus in a comprehension is the function's",
    "g([a := x for x in p])\nreturn a",
    "g([b := x for x in p])\nreturn b",
    refactor,
  ),
  body("a name that a class would mangle", "a = p\nreturn a", "__a = p\nreturn __a", evolution),
  body("locals() keeps names exact", "a = p\nreturn locals()", "b = p\nreturn locals()", evolution),
  body("an f-string that prints its name", 'a = p\nreturn f"{a=}"', 'b = p\nreturn f"{b=}"', evolution),
  body("an f-string's text", 'return f"a {p}"', 'return f"b {p}"', evolution),
  // Meaning
  ["min to max", "a = min(b, c)\n", "a = max(b, c)\n", evolution],
  body("two variables swapped", "a = 1\nb = 2\nreturn a - b", "a = 1\nb = 2\nreturn b - a", evolution),
  body("a literal changed", "return p + 1", "return p + 2", evolution),
  body("an operator changed", "return p < 1", "return p <= 1", evolution),
  body("is to ==", "return p is None", "return p == None", evolution),
  body("a method changed", "p.append(1)", "p.remove(1)", evolution),
  body("another global called", "return int(p)", "return float(p)", evolution),
  ["a decorator added", "def f():\n    pass\n", "@d\ndef f():\n    pass\n", evolution],
  ["decorators in another order", "@a\n@b\ndef f():\n    pass\n", "@b\n@a\ndef f():\n    pass\n", evolution],
  ["a default changed", "def f(a=1):\n    pass\n", "def f(a=2):\n    pass\n", evolution],
  ["an annotation changed", "def f(a: int):\n    pass\n", "def f(a: str):\n    pass\n", evolution],
  ["async added", "def f():\n    pass\n", "async def f():\n    pass\n", evolution],
  ["yield to return", "def f():\n    yield 1\n", "def f():\n    return 1\n", evolution],
  ["except made narrower", "try:\n    a()\nexcept:\n    b()\n", "try:\n    a()\nexcept E:\n    b()\n", evolution],
  // Order
  ["imports in another order", "import a\nimport b\n", "import b\nimport a\n", refactor],
  [
    "imports that bind one name twice",
    "from a import f\nfrom b import f\n",
    "from b import f\nfrom a import f\n",
    evolution,
  ],
  ["import * in another order", "from a import *\nfrom b import *\n", "from b import *\nfrom a import *\n", evolution],
  [
    "functions in another order",
    "def a():\n    b()\ndef b():\n    pass\n",
    "def b():\n    pass\ndef a():\n    b()\n",
    refactor,
  ],
  [
    "functions whose defaults run in another order",
    "def a(x=f()):\n    pass\ndef b(x=g()):\n    pass\n",
    "def b(x=g()):\n    pass\ndef a(x=f()):\n    pass\n",
    evolution,
  ],
  [
    "a function moved past a call",
    "def a():\n    pass\nf()\ndef b():\n    pass\n",
    "def a():\n    pass\ndef b():\n    pass\nf()\n",
    evolution,
  ],
  // What can't be compared
  ["a syntax error", "def f(:\n", "def f():\n    pass\n", evolution],
  ["print as in Python 2", "print 'a'\n", "print  'b'\n", evolution],
];

for (const [what, before, after, expected] of rows)
  test(`${what}: ${expected}`, () => {
    const there = classifyChange("src/x.py", before, after);
    assert.equal(there.class, expected, there.why);
    assert.equal(classifyChange("src/x.py", after, before).class, expected, "and back");
  });

test("every row stands for something else", () => {
  assert.ok(rows.length >= 40);
  assert.equal(new Set(rows.map(([what]) => what)).size, rows.length);
});
