// A project identifier derived from the commit's scope, and what is said when discovery fails.
// Invariant: every derived identifier has the form PROJECT[-VARIANT]; the texts are those the seed fixed.
import { claimPattern, longestClaim } from "./message.js";

/** "my-scope" gives MY-SCOPE; parts that begin with a digit join the part before, since no part may. */
export function fallbackProject(scope: string | undefined): string {
  const parts = (scope ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean);
  const joined = parts.reduce(
    (text, part) => (text === "" ? part : /^\d/.test(part) ? `${text}${part}` : `${text}-${part}`),
    "",
  );
  const project = (/^\d/.test(joined) ? `P${joined}` : joined).slice(0, longestClaim).replace(/-+$/, "");
  return claimPattern.test(project) ? project : "UNKNOWN-PROJECT";
}

export const failurePatterns = {
  NETWORK_TIMEOUT: {
    message: "Discovery failed (network timeout)",
    instruction: "Please ask the user to confirm or select a different project identifier",
  },
  SDK_ERROR: {
    message: "Discovery failed (SDK error)",
    instruction: "Please ask the user to confirm the fallback suggestion or enter manually",
  },
  PARSE_ERROR: {
    message: "Discovery failed (invalid response)",
    instruction: "Please ask the user which project identifier to use",
  },
} as const;

export type DiscoveryFailure = keyof typeof failurePatterns;

/** The failure as lines without blank ones between them; the last says what to do. */
export function failureLines(code: DiscoveryFailure, fallback: string, alternatives: readonly string[]): string[] {
  const { message, instruction } = failurePatterns[code];
  return [
    `[SRED-GUARD] ${message}.`,
    `Fallback suggestion: SRED-Claim: ${fallback}`,
    ...(alternatives.length ? [`Alternatives: ${alternatives.join(", ")}`] : []),
    `${instruction}:`,
    `- ${fallback} (derived from scope)`,
    ...alternatives.map((alternative) => `- ${alternative}`),
    "- Enter manually",
    "Then retry the commit with the selected SRED-Claim trailer.",
  ];
}
