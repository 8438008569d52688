// Programs that show files' content, and the options by which some of them write or run something after all.
// Invariant: a file whose content could appear in the output is a read; listing names or attributes is none.
import { families, type Row } from "./table.js";

const rows: Row[] = [
  { names: "cat tac rev comm join tsort look col colcrt ul bzless bzmore bzgrep xzless xzmore lzcat lzless zstdless" },
  {
    names: "nl expand unexpand fold fmt pr paste",
    takes: "s|separator= d|delimiters= w|width= t|tabs= b= h= l= v= i= o= c|output-width= N= n=",
  },
  {
    names: "column colrm",
    takes: "s|separator= o|output-separator= c|output-width= N|table-columns= l= E= H= O= R= T= W= n=",
  },
  { names: "iconv", options: { "o|output=": "write" }, takes: "f|from-code= t|to-code=" },
  { names: "head", takes: "n|lines= c|bytes=" },
  { names: "tail", takes: "n|lines= c|bytes= s|sleep-interval= pid= max-unchanged-stats=" },
  { names: "more", takes: "n|lines=" },
  {
    names: "less",
    options: {
      "k|lesskey-file=": "read",
      "lesskey-src=": "read",
      "T|tag-file=": "read",
      "o|log-file=": "write",
      "O|LOG-FILE=": "write",
    },
    takes: "p|pattern= b|buffers= h= j= x|tabs= y= z|window= P|prompt= D= t|tag=",
    style: { plus: true },
  },
  { names: "most pg zless zmore zcat gzcat bzcat xzcat zstdcat lz4cat zdiff zcmp" },
  {
    names: "bat batcat",
    takes:
      "l|language= r|line-range= H|highlight-line= theme= style= paging= pager= m|map-syntax= wrap= tabs= color= decorations= file-name= terminal-width=",
  },
  { names: "glow mdcat pygmentize highlight", takes: "w= s= l= f= O= S=", options: { "o=": "write" } },
  // What is counted is not shown.
  { names: "wc", options: { "files0-from=": "read" }, takes: "total=", how: "use" },
  {
    names: "sort gsort",
    options: { "o|output=": "write", "compress-program=": "program", "files0-from=": "read", "random-source=": "read" },
    takes: "k|key= S|buffer-size= t|field-separator= T|temporary-directory= batch-size= parallel= sort=",
  },
  {
    names: "uniq",
    takes: "f|skip-fields= s|skip-chars= w|check-chars= group= all-repeated=?",
    operands: ["read", "write"],
  },
  {
    names: "shuf",
    options: { "o|output=": "write", "random-source=": "read" },
    takes: "n|head-count= i|input-range= e|echo",
  },
  { names: "cut", takes: "b|bytes= c|characters= d|delimiter= f|fields= output-delimiter=" },
  { names: "tr", operands: "none" },
  {
    names: "diff colordiff sdiff diff3 wdiff",
    options: {
      "from-file=": "read",
      "to-file=": "read",
      "o|output=": "write",
      "X|exclude-from=": "read",
      "diff-program=": "program",
    },
    takes:
      "U|unified= C|context= L|label= I|ignore-matching-lines= x|exclude= S|starting-file= F|show-function-line= W|width= tabsize= line-format= old-line-format= new-line-format= unchanged-line-format= color= horizon-lines=",
  },
  { names: "cmp", takes: "i|ignore-initial= n|bytes=", operands: ["read", "read", "none"] },
  { names: "delta difft dwdiff icdiff", takes: "width= syntax-theme=" },
  {
    names: "od hexdump hd",
    options: { "f=": "read" },
    takes: "A|address-radix= j|skip-bytes= N|read-bytes= S|strings= t|format= e= n= s= w|width=?",
  },
  { names: "hexyl", takes: "n|length= s|skip= c= border= color=" },
  {
    names: "strings nm objdump readelf size ldd otool addr2line c++filt dwarfdump",
    takes:
      "n|bytes= t|radix= e|encoding= T|target= s|section= j|section-name= M|disassembler-options= w|debug-dump=? e|exe=",
  },
  {
    names:
      "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5 crc32 xxhsum xxh64sum",
    takes: "a|algorithm= l|length= s=",
    how: "use",
  },
  {
    names: "base64 base32 basenc uuencode",
    options: { "i|input=": "read", "o|output=": "write" },
    takes: "w|wrap= b|break=",
  },
  { names: "uudecode", options: { "o|output-file=": "write" } },
  { names: "zipinfo zipdetails lsar mediainfo identify pdfinfo pdffonts" },
  {
    names: "pdftotext",
    takes: "f= l= r= x= y= W= H= enc= eol=",
    operands: ["read", "write"],
    style: { oneDash: true },
  },
  {
    names: "csvlook csvstat csvcut csvgrep csvsort csvjson in2csv",
    takes: "c|columns= m|match= d|delimiter= r|regex= f|format=",
    options: { "f|file=": "read" },
  },
  { names: "jless fx gron" },
  {
    names: "xxd",
    takes:
      "c|cols= g|groupsize= l|len= n|name= o= s|seek= R= r|revert p|ps|plain b|bits i|include u E e a|autoskip C d",
    operands: ["read", "write"],
  },
  {
    names: "date gdate",
    options: { "f|file=": "read", "r|reference=": "none" },
    takes: "d|date= s|set= I|iso-8601=? v= j=",
    operands: "none",
  },
];

/** Listing and attributes: no content is shown. `tree -o` writes its listing. */
const listing: Row[] = [
  {
    names:
      "ls dir vdir eza exa lsd stat gstat du df lsattr getfacl lsof readlink realpath namei pathchk basename dirname dust duf ncdu gdu mountpoint",
    operands: "none",
  },
  {
    names: "tree",
    options: { "o=": "write", "fromfile=": "read" },
    takes: "L= P= I= filelimit= charset= H= T=",
    operands: "none",
  },
  {
    names: "file",
    options: { "f|files-from=": "read", "m|magic-file=": "read" },
    takes: "F|separator= e|exclude= P|parameter=",
    operands: "none",
  },
];

export const readers = [...families(rows), ...families(listing)];
