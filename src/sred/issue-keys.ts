// References to issues in a commit message or a branch name: EI-1234, #12, GH-12.
// Invariant: names of standards (UTF-8, SHA-256) are no issues.
const key = /(?<![\w-])(?:([A-Z][A-Z0-9]{1,9}-\d{1,7})|#(\d{1,7}))(?![\w-])/g;
const standards =
  /^(?:UTF|SHA|ISO|RFC|MD|AES|RSA|ECMA|IEEE|CVE|CWE|HTTP|TLS|SSL|BASE|UCS|CP|PEP|ADR|X86|COVID|GPT|H|Q)-/;

export function issueKeysIn(text: string): string[] {
  const found = [...text.matchAll(key)].map((m) => m[1] ?? `#${m[2]}`);
  return [...new Set(found.filter((k) => !standards.test(k)))];
}
