// Programs that show files' content, and the options by which some of them write or run something after all.
// Invariant: a file whose content could appear in the output is a read; listing names or attributes is none.
import { tools } from "../spec/interpret.js";

export const readers = tools(
  "readers",
  `
tool cat tac rev comm join tsort look col colcrt ul bzless bzmore bzgrep xzless xzmore lzcat lzless zstdless
tool most pg zless zmore zcat gzcat bzcat xzcat zstdcat lz4cat zdiff zcmp
tool zipinfo zipdetails lsar mediainfo identify pdfinfo pdffonts jless fx gron
  otherwise read rest
tool nl expand unexpand fold fmt pr paste
  options s|separator= d|delimiters= w|width= t|tabs= b= h= l= v= i= o= c|output-width= N= n=
  otherwise read rest
tool column colrm
  options s|separator= o|output-separator= c|output-width= N|table-columns= l= E= H= O= R= T= W= n= t|table
  otherwise read rest
tool iconv
  options o|output=write f|from-code= t|to-code= c s|silent
  otherwise read rest
tool head
  options n|lines= c|bytes= q|quiet v|verbose z|zero-terminated
  otherwise read rest
tool tail
  options n|lines= c|bytes= s|sleep-interval= pid= max-unchanged-stats= f|follow=? F retry q|quiet v|verbose r
  otherwise read rest
tool more
  options n|lines= d f l c p s u e
  otherwise read rest
tool less
  style plus
  options k|lesskey-file=read lesskey-src=read T|tag-file=read o|log-file=write O|LOG-FILE=write p|pattern= b|buffers=
    h= j= x|tabs= y= z|window= P|prompt= D= t|tag= R S N F X e E i I r
  otherwise read rest
tool bat batcat
  options l|language= r|line-range= H|highlight-line= theme= style= paging= pager= m|map-syntax= wrap= tabs= color=
    decorations= file-name= terminal-width= p|plain n|number A|show-all f|force-colorization diff
  otherwise read rest
tool glow mdcat pygmentize highlight
  options o=write w= s= l= f= O= S= p
  otherwise read rest
# What is counted is not shown.
tool wc
  options files0-from=read total= l|lines w|words c|bytes m|chars L|max-line-length
  otherwise read rest use
tool md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5 crc32 xxhsum xxh64sum
  options a|algorithm= l|length= s= c|check b|binary t|text q|quiet r
  otherwise read rest use
tool sort gsort
  options o|output=write compress-program=program files0-from=read random-source=read k|key= S|buffer-size=
    t|field-separator= T|temporary-directory= batch-size= parallel= sort= u|unique n|numeric-sort r|reverse
    V|version-sort h|human-numeric-sort f|ignore-case b d g i M R s|stable z c C m
  otherwise read rest
tool uniq
  options f|skip-fields= s|skip-chars= w|check-chars= group= all-repeated=? c|count d|repeated D u|unique
    i|ignore-case z
  otherwise read first, write 2+
tool shuf
  options o|output=write random-source=read n|head-count= i|input-range= e|echo r|repeat z
  otherwise read rest
tool cut
  options b|bytes= c|characters= d|delimiter= f|fields= output-delimiter= s|only-delimited complement n z
  otherwise read rest
tool diff colordiff sdiff diff3 wdiff
  options from-file=read to-file=read o|output=write X|exclude-from=read diff-program=program U|unified= C|context=
    L|label= I|ignore-matching-lines= x|exclude= S|starting-file= F|show-function-line= W|width= tabsize= line-format=
    old-line-format= new-line-format= unchanged-line-format= color= horizon-lines= u c q|brief r|recursive
    N|new-file i|ignore-case w|ignore-all-space b|ignore-space-change B|ignore-blank-lines y|side-by-side a|text s e n
  otherwise read rest
tool cmp
  options i|ignore-initial= n|bytes= s|quiet|silent l|verbose b|print-bytes
  otherwise read 1, read 2
tool delta difft dwdiff icdiff
  options width= syntax-theme=
  otherwise read rest
tool od hexdump hd
  options f=read A|address-radix= j|skip-bytes= N|read-bytes= S|strings= t|format= e= n= s= w|width=? C v c x b o d
  otherwise read rest
tool hexyl
  options n|length= s|skip= c= border= color=
  otherwise read rest
tool strings nm objdump readelf size ldd otool addr2line c++filt dwarfdump
  options n|bytes= t|radix= encoding= T|target= s|section= j|section-name= M|disassembler-options= w|debug-dump=?
    e|exe=
    a|all d|disassemble D g S h l L r v A C f
  otherwise read rest
tool base64 base32 basenc uuencode
  options i|input=read o|output=write w|wrap= b|break= d|D|decode ignore-garbage
  otherwise read rest
tool uudecode
  options o|output-file=write
  otherwise read rest
tool pdftotext
  style one-dash
  options f= l= r= x= y= W= H= enc= eol= layout raw nopgbrk
  otherwise read first, write 2+
tool csvlook csvstat csvcut csvgrep csvsort csvjson in2csv
  options f|file=read c|columns= m|match= d|delimiter= r|regex= format=
  otherwise read rest
tool xxd
  options c|cols= g|groupsize= l|len= n|name= o= s|seek= R= r|revert p|ps|plain b|bits i|include u E e a|autoskip C d
  otherwise read first, write 2+
tool date gdate
  options f|file=read r|reference= d|date= s|set= I|iso-8601=? v= j= u|utc|universal R|rfc-email
  otherwise quiet
tool tr
  otherwise quiet

# Listing and attributes: no content is shown.
tool ls dir vdir eza exa lsd stat gstat du df lsattr getfacl lsof readlink realpath namei pathchk basename dirname
tool dust duf
tool ncdu gdu mountpoint
  otherwise quiet
tool tree
  options o=write fromfile=read L= P= I= filelimit= charset= H= T= a d f i s h D C J X
  otherwise quiet
tool file
  options f|files-from=read m|magic-file=read F|separator= e|exclude= P|parameter= b|brief i|mime k L z
  otherwise quiet
`,
);
