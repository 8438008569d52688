// Checkpoints of the record in this repository's commits, read from their trailers.
import { execFileSync } from "node:child_process";
import { type Anchor, checkpointTrailer, parseAnchor } from "../store/verify/checkpoints.js";

const newest = 20_000;

/** Empty without git, repository or commits; verify then says that nothing confirms the record. */
export function anchorsIn(root: string): Anchor[] {
  const format = `--format=%H %(trailers:key=${checkpointTrailer},valueonly,separator=%x20)`;
  let log: string;
  try {
    log = execFileSync("git", ["-C", root, "log", "--all", `-n${newest}`, `--grep=${checkpointTrailer}`, format], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return [];
  }
  return log.split("\n").flatMap((line) => {
    const [commit = "", ...values] = line.split(" ");
    return values.flatMap((value) => parseAnchor(value, `commit ${commit.slice(0, 12)}`) ?? []);
  });
}
