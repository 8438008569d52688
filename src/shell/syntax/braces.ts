// Brace expansion on the source text of a word, as bash does it before anything else.
// Invariant: quotes and substitutions are kept whole; more results than the bound means `undefined`, not fewer results.

const most = 512;

export function expandBraces(text: string): string[] | undefined {
  const out: string[] = [];
  const pending: string[] = [text];
  let work = 0;
  while (pending.length) {
    const word = pending.pop()!;
    if (++work > most * 4 || word.length > 16_384) return undefined;
    const group = firstGroup(word);
    if (!group) {
      out.push(word);
      if (out.length > most) return undefined;
      continue;
    }
    const before = word.slice(0, group.from);
    const after = word.slice(group.to);
    for (let at = group.items.length - 1; at >= 0; at--) pending.push(before + group.items[at]! + after);
    if (pending.length > most) return undefined;
  }
  return out;
}

interface Group {
  from: number;
  to: number;
  items: string[];
}

function firstGroup(text: string): Group | undefined {
  for (let at = 0; at < text.length; at = skip(text, at)) {
    if (text[at] !== "{" || (at > 0 && text[at - 1] === "$")) continue;
    const group = groupAt(text, at);
    if (group) return group;
  }
  return undefined;
}

function groupAt(text: string, from: number): Group | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at = skip(text, at)) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "," && depth === 1) commas.push(at);
    else if (char === "}" && --depth === 0) {
      const inner = text.slice(from + 1, at);
      if (commas.length) {
        const edges = [from, ...commas, at];
        const items = edges.slice(1).map((edge, index) => text.slice(edges[index]! + 1, edge));
        return { from, to: at + 1, items };
      }
      const items = sequence(inner);
      return items && { from, to: at + 1, items };
    }
  }
  return undefined;
}

function sequence(inner: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const found = numbers ?? letters;
  if (!found) return undefined;
  const first = numbers ? Number(found[1]) : found[1]!.charCodeAt(0);
  const last = numbers ? Number(found[2]) : found[2]!.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(found[3] ?? 1)));
  if (Math.abs(last - first) / step > most) return Array.from({ length: most + 1 }, () => inner);
  const width = numbers && /^-?0\d/.test(found[1]! + found[2]!) ? Math.max(found[1]!.length, found[2]!.length) : 0;
  const items: string[] = [];
  for (let at = first; first <= last ? at <= last : at >= last; at += first <= last ? step : -step)
    items.push(numbers ? String(at).padStart(width, "0") : String.fromCharCode(at));
  return items;
}

/** The position after the character, quoted string, escape or substitution at `at`. */
function skip(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'") return after(text, text.indexOf("'", at + 1));
  if (char === '"' || char === "`") {
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === "\\") end++;
      else if (text[end] === char) return end + 1;
    }
    return text.length;
  }
  if (char === "$" && (text[at + 1] === "(" || text[at + 1] === "{")) {
    const [open, close] = text[at + 1] === "(" ? ["(", ")"] : ["{", "}"];
    let depth = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === "\\") end++;
      else if (text[end] === open) depth++;
      else if (text[end] === close && --depth === 0) return end + 1;
    }
    return text.length;
  }
  return at + 1;
}

const after = (text: string, found: number): number => (found < 0 ? text.length : found + 1);
