// Compressors that replace a file by its packed or unpacked form.
// Invariant: without -c or -k the named file goes away and its counterpart is written.

import type { Arg, ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksHelp, isStream } from "./table.js";

const suffixes: Record<string, string> = {
  gzip: ".gz",
  pigz: ".gz",
  bzip2: ".bz2",
  pbzip2: ".bz2",
  lbzip2: ".bz2",
  xz: ".xz",
  pixz: ".xz",
  lzma: ".lzma",
  zstd: ".zst",
  lz4: ".lz4",
  lzip: ".lz",
  lzop: ".lzo",
  brotli: ".br",
  compress: ".Z",
  ncompress: ".Z",
};
const unpackers: Record<string, string> = {
  gunzip: ".gz",
  bunzip2: ".bz2",
  unxz: ".xz",
  unlzma: ".lzma",
  unzstd: ".zst",
  unlz4: ".lz4",
  uncompress: ".Z",
  unpigz: ".gz",
};

const grammar = syntax(
  "c|to-stdout|stdout d|uncompress|decompress k|keep l|list t|test f|force r|recursive S|suffix= o|output= output-dir-flat= D= T|threads= p|processes= b= m= B= rm q v block-size= memlimit= format= C|check= files=? files0=?",
);

/** These keep their input unless told otherwise. */
const keepsInput = /^(zstd|unzstd|lz4|unlz4|brotli|lzop)$/;

const compressors: ToolFamily = {
  names: [...Object.keys(suffixes), ...Object.keys(unpackers)],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, grammar);
    const unpacks = call.name in unpackers || given.has("decompress");
    const suffix = given.value("suffix")?.value ?? suffixes[call.name] ?? unpackers[call.name] ?? "";
    const output = given.value("output");
    const recursive = given.has("recursive") ? { recursive: true } : {};
    for (const file of given.operands) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} reads it`, recursive);
      if (given.has("stdout", "list", "test")) continue;
      emit.write(output ?? counterpart(file, suffix, unpacks), `${call.name} writes it`, recursive);
      if (!given.has("keep") && (!keepsInput.test(call.name) || given.has("rm")))
        emit.delete(file, `${call.name} replaces it`, recursive);
    }
    if (output && given.operands.length === 0 && !isStream(output)) emit.write(output, `${call.name} -o`);
  },
};

function counterpart(file: Arg, suffix: string, unpacks: boolean): Arg {
  if (file.value === undefined) return file;
  const value = unpacks
    ? file.value.endsWith(suffix)
      ? file.value.slice(0, -suffix.length)
      : file.value.replace(/\.[^./]+$/, "")
    : file.value + suffix;
  return { ...file, source: value, value, prefix: value };
}

export const compression = [compressors];
