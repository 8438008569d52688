// Compressors that replace a file by its packed or unpacked form.
// Invariant: without -c or -k the named file goes away and its counterpart is written.

import type { Arg } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { isStream } from "../spec/options.js";

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

/** These keep their input unless told otherwise. */
const keepsInput = /^(zstd|unzstd|lz4|unlz4|brotli|lzop)$/;

const code: Code = {
  compress({ call, given }, emit) {
    const unpacks = call.name in unpackers || given.has("decompress");
    const suffix = given.value("suffix")?.value ?? suffixes[call.name] ?? unpackers[call.name] ?? "";
    const output = given.value("output");
    const recursive = given.has("recursive") ? { recursive: true } : {};
    for (const file of given.operands) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} reads it`, recursive);
      emit.write(output ?? counterpart(file, suffix, unpacks), `${call.name} writes it`, recursive);
      if (!given.has("keep") && (!keepsInput.test(call.name) || given.has("rm")))
        emit.delete(file, `${call.name} replaces it`, recursive);
    }
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

export const compression = tools(
  "compress",
  `
tool gzip pigz bzip2 pbzip2 lbzip2 xz pixz lzma zstd lz4 lzip lzop brotli compress ncompress
tool gunzip bunzip2 unxz unlzma unzstd unlz4 uncompress unpigz
  options c|to-stdout|stdout d|uncompress|decompress k|keep l|list t|test f|force r|recursive S|suffix= o|output= D=
    T|threads= output-dir-flat= p|processes= b= m= B= rm q|quiet v|verbose block-size= memlimit= format= C|check=
    files=? files0=? n|no-name N|name a z|compress e|extreme best fast=? ultra long=? s|small L= R|rsyncable
    single-stream patch-from= train
  --recursive --stdout|list|test : read rest tree
  --stdout|list|test : read rest
  #0 : write --output
  otherwise do compress
`,
  code,
);
