// What is wrong with a release manifest (for Sparkle: appcast.xml), entry by entry. An entry is an element with a URL.
// Invariant: linear time.

import type { Project } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import type { ManifestRule } from "../discipline-options.js";
import { matchesName } from "../name-patterns.js";
import { artifactHash, localPath, localSize } from "./artifact.js";

export function manifestProblems(
  text: string,
  { signed = [], forbidden = [], length, elements = [], cask }: ManifestRule,
  project: Project,
): string[] {
  if (cask) return caskProblems(text, project);
  const bare = text.replace(/<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)/g, "");
  return [...bare.matchAll(/<([\w:]+)((?:\s[^<>]*)?)>/g)].flatMap(([, element, body]) => {
    const has = attributes(body!);
    const url = has.get("url");
    if (url === undefined || url.trim() === "")
      return elements.includes(element!) ? [`an element ${element} has no url`] : [];
    const name = inert(url, 60);
    const out: string[] = [];
    const values = signed.flatMap((s) => has.get(s) ?? []);
    if (signed.length && !values.length) out.push(`${name} has no ${signed[0]}`);
    if (values.some(madeUp)) out.push(`${name} has an empty or placeholder signature`);
    const banned = forbidden.find((f) => matchesName(`*${f}*`, url));
    if (banned) out.push(`${name} points to ${banned}`);
    const declared = length === undefined ? undefined : has.get(length);
    const size = declared === undefined ? undefined : localSize(project, fileName(url));
    if (size !== undefined && Number(declared) !== size)
      out.push(`${name} declares length ${inert(declared!, 20)}, the local file has ${size}`);
    return out;
  });
}

/** A Homebrew cask is Ruby: the version, the address made with it, and the hash of what lies there. */
function caskProblems(text: string, project: Project): string[] {
  const bare = text.replace(/^\s*#.*$/gm, "");
  const out: string[] = [];
  // One hash, or one for each architecture: `sha256 arm: "...", intel: "..."`.
  const statements = [...bare.matchAll(/\bsha256\b\s*\(?\s*((?:[^\n,]{1,100},\s*){0,8}[^\n]{0,200})/g)].map(
    (m) => m[1]!,
  );
  if (!statements.length && /\burl\s+["']/.test(bare)) out.push("the cask has no sha256: anything could be installed");
  if (statements.some((s) => /(?:^|:\s*):no_check\b/.test(s)))
    out.push("the cask has sha256 :no_check: anything could be installed");
  const version = /\bversion\s+["']([^"']+)["']/.exec(bare)?.[1] ?? "";
  const url = /\burl\s+["']([^"']+)["']/.exec(bare)?.[1]?.replaceAll("#{version}", version);
  const path = url === undefined ? undefined : localPath(project, fileName(url));
  for (const statement of statements) {
    const hashes = [...statement.matchAll(/["']([^"']*)["']/g)].map((m) => m[1]!);
    const bad = hashes.find((hash) => !/^[0-9a-f]{64}$/i.test(hash));
    if (bad !== undefined) out.push(`the cask has no real sha256: ${inert(bad, 30)}`);
    else if (hashes.length && path !== undefined && !hashes.some((hash) => artifactHash(path) === hash.toLowerCase()))
      out.push(`the cask's sha256 is not that of ${inert(fileName(url!).replace(/^.*\//, ""), 60)}`);
  }
  return out;
}

function attributes(body: string): Map<string, string> {
  const found = [...body.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(found.map(([, name, double, single]) => [name!, decoded(double ?? single ?? "")]));
}

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|amp);/gi, (_, ten?: string, sixteen?: string) =>
    (ten ?? sixteen) ? String.fromCodePoint(ten ? Number(ten) : Number.parseInt(sixteen!, 16)) : "&",
  );

/** A real signature is long and has no spaces; only a short one is searched for placeholder words. */
const madeUp = (value: string): boolean =>
  !/^[\w+/=:.-]{20,}$/.test(value) ||
  /^(.)\1*$/.test(value) ||
  (value.length < 60 && /placeholder|todo|fixme|replace|your[_-]|signature|xxx|\.\.\./i.test(value));

function fileName(url: string): string {
  const path = url.split(/[?#]/)[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a stray percent sign is part of the name
  }
}
