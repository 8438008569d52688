// Checks files for CI: capsules, manifests, requests, responses; each finding with file, line and remedy.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { capsuleFindings } from "./capsule.js";
import { parseRequest } from "./request.js";
import { parseResponse } from "./response.js";
import { fileRunRecords, type RunRecords } from "./run.js";
import { type FileFinding, interopLimits, manifestSchema, type RunManifest, schemaFindings } from "./schemas.js";

export const validated = ["capsule", "manifest", "request", "response"] as const;
export type Validated = (typeof validated)[number];

export interface ValidateOptions {
  /** Also what the file points at: pointers exist, the parent run is there. */
  checkFiles?: boolean;
  /** Which records of runs are believed; run.json unless told. */
  records?: RunRecords;
}

/** `path` is absolute. */
export function fileFindings(
  project: string,
  kind: Validated,
  path: string,
  options: ValidateOptions = {},
): FileFinding[] {
  let text: string;
  try {
    text = readBoundedText(path, interopLimits.manifestBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === "ENOENT" ? "there is no such file" : `it can't be read (${code})`;
    return [{ field: "", problem, remedy: "name an existing file", line: 1 }];
  }
  const findings = checks[kind](project, text, path, options);
  return findings.map((f) => ({ ...f, line: f.line ?? lineOf(text, f.field) }));
}

type Check = (project: string, text: string, path: string, options: ValidateOptions) => FileFinding[];

const checks: Record<Validated, Check> = {
  capsule: (_, text) => capsuleFindings(text),
  manifest(project, text, _, { checkFiles }) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return [
        {
          field: "",
          problem: `not JSON: ${(error as Error).message.slice(0, 120)}`,
          remedy: "run the phase again; it writes its manifest anew",
        },
      ];
    }
    const findings = schemaFindings(manifestSchema, value);
    return findings.length || !checkFiles ? findings : missingPointers(project, value as RunManifest);
  },
  request(project, text, path, { checkFiles, records = fileRunRecords(project) }) {
    const { findings } = parseRequest(text, basename(path, ".json"), { project, records });
    // In CI the runs are usually not there; only with --check-files is that a fault.
    return checkFiles
      ? findings
      : findings.filter((f) => !(f.field === "run_id" && /^there is no run|has no signed record/.test(f.problem)));
  },
  response(project, text, _, { checkFiles }) {
    const { response, findings } = parseResponse(text);
    if (!response || !checkFiles) return findings;
    const paths = [response.capsule_path, response.manifest_path, ...response.deliverables];
    return paths.flatMap((path) => (path && !existsSync(join(project, path)) ? [gone("", path)] : []));
  },
};

const gone = (field: string, path: string): FileFinding => ({
  field,
  problem: `it points at ${path}, which is not there`,
  remedy: "restore the file, or write the pointer anew",
});

function missingPointers(project: string, manifest: RunManifest): FileFinding[] {
  const paths: [string, string | null][] = [
    ["capsule_path", manifest.capsule_path],
    ...manifest.log_pointers.map((log): [string, string] => ["log_pointers", log.path]),
  ];
  return paths.flatMap(([field, path]) =>
    path !== null && !existsSync(join(project, path)) ? [gone(field, path)] : [],
  );
}

/** Where the innermost named key of the field first stands. */
function lineOf(text: string, field: string): number {
  let at = 0;
  for (const key of field.split(".")) {
    if (key === "" || /^\d+$/.test(key)) continue;
    const next = text.indexOf(`"${key}"`, at);
    if (next < 0) break;
    at = next;
  }
  return text.slice(0, at).split("\n").length;
}
