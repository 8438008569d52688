// Programs that show files' content, and the options by which some of them write or run something after all.
// Invariant: a file whose content could appear in the output is a read; listing names or attributes is none.
import { tools } from "../spec/interpret.js";

export const readers = tools(
  "readers",
  `
tool cat
  options A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting l
  otherwise read rest
tool tac rev tsort
  options b|before r|regex s|separator= 0
  otherwise read rest
tool comm
  options 1 2 3 i check-order nocheck-order output-delimiter= total z|zero-terminated
  otherwise read rest
tool join
  options 1= 2= a= e= i|ignore-case j= o= t= v= check-order nocheck-order header z|zero-terminated
  otherwise read rest
tool look col colcrt ul bzless bzmore bzgrep xzless xzmore lzcat lzless zstdless
  otherwise read rest
tool nl
  options b|body-numbering= d|section-delimiter= f|footer-numbering= h|header-numbering= i|line-increment= v= w=
    l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= starting-line-number= number-width=
  otherwise read rest
tool expand unexpand
  options t|tabs= i|initial a|all first-only
  otherwise read rest
tool fold paste
  options w|width= b|bytes d|delimiters= s|spaces|serial z|zero-terminated
  otherwise read rest
# -p takes a prefix with GNU only, -t a width with BSD only.
tool fmt
  options w|width= g|goal= prefix= c|crown-margin s|split-only tagged-paragraph u|uniform-spacing
  otherwise read rest
tool pr
  options h|header= l|length= w|width= o|indent= N|first-line-number= W|page-width= D|date-format= s=? S=? n=? e=? i=?
    a d f F J m r t T v c
  otherwise read rest
tool column colrm
  options s|separator= o|output-separator= c|output-width= N|table-columns= l|table-columns-limit= E|table-noextreme=
    H|table-hide= O|table-order= R|table-right= T|table-truncate= W|table-wrap= n|table-name= r|tree= i|tree-id=
    p|tree-parent= t|table d|table-noheadings e|table-header-repeat x|fillrows J|json L|keep-empty-lines C|table-column=
  otherwise read rest
tool iconv
  options f|from-code= t|to-code= o|output=write l|list c s|silent verbose byte-subst= unicode-subst=
  otherwise read rest
tool head tail
  options n|lines= c|bytes= s|sleep-interval= pid= max-unchanged-stats= f follow=? F retry q|quiet v|verbose r b=
    z|zero-terminated
  otherwise read rest
tool more most pg
  options n|lines= d f l c p s u e
  otherwise read rest
tool less zless zmore zcat gzcat bzcat xzcat zstdcat lz4cat
  style plus
  options k|lesskey-file=read lesskey-src=read T|tag-file=read o|log-file=write O|LOG-FILE=write p|pattern= b|buffers=
    h= j=
    x|tabs= y= z|window= P|prompt= D= t|tag= N S R X F i I n m M q Q r s u w W E e a A c C d f g G J K L U V ~
    quit-if-one-screen
  otherwise read rest
tool zdiff zcmp
  otherwise read rest
tool bat batcat
  options l|language= r|line-range= H|highlight-line= theme= style= paging= pager=shell m|map-syntax= wrap= tabs= color=
    decorations= file-name= terminal-width= diff-context= italic-text= ignored-suffix= squeeze-limit= A|show-all p|plain
    d|diff n|number f|force-colorization P u|unbuffered L|list-languages list-themes diagnostic config-file s S
  otherwise read rest
tool glow mdcat
  options w|width= s|style= p|pager|paginate a|all l|local n|line-numbers P|no-pager config= columns= fail
    preserve-new-lines mouse t|tui
  otherwise read rest
tool pygmentize
  options o=write l= f= O= S= P= F= a= g N V L C H= s x v
  otherwise read rest
tool highlight
  options o|output=write i|input=read O|out-format= S|syntax= s|style= l|line-numbers a I|include-style
  otherwise read rest
# What is counted or summed up is not shown.
tool wc
  options files0-from=read total= c|bytes m|chars l|lines L|max-line-length w|words
  otherwise read rest use
tool {md5,sha1,sha224,sha256,sha384,sha512,b2,b3,ck,sha,xxh,xxh64}sum sum md5 crc32
  options a|algorithm= l|length= b|binary c|check t|text tag z|zero q|quiet status strict w|warn ignore-missing r
  otherwise read rest use
tool sort gsort
  options o|output=write compress-program=program files0-from=read random-source=read k|key= S|buffer-size=
    t|field-separator= T|temporary-directory= batch-size= parallel= sort= b d f g i M h n R r V c=? C m s u z debug
    check=?
  otherwise read rest
tool uniq
  options f|skip-fields= s|skip-chars= w|check-chars= group=? all-repeated=? c|count d|repeated D i|ignore-case
    u|unique z
  otherwise read first, write 2
tool shuf
  options o|output=write random-source=read n|head-count= i|input-range= e|echo r|repeat z|zero-terminated
  --echo : quiet
  otherwise read rest
tool cut
  options b|bytes= c|characters= d|delimiter= f|fields= output-delimiter= n s|only-delimited complement z
  otherwise read rest
tool tr
  otherwise quiet
tool diff colordiff sdiff diff3 wdiff
  options from-file=read to-file=read o|output=write X|exclude-from=read diff-program=program U|unified= C= L|label= S=
    I|ignore-matching-lines= x|exclude= F|show-function-line= W|width= tabsize= line-format= old-line-format= c
    new-line-format= unchanged-line-format= color=? horizon-lines= starting-file= u r|recursive q|brief y|side-by-side
    i w b B a
    N|new-file s p t T l d e n E Z context=? strip-trailing-cr suppress-common-lines m A
  otherwise read rest
tool cmp
  options i|ignore-initial= n|bytes= b|print-bytes l|verbose s|silent|quiet
  otherwise read 1, read 2
tool delta difft dwdiff icdiff
  options width= syntax-theme= w= n|line-numbers s|side-by-side d|diff-filter= features= U= L= cols= N u|unified=
    display= color= context= background= language= override=
  otherwise read rest
tool od
  options A|address-radix= j|skip-bytes= N|read-bytes= S= strings=? t|format= w|width=? a b c d f h i l o s x e
    v|output-duplicates endian= traditional
  otherwise read rest
tool hexdump hd
  options f|format-file=read e|format= n|length= s|skip= L|color=? C|canonical b|one-byte-octal c|one-byte-char
    d|two-bytes-decimal o|two-bytes-octal x|two-bytes-hex X|one-byte-hex v|no-squeezing
  otherwise read rest
tool hexyl
  options n|length= s|skip= v|no-squeezing border= color= block-size= o|display-offset= panels= C|characters
    P|no-position
    p|plain terminal-width= character-table= g|group-size= endianness=
  otherwise read rest
tool strings
  options n|bytes= t|radix= e|encoding= T|target= s|output-separator= a|all d|data f|print-file-name o
    w|include-all-whitespace
  otherwise read rest
tool objdump
  options j|section= M|disassembler-options= m|architecture= b|target= start-address= stop-address= a f h p P= x d D
    disassemble=? S source-comment=? s|full-contents g e G W=? dwarf=? t T r R w z l C|demangle=? F|file-offsets
  otherwise read rest
tool readelf
  options x|hex-dump= p|string-dump= R|relocated-dump= w=? debug-dump=? a h l S g t e s n r u d V A c D I W
    C|demangle=? all file-header program-headers sections section-headers headers syms symbols dyn-syms notes relocs
    dynamic wide
  otherwise read rest
# What a letter takes differs between them.
tool nm size ldd otool addr2line c++filt dwarfdump
  options demangle=? radix= exe= target= section= debug-dump=?
  otherwise read rest
tool base64 base32 basenc uuencode
  options i|input=read o|output=write w|wrap= b|break= d|D|decode m|base64 ignore-garbage base64url base32hex base16 z85
  otherwise read rest
tool uudecode
  options o|output-file=write p c i
  otherwise read rest
tool zipinfo zipdetails lsar mediainfo identify pdfinfo pdffonts jless fx gron
  otherwise read rest
tool pdftotext
  style one-dash
  options f= l= r= x= y= W= H= enc= eol= layout raw nopgbrk bbox q opw= upw= fixed= htmlmeta tsv
  otherwise read first, write 2
tool csvgrep
  options f|file=read c|columns= m|match= r|regex= d|delimiter= q|quotechar= e|encoding= n|names i|invert-match a t H
  otherwise read rest
tool csvlook csvstat csvcut csvsort csvjson in2csv
  options f|format= c|columns= m|match= d|delimiter= r|regex= q|quotechar= e|encoding= n|names i|invert-match
    sheet= k|key= I|no-inference S t H y|snifflimit= K|skip-lines= x C|not-columns=
  otherwise read rest
tool xxd
  options c|cols= g|groupsize= l|len= n|name= o= s|seek= R= r|revert p|ps|plain b|bits i|include u E e a|autoskip C d
  otherwise read first, write 2
tool date gdate
  options f|file=read r|reference= d|date= s|set= I|iso-8601=? v= j R|rfc-email u|utc|universal rfc-3339= n z=
  --set : unknown "sets the clock"
  otherwise quiet

# Listing and attributes: no content is shown.
tool ls dir vdir eza exa lsd stat gstat du df lsattr getfacl lsof readlink realpath namei pathchk basename dirname
tool dust duf mountpoint
  otherwise quiet
tool ncdu gdu
  options o|output-file=write O=write f|input-file=read exclude= X|exclude-from=read i|ignore-dirs= t|threads=
  otherwise quiet
tool tree
  options o=write fromfile L= P= I= filelimit= charset= H= T= a d l f x i q N Q p u g s h D F t r C n J X timefmt= sort=
    gitignore prune dirsfirst noreport du si inodes device matchdirs gitfile= infofile=
  --fromfile : read rest
  otherwise quiet
tool file
  options f|files-from=read m|magic-file=read F|separator= e|exclude= P|parameter= b|brief i|mime L k r s z Z 0 c C h
    N n p
    E S mime-type mime-encoding extension apple
  otherwise quiet
`,
);
