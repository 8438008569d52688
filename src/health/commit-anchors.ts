// Checkpoints of the record in this repository's commits, read from their trailers.
// Invariant: each commit is walked once; only what has been added since is walked again, unless history was rewritten.
import { replaceFile } from "../project/replace-file.js";
import { askGit } from "../project/run-git.js";
import type { StorePlace } from "../store/index.js";
import { type Anchor, checkpointTrailer, parseAnchor } from "../store/verify/checkpoints.js";
import { readWalked, type WalkedCommits, walkedFile } from "../store/verify/walked-commits.js";

const newest = 20_000;
const patience = { ms: 600_000 };

/** Empty without git, repository or commits; verify then says that nothing confirms the record. */
export function anchorsIn(root: string, place: StorePlace, afresh = false): Anchor[] {
  const tips = namesIn(askGit(root, ["show-ref", "--head", "--hash"], patience));
  const known = afresh ? undefined : usable(root, readWalked(place), tips);
  const found = carriersSince(root, known?.tips ?? []);
  if (!found) return [];
  const carriers = [...new Set([...found, ...(known?.carriers ?? [])])].slice(0, newest);
  remember(place, { tips, carriers }, known);
  return checkpointsOf(root, carriers);
}

const namesIn = (answer: Buffer | undefined): string[] => [
  ...new Set(answer?.toString("latin1").match(/^[0-9a-f]{40,64}/gm) ?? []),
];
const lines = (names: readonly string[], before = ""): string => names.map((name) => `${before}${name}\n`).join("");

/** Nothing that was walked may have gone: a rewritten history is walked whole. */
function usable(root: string, known: WalkedCommits | undefined, tips: readonly string[]): WalkedCommits | undefined {
  const now = new Set(tips);
  const moved = known?.tips.filter((tip) => !now.has(tip));
  if (!moved?.length) return known;
  const input = lines(moved);
  const lost = askGit(root, ["rev-list", "--max-count=1", "--stdin", "--not", "--all"], { ...patience, input });
  return lost?.length === 0 ? known : undefined;
}

function carriersSince(root: string, walked: readonly string[]): string[] | undefined {
  const wanted = ["log", "--all", `-n${newest}`, `--grep=${checkpointTrailer}`, "--format=%H", "--stdin"];
  const answer = askGit(root, wanted, { ...patience, input: lines(walked, "^") });
  return answer && namesIn(answer);
}

function checkpointsOf(root: string, carriers: readonly string[]): Anchor[] {
  if (!carriers.length) return [];
  const format = `--format=%H %(trailers:key=${checkpointTrailer},valueonly,separator=%x20)`;
  const question = { ...patience, input: lines(carriers) };
  const log = askGit(root, ["log", "--no-walk=unsorted", "--stdin", format], question)?.toString("utf8") ?? "";
  return log.split("\n").flatMap((line) => {
    const [commit = "", ...values] = line.split(" ");
    return values.flatMap((value) => parseAnchor(value, `commit ${commit.slice(0, 12)}`) ?? []);
  });
}

function remember(place: StorePlace, walked: WalkedCommits, known: WalkedCommits | undefined): void {
  if (known && String(known.tips) === String(walked.tips)) return;
  const file = walkedFile(place, walked);
  try {
    if (file) replaceFile(file.path, file.bytes, 0o600);
  } catch {
    // not writable: the next walk is a long one again
  }
}
