// References to issues in a commit message or a branch name: EI-1234, #12, GH-12.
// Invariant: names of standards (UTF-8, SHA-256) are no issues.
const key = /[A-Z][A-Z0-9]{1,9}-\d{1,7}|#\d{1,7}/g;
const part = /[\w-]/;
const standards =
  /^(?:UTF|SHA|ISO|RFC|MD|AES|RSA|ECMA|IEEE|CVE|CWE|HTTP|TLS|SSL|BASE|UCS|CP|PEP|ADR|X86|COVID|GPT|H|Q)-/;

export function issueKeysIn(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: name, index } of text.matchAll(key)) {
    const whole = !part.test(text[index - 1] ?? "") && !part.test(text[index + name.length] ?? "");
    if (whole && !standards.test(name)) found.add(name);
  }
  return [...found];
}
