// Where a trace command works: this work tree, its git directory, Interlock's folder of the project.
import { join, relative, resolve } from "node:path";
import { interlockHome } from "../../../hook/folders.js";
import { canonicalPath } from "../../../project/canonical-path.js";
import { identify } from "../../../project/identify.js";
import type { CommitPlace } from "../../../trace/finalise.js";
import { UsageError } from "../args.js";

export interface TraceOptions {
  json?: boolean;
  cwd?: string;
  home?: string;
  out?: string;
}

export function tracePlace(values: TraceOptions, env?: Record<string, string>): CommitPlace {
  const start = values.cwd ?? process.cwd();
  const given = env?.["GIT_DIR"];
  const repository = identify(given ?? start);
  if (repository.kind !== "git" || !repository.gitDir)
    throw new UsageError(`${start} is in no git repository; attribution is kept with commits`);
  const root = given ? resolve(env["GIT_WORK_TREE"] ?? start) : repository.root;
  const folder = join(interlockHome(process.env, values.home), "projects", repository.id);
  return { root, folder, gitDir: repository.gitDir, ...(env && { env }) };
}

/** A file a person named, relative to the root with "/". */
export function pathBelow(place: CommitPlace, values: TraceOptions, given: string): string {
  const full = canonicalPath(given, values.cwd ?? process.cwd()).path;
  const path = relative(canonicalPath(place.root, "/").path, full).replaceAll("\\", "/");
  if (path.startsWith("../") || path === "..") throw new UsageError(`"${given}" is outside the repository`);
  return path;
}
