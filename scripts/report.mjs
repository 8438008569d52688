// Node's TAP report, with the failed tests once more right before its summary: CI shows only the end of a long output.
// `scripts/test.mjs` uses it where the output is no terminal; on one, Node's own report repeats them already.
import { relative } from "node:path";
import { tap } from "node:test/reporters";
import { inspect } from "node:util";
import { root } from "./transpile.mjs";

export default async function* report(source) {
  const failed = [];
  let summary = "";
  for await (const text of tap(watched(source, failed))) {
    if (summary || /^1\.\.\d+\s*$/.test(text)) summary += text;
    else yield text;
  }
  for (const text of failed) yield text.replace(/^/gm, "# ").trimEnd().concat("\n#\n");
  yield summary;
}

/** Hands every event on and keeps the failures; a test that failed only by its subtests says nothing of its own. */
async function* watched(source, failed) {
  for await (const event of source) {
    const { type, data } = event;
    const error = data?.details?.error;
    if (type === "test:fail" && error?.failureType !== "subtestsFailed")
      failed.push(
        `FAILED ${data.file ? relative(root, data.file) : ""}: ${data.name}\n${inspect(error?.cause ?? error)}`,
      );
    yield event;
  }
}
