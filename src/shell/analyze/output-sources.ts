// Programs by what their output is: text from elsewhere, or text that was hidden.
// Invariant: names only; nothing here decides what happens with the text.
import { wordSet } from "../word-set.js";

const downloaders = wordSet(`network curl wget wget2 fetch aria2c lynx links elinks http https xh httpie
  nc ncat netcat socat telnet scp sftp ftp axel w3m dig nslookup host`);
const decoders = wordSet(`base64 base32 basenc gbase64 xxd openssl gpg gunzip zcat bzcat xzcat gzip bzip2 xz
  uudecode rev tr zstd zstdcat lzma lzcat brotli lz4 uncompress`);

/** Programs that bring text from elsewhere. */
export const downloads = (name: string): boolean => downloaders.has(name);

/** Programs that turn unreadable text into a readable one. */
export const decodes = (name: string): boolean => decoders.has(name);
