// Programs that show files' content, and the options by which some of them write or run something after all.
// Invariant: a file whose content could appear in the output is a read; listing names or attributes is none.
import { tools } from "../spec/interpret.js";

export const readers = tools(
  "readers",
  `
tool cat tac rev comm join tsort look col colcrt ul bzless bzmore bzgrep xzless xzmore lzcat lzless zstdless
  options A|show-all b|number-nonblank|before e E|show-ends n|number s|squeeze-blank t|terminate= T|show-tabs u v
    1= 2= 3 a= j= o= i|ignore-case check-order nocheck-order header output-delimiter= z|zero-terminated
  otherwise read rest
tool nl
  options b|body-numbering= d|section-delimiter= f|footer-numbering= h|header-numbering= i|line-increment= v= w=
    l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= starting-line-number= number-width=
  otherwise read rest
tool expand unexpand fold fmt paste
  options w|width= t|tabs= d|delimiters= g|goal= p|prefix= a|all i|initial b|bytes s|serial c z u first-only
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
  options n|lines= c|bytes= s|sleep-interval= pid= max-unchanged-stats= f|follow=? F retry q|quiet v|verbose r b=
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
tool glow mdcat pygmentize highlight
  options o=write w|width= s|style= l= f= O= S= P= F= p|pager a|all t g N
  otherwise read rest
# What is counted or summed up is not shown.
tool wc
  options files0-from=read total= c|bytes m|chars l|lines L|max-line-length w|words
  otherwise read rest use
tool {md5,sha1,sha224,sha256,sha384,sha512,b2,b3,ck,sha,xxh,xxh64}sum sum md5 crc32
  options a|algorithm= l|length= s= b|binary c|check t|text tag z|zero q|quiet status strict w|warn ignore-missing r
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
tool od hexdump hd hexyl
  options f=read A|address-radix= j|skip-bytes= N|read-bytes= S|strings= t|format= e= n|length= s|skip= w|width=? c C
    v x o
    d b border= color= block-size= display-offset=
  otherwise read rest
tool strings nm objdump readelf size ldd otool addr2line c++filt dwarfdump
  options n|bytes= t|radix= e|encoding|exe= T|target= s|section= j|section-name= M|disassembler-options= a w=? d D h x
    f r S C|demangle=? g l u v V i p A L X debug-dump=?
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
  otherwise quiet

# Listing and attributes: no content is shown.
tool ls dir vdir eza exa lsd stat gstat du df lsattr getfacl lsof readlink realpath namei pathchk basename dirname
tool dust duf ncdu gdu mountpoint
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
