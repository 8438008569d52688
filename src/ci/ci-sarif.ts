// The report as SARIF 2.1.0, for code scanning.
// Invariant: every result has a physical location, which GitHub demands; a finding about a commit alone stands at a
// file the commit changed, and names the commit in its message.
import { inert } from "../model/text.js";
import { type CiFinding, type CiReport, shortHash } from "./ci-report.js";

/** `fileOf`: a file the commit changed. */
export function ciSarif(report: CiReport, version: string, fileOf: (commit: string) => string | undefined): object {
  const findings = report.checks.flatMap((check) => check.findings);
  const rules = [...new Map(findings.map(({ rule, next }) => [rule, next]))].map(([id, next]) => ({
    id,
    name: id.replace(/(?:^|[/-])([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: descriptions[id] ?? id },
    help: { text: plain(next) },
  }));
  const missing = [
    ...(report.incomplete ? ["the clone is shallow and ends inside the range: not all commits were checked"] : []),
    ...report.checks.flatMap(({ name, notCheckable, state, summary }) =>
      state === "not-used" ? [`${name}: not used, ${summary}`] : notCheckable.map((what) => `${name}: ${what}`),
    ),
  ];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Interlock", version, rules } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: missing.map((text) => ({ level: "note", message: { text: plain(text) } })),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, rules, fileOf)),
      },
    ],
  };
}

const descriptions: Readonly<Record<string, string>> = {
  "checkpoints/malformed": "A checkpoint trailer can't be read",
  "checkpoints/contradiction": "Two commits vouch for different records of the same number",
  "checkpoints/went-back": "A later commit vouches for an earlier record",
  "checkpoints/record": "The record does not agree with the commits",
  "coverage/no-trace": "An agent's commit has no trace",
  "coverage/trace": "A trace contradicts the commit it names",
  "coverage/call": "A call of the agent has no record",
  "intents/file": "The file of intents is not valid",
  "intents/unknown": "A commit names an intent that does not exist",
  "intents/ignored": "What nobody may work on was changed",
  "intents/no-intent": "An agent changed a file under no intent",
  "intents/out-of-scope": "An agent changed a file outside its intent's scope",
  "intents/maybe-out-of-scope": "A commit changed a file outside the scopes it names",
  "sred/trailers": "A commit message lacks valid SR&ED trailers",
  "validators/config": "interlock.yaml is not valid",
};

function resultOf(
  finding: CiFinding,
  rules: readonly { id: string }[],
  fileOf: (commit: string) => string | undefined,
): object {
  const { rule, level, message, next, commit, line } = finding;
  const file = finding.file ?? (commit && fileOf(commit)) ?? "interlock.yaml";
  const what = commit ? `commit ${shortHash(commit)}: ${message}` : message;
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level,
    message: { text: `${plain(what)}\nNext: ${plain(next)}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
          region: { startLine: Math.max(1, line ?? 1) },
        },
        ...(commit && { logicalLocations: [{ name: commit, kind: "commit" }] }),
      },
    ],
    ...(commit && { partialFingerprints: { interlockCommit: `${rule}:${commit}:${finding.file ?? ""}` } }),
  };
}

const plain = (text: string): string => inert(text, 600);
