// `interlock init --kits`: the folders and thin tools of a repository that works with kits.
// Invariant: a file that is there stays as it is; .gitignore only gains lines it lacks.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findInterlock, smokeRun } from "./smoke-run.js";

const folders = ["kits", "docs", "runs", "interop/requests", "interop/responses", "interop/schemas", "tools"];

const ignored = [
  "runs/*/logs/",
  "runs/*/artifacts/",
  "runs/*/events.jsonl",
  "interop/claimed/",
  "interop/done/",
  "interop/turn/",
  "interop/slots/",
  "node_modules/",
];

const tool = (what: string, body: string): string => `#!/bin/sh
# ${what}
${findInterlock}
${body}
`;

const files: Readonly<Record<string, string>> = {
  "tools/kit": tool(
    "Runs a phase of a kit: tools/kit tdd red docs/feature.md. `tools/kit request ...` asks another kit.",
    'if [ "$1" = request ]; then shift; exec $interlock request "$@"; fi\nexec $interlock kit "$@"',
  ),
  "tools/pump": tool("Runs the requests of one kit to another.", 'exec $interlock pump "$@"'),
  "tools/observe": tool(
    "What happened: tools/observe tree <run>, tools/observe replay last.",
    '[ $# -gt 0 ] || set -- tree\nexec $interlock run "$@"',
  ),
  "tools/smoke-run": smokeRun,
  "interlock.yaml": `# What is enforced here. Every setting: interlock config
version: 1
packs:
  kits:
    readBudget: { when: always }
`,
};

export interface LayOutStep {
  path: string;
  what: "folder" | "file" | "lines";
  /** lines: what is added. */
  lines?: string[];
}

/** What is missing; nothing is written. */
export function planLayOut(root: string, packageDir: string): LayOutStep[] {
  const missing = (path: string) => !existsSync(join(root, path));
  const steps: LayOutStep[] = folders.filter(missing).map((path) => ({ path, what: "folder" }));
  const schemas = schemaFiles(packageDir).map((name) => `interop/schemas/${name}`);
  steps.push(...[...Object.keys(files), ...schemas].filter(missing).map((path) => ({ path, what: "file" as const })));
  const has = missing(".gitignore") ? [] : readFileSync(join(root, ".gitignore"), "utf8").split(/\r?\n/);
  const lines = ignored.filter((line) => !has.includes(line) && !has.includes(`/${line}`));
  if (lines.length) steps.push({ path: ".gitignore", what: "lines", lines });
  return steps;
}

export function applyLayOut(root: string, packageDir: string, steps: readonly LayOutStep[]): void {
  for (const { path, what, lines } of steps) {
    const full = join(root, path);
    if (what === "folder") {
      mkdirSync(full, { recursive: true });
      // Git keeps no empty folder.
      if (!readdirSync(full).length) writeFileSync(join(full, ".gitkeep"), "");
    } else if (what === "lines") {
      const before = existsSync(full) ? readFileSync(full, "utf8") : "";
      const glue = before && !before.endsWith("\n") ? "\n" : "";
      writeFileSync(full, `${before}${glue}${lines!.join("\n")}\n`);
    } else {
      mkdirSync(dirname(full), { recursive: true });
      if (path in files) writeFileSync(full, files[path]!, { flag: "wx" });
      else copyFileSync(join(packageDir, path), full);
      if (path.startsWith("tools/")) chmodSync(full, 0o755);
    }
  }
}

function schemaFiles(packageDir: string): string[] {
  const folder = join(packageDir, "interop", "schemas");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
}
