// What simple filters print when their input is static: enough to follow `echo ... | base64 -d | sh`.
// Invariant: an answer is exact; anything not modelled to the letter is undefined.
import { longestText } from "../longest-text.js";
import type { Arg } from "./tool.js";

const longest = longestText;

export function staticOutput(name: string, args: readonly Arg[], stdin: string | undefined): string | undefined {
  const words = args.map((arg) => arg.value);
  if (words.includes(undefined) || args.some((arg) => arg.glob)) return undefined;
  const output = (printers[name] ?? interpreted(name))?.(words as string[], stdin);
  return output !== undefined && output.length <= longest ? output : undefined;
}

/** `python3 -c "print('x')"` and its kin: one plain text and nothing else. */
function interpreted(name: string): ((words: string[]) => string | undefined) | undefined {
  const prints = programs.find(([names]) => names.test(name));
  if (!prints) return undefined;
  const [, option, program, end] = prints;
  return ([flag = "", text = "", ...rest]) => {
    const plain = rest.length === 0 && option.test(flag) ? program.exec(text) : null;
    return plain ? (plain[1] ?? plain[2])! + end : undefined;
  };
}

const plainText = String.raw`(?:'([^'\\$@#{]*)'|"([^"\\$@#{]*)")`;
const one = (before: string, after = ""): RegExp => new RegExp(`^\\s*${before}\\s*${plainText}\\s*${after};?\\s*$`);
const programs: [RegExp, RegExp, RegExp, string][] = [
  [/^python[23]?(\.\d+)?$/, /^-c$/, one("print\\(", "\\)"), "\n"],
  [/^(node|nodejs|bun)$/, /^(-e|--eval)$/, one("console\\.log\\(", "\\)"), "\n"],
  [/^ruby$/, /^-e$/, one("puts[ (]", "\\)?"), "\n"],
  [/^perl$/, /^-e$/, one("print[ (]", "\\)?"), ""],
  [/^perl$/, /^-E$/, one("say[ (]", "\\)?"), "\n"],
  [/^php$/, /^-r$/, one("echo"), ""],
];

const printers: Record<string, (words: string[], stdin: string | undefined) => string | undefined> = {
  echo(words) {
    let newline = "\n";
    let escapes = false;
    let at = 0;
    for (; /^-[neE]+$/.test(words[at] ?? ""); at++) {
      if (words[at]!.includes("n")) newline = "";
      if (words[at]!.includes("e")) escapes = true;
    }
    const text = words.slice(at).join(" ");
    return (escapes ? interpret(text) : text) + newline;
  },
  printf(words) {
    const [format, ...values] = words[0] === "--" ? words.slice(1) : words;
    if (format === undefined || format === "-v") return undefined;
    let out = "";
    let next = 0;
    do {
      const before = next;
      let failed = false;
      out += interpret(format, true).replace(/%(%|-?\d*[sdbcqxo])/g, (_, directive: string) => {
        if (directive === "%") return "%";
        const value = values[next++] ?? "";
        if (directive === "s") return value;
        if (directive === "d" && /^-?\d+$/.test(value)) return value;
        if (directive === "b") return interpret(value);
        if (directive === "c") return value.slice(0, 1);
        failed = true;
        return "";
      });
      if (failed || out.length > longest) return undefined;
      if (next === before) break;
    } while (next < values.length);
    return out;
  },
  cat(words, stdin) {
    if (words.length > 0 && words.every((word) => word === "/dev/null")) return "";
    return words.length === 0 || words.join() === "-" ? stdin : undefined;
  },
  true: () => "",
  ":": () => "",
  base64(words, stdin) {
    if (stdin === undefined || !words.every((word) => /^(-d|-D|--decode|--d\w*|-i|-di|-id)$/.test(word)))
      return undefined;
    return words.length ? binary(Buffer.from(stdin, "base64")) : `${Buffer.from(stdin, "utf8").toString("base64")}\n`;
  },
  xxd(words, stdin) {
    const flags = words.join("");
    if (stdin === undefined || !/^(-r-p|-p-r|-rp|-pr|-r-ps|-ps-r)$/.test(flags)) return undefined;
    return binary(Buffer.from(stdin.replace(/\s/g, ""), "hex"));
  },
  rev: (words, stdin) =>
    words.length === 0
      ? stdin
          ?.split("\n")
          .map((line) => [...line].reverse().join(""))
          .join("\n")
      : undefined,
  tr(words, stdin) {
    if (stdin === undefined) return undefined;
    if (words.length === 2 && words[0] === "-d") {
      const set = ranges(words[1]!);
      return set && [...stdin].filter((char) => !set.includes(char)).join("");
    }
    const from = ranges(words[0] ?? "");
    const to = ranges(words[1] ?? "");
    if (words.length !== 2 || !from || !to?.length || words[0]!.startsWith("-")) return undefined;
    return [...stdin].map((char) => (from.includes(char) ? (to[from.lastIndexOf(char)] ?? to.at(-1)!) : char)).join("");
  },
  basename: ([path, suffix], _) => {
    if (path === undefined || path.startsWith("-")) return undefined;
    const base = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
    return `${suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base}\n`;
  },
  dirname: (words) => {
    if (words.length !== 1 || words[0]!.startsWith("-")) return undefined;
    const path = words[0]!.replace(/\/+$/, "");
    const slash = path.lastIndexOf("/");
    return `${slash < 0 ? "." : slash === 0 ? "/" : path.slice(0, slash)}\n`;
  },
  which: (words) => (words.length === 1 && /^[\w.-]+$/.test(words[0]!) ? `/usr/bin/${words[0]}\n` : undefined),
};

function binary(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? undefined : text;
}

function ranges(set: string): string | undefined {
  if (/[[\]\\]/.test(set)) return set === "\\n" ? "\n" : undefined;
  return set.replace(/(.)-(.)/gs, (_, from: string, to: string) => {
    let out = "";
    for (let code = from.codePointAt(0)!; code <= to.codePointAt(0)! && out.length < 256; code++)
      out += String.fromCodePoint(code);
    return out;
  });
}

function interpret(text: string, format = false): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([abefnrtv\\"'c]))/g,
    (whole, hex, short, long, octal, letter) => {
      const code = hex ?? short ?? long;
      if (code) return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : whole;
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      if (letter === "\\") return "\\";
      if (letter === '"' || letter === "'") return format ? letter : whole;
      return (
        { a: "\x07", b: "\b", e: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", c: "" }[letter as string] ?? whole
      );
    },
  );
}
