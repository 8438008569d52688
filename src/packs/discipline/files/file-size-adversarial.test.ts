// Long files made in other ways than one plain Write: the resulting length counts.

import { type Row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent, Heard } from "../../../../test/discipline/agent.js";

const text = (n: number): string => Array.from({ length: n }, (_, i) => `const x${i} = ${i};\n`).join("");
const edit =
  (path: string, old: string, next: string, all = false) =>
  (a: Agent): Promise<Heard> =>
    a.before("Edit", { file_path: `${a.root}/${path}`, old_string: old, new_string: next, replace_all: all });

const row = (grade: Row["grade"], expect: Row["expect"], trick: string, deed: Row["try"]): Row => ({
  grade,
  expect,
  trick,
  try: deed,
});

table(
  "size",
  ["file-size"],
  [
    row("plain", "deny", "a long Write with CRLF", (a) =>
      a.before("Write", { file_path: `${a.root}/src/n.ts`, content: text(900).replaceAll("\n", "\r\n") }),
    ),
    row("plain", "pass", "long prose", (a) => a.before("Write", { file_path: `${a.root}/n.md`, content: text(1200) })),
    row("ambiguous", "deny", "an Edit that pushes it over", edit("src/b.ts", "const x5 = 5;", text(30))),
    row("ambiguous", "deny", "replace_all that doubles it", edit("src/r.ts", "A\n", "A\nB\n", true)),
    row("ambiguous", "pass", "the same once", edit("src/r.ts", "A\n", "A\nB\n")),
    row("plain", "pass", "a long file made shorter", edit("src/h.ts", "const x5 = 5;\nconst x6 = 6;", "const x5 = 5;")),
    row("villain", "deny", "two edits that are each small enough", (a) =>
      a.before("MultiEdit", {
        file_path: `${a.root}/src/b.ts`,
        edits: [
          { old_string: "const x5 = 5;", new_string: text(8) },
          { old_string: "const x6 = 6;", new_string: text(8) },
        ],
      }),
    ),
    row("villain", "deny", "a here-document", (a) => a.bash(`cat > src/n.ts <<'EOF'\n${text(900)}EOF`)),
    row("villain", "deny", "a here-document appended", (a) => a.bash(`cat >> src/b.ts <<'EOF'\n${text(30)}EOF`)),
    row("plain", "pass", "a short here-document", (a) => a.bash(`cat > src/n.ts <<'EOF'\n${text(30)}EOF`)),
    row("ambiguous", "pass", "a long here-document that replaces nothing of the project", (a) =>
      a.bash(`cat > /tmp/notes.txt <<'EOF'\n${text(900)}EOF`),
    ),
  ],
  { files: { "src/b.ts": text(790), "src/r.ts": "A\n".repeat(500), "src/h.ts": text(1000) } },
);
