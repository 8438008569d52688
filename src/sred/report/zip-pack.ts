// The report as a zip: every format, the cited commit messages, a list of hashes, and a verifier that needs only Node.
// Invariant: manifest.json lists every other file with its SHA-256; the same report gives the same bytes.
import { createHash } from "node:crypto";
import { strToU8, type Zippable, zipSync } from "fflate";
import type { GitCommit } from "../read-commits.js";
import { csvIndex } from "./csv-index.js";
import { htmlReport } from "./html-report.js";
import { markdownReport } from "./markdown-report.js";
import type { SredReport } from "./report-schema.js";

export interface EvidencePack {
  bytes: Uint8Array;
  /** Note it elsewhere: it vouches for every file in the zip. */
  manifestSha256: string;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const jsonReport = (report: SredReport): string => `${JSON.stringify(report, null, 2)}\n`;

export function zipPack(report: SredReport, commits: readonly GitCommit[], verifier: string): EvidencePack {
  const files: Record<string, Uint8Array> = {
    "README.txt": strToU8(readme(report)),
    "report.html": strToU8(htmlReport(report)),
    "report.md": strToU8(markdownReport(report)),
    "report.json": strToU8(jsonReport(report)),
    "evidence.csv": strToU8(csvIndex(report)),
    "commits.jsonl": strToU8(messagesOf(report, commits)),
    "verify.mjs": strToU8(verifier),
  };
  const listed = Object.entries(files).map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
  const contents = { schema: 1, kind: "interlock-sred-pack", made: report.integrity.made, files: listed };
  const manifest = strToU8(`${JSON.stringify(contents, null, 2)}\n`);
  // A zip knows no date before 1980.
  const mtime = new Date(Math.max(Date.parse(report.integrity.made), Date.parse("1980-01-02T00:00:00Z")));
  const entries: Zippable = {};
  for (const [path, bytes] of Object.entries({ "manifest.json": manifest, ...files }))
    entries[`sred-report/${path}`] = [bytes, { mtime, level: 6 }];
  return { bytes: zipSync(entries), manifestSha256: sha256(manifest) };
}

/** The whole message of every cited commit: as text, or in base64 where it is not UTF-8. */
function messagesOf(report: SredReport, commits: readonly GitCommit[]): string {
  const of = new Map(commits.map((c) => [c.hash, c]));
  return report.evidence
    .map(({ hash, messageSha256 }) => {
      const commit = of.get(hash)!;
      const text = commit.guessedEncoding
        ? { messageBase64: commit.raw!.toString("base64") }
        : { message: commit.message };
      return `${JSON.stringify({ hash, messageSha256, ...text })}\n`;
    })
    .join("");
}

const readme = ({ period, draft, integrity }: SredReport): string => `SR&ED evidence, ${period.from} to ${period.to}

${draft}

report.html    for people: open it in a browser, print it
report.md      the same as text
report.json    the same as data
evidence.csv   index of the evidence, for a spreadsheet
commits.jsonl  the whole message of every commit cited
manifest.json  SHA-256 of each file
verify.mjs     checks all of it, with Node 20 or newer and nothing else:

    node verify.mjs                        files, quotations and counts
    node verify.mjs --repo <repository>    and that git holds each commit with that message

HEAD was ${integrity.head ?? "none"}. The pack names people and business detail: keep it out of public places.
`;
