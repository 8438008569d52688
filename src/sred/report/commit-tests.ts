// The recorded test runs of commits as they are now, also where a rewrite gave them another hash.
import type { Store } from "../../store/index.js";
import { patchIds } from "../patch-links.js";
import { recordedLinks } from "../recorded-links.js";
import type { SredCommit } from "./period-commits.js";
import { followRewrites, type RecordedTests, recordedTests } from "./recorded-tests.js";

export function testsOfCommits(store: Store, root: string, commits: readonly SredCommit[]): RecordedTests {
  const present = new Set(commits.map((c) => c.hash));
  const tagged = commits.filter((c) => c.claims.length).map((c) => c.hash);
  return followRewrites(recordedTests(store.records()), recordedLinks(store), present, () =>
    patchIds(root, ["--no-walk=unsorted", ...tagged]),
  );
}
