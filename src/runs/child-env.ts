// The environment a child run starts with: what any program needs, plus request, pointers, must-read list and budget.
// Invariant: nothing of the parent's session gets through; no phase, no transcript, no hook state.
import { join } from "node:path";
import type { InteropRequest } from "./schemas.js";

/** Passed on when set. A trailing `*` stands for any ending. */
const passedOn: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TERM", "TZ", "TMPDIR", "TEMP", "TMP", "XDG_*"],
  ...["SystemRoot", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
  ...["ANTHROPIC_*", "OPENAI_*", "AWS_*", "GOOGLE_*", "CLOUD_ML_REGION", "CLAUDE_CONFIG_DIR", "CODEX_HOME"],
  ...["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_*", "INTERLOCK_HOME", "INTERLOCK_KIT_*"],
  ...["ELAN_HOME", "LAKE_*", "LEAN_DIR", "SPEC_DIR", "TEST_DIRS", "SRC_DIR", "BUILD_CMD", "TEST_CMD", "TRAIN_CMD"],
  ...["EVAL_CMD", "EXPERIMENTS_DIR", "RESULTS_DIR", "DATA_DIR", "CONFIGS_DIR"],
];
const names = new Set(passedOn.filter((name) => !name.endsWith("*")));
const prefixes = passedOn.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

export interface ChildPlace {
  project: string;
  childRunId: string;
  /** The frozen copy of the request, relative to the project. */
  requestFile: string;
}

export function childEnv(
  request: InteropRequest,
  place: ChildPlace,
  base: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base))
    if (value !== undefined && (names.has(name) || prefixes.some((p) => name.startsWith(p)))) env[name] = value;
  const { must_read, read_budget } = request;
  const root = `runs/${place.childRunId}`;
  return {
    ...env,
    RUN_ID: place.childRunId,
    RUN_ROOT: root,
    PARENT_RUN_ID: request.run_id,
    REQUEST_ID: request.request_id,
    REQUEST_FILE: place.requestFile,
    MUST_READ_ALLOWLIST: must_read.join(","),
    READ_ALLOW_GLOBS: [...must_read, ...read_budget.allowed_paths].join(","),
    READ_BUDGET_MAX_FILES: String(read_budget.max_files),
    READ_BUDGET_MAX_TOTAL_BYTES: String(read_budget.max_total_bytes),
    READ_BUDGET_STATE_DIR: join(place.project, root, "artifacts"),
  };
}
