// A made-up history for tests and benchmarks: several projects that share authors, folders and scopes, with noise.
// Invariant: the same seed gives the same commits.

export interface MadeCommit {
  project: string | undefined;
  message: string;
  paths: string[];
  author: string;
  branch: string;
  /** ms */
  at: number;
}

interface Shape {
  project: string;
  scopes: string[];
  folders: string[];
  authors: string[];
}

const shapes: Shape[] = [
  { project: "CACHE", scopes: ["cache", "store"], folders: ["src/cache", "src/store"], authors: ["ada", "bob"] },
  { project: "CACHE-EDGE", scopes: ["edge", "cache"], folders: ["src/edge", "src/cache/edge"], authors: ["ada"] },
  { project: "RANKER", scopes: ["rank", "search"], folders: ["src/search/rank"], authors: ["cyd", "bob"] },
  { project: "INDEXER", scopes: ["index", "search"], folders: ["src/search/index"], authors: ["cyd", "dan"] },
  { project: "PLANNER", scopes: ["plan"], folders: ["src/plan", "lib/solver"], authors: ["eve"] },
  { project: "CODEC", scopes: ["codec", "io"], folders: ["lib/codec", "lib/io"], authors: ["dan", "eve"] },
];

/** Park and Miller's generator. */
export function seeded(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Oldest first. */
export function constructedHistory(count: number, end: number, seed = 7): MadeCommit[] {
  const random = seeded(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const span = 300 * 24 * 3_600_000;
  return Array.from({ length: count }, (_, i) => {
    const at = Math.round(end - span + (span * (i + random())) / count);
    const shape = pick(shapes);
    const author = random() < 0.85 ? pick(shape.authors) : pick(shapes).authors[0]!;
    const paths = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      random() < 0.3
        ? `src/shared/${pick(["log", "types", "util"])}.ts`
        : `${pick(shape.folders)}/${pick("abcdefgh".split(""))}.ts`,
    );
    const scoped = random() < 0.65;
    const scope = random() < 0.9 ? pick(shape.scopes) : pick(shapes).scopes[0]!;
    const issue = random() < 0.3 ? ` (EI-${1000 + shapes.indexOf(shape) * 100 + Math.floor(random() * 12)})` : "";
    const branch =
      random() < 0.3 ? `experiment/${shape.project.toLowerCase()}-${Math.floor(random() * 90)}` : pick(["main", "dev"]);
    const subject = `${pick(["feat", "fix", "perf"])}${scoped ? `(${scope})` : ""}: step ${i}${issue}`;
    const tags = `SRED-Type: experimental-development\nSRED-Claim: ${shape.project}`;
    return { project: shape.project, message: `${subject}\n\n${tags}\n`, paths, author, branch, at };
  });
}

/** The input of `git fast-import` that makes these commits on one branch. */
export function fastImport(commits: readonly MadeCommit[], branch = "main"): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return commits
    .map(({ message, paths, author, at }, i) => {
      const who = `${author} <${author}@example.com> ${Math.floor(at / 1000)} +0000`;
      const files = paths.map((path) => `M 100644 inline ${path}\n${data(`${i} ${path}\n`)}`).join("");
      return `commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n${data(message)}${files}\n`;
    })
    .join("");
}
