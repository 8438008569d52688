// Package managers of the operating system.
// Invariant: searching and listing are quiet; installing changes the system mildly, removing more so.
import { hazard } from "../../model/hazards.js";
import { type Code, tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

/** Without these the machine does not start, or nothing can be installed any more. */
const essential = [
  "libc|libc6|glibc|musl|systemd|sudo|bash|dash|coreutils|util-linux|dpkg|apt|rpm|dnf|pacman|apk-tools|init",
  "login|passwd",
  "mount|e2fsprogs|grub*|kernel|linux|linux-image*|linux-lts|filesystem|base|base-files|base-passwd|python3-minimal",
  "openssl|libssl*|python3*|python3|libc*",
].join("|");

const installs = '!system-install, network "fetches packages", exec "installs"';

const code: Code = {
  /** `brew uninstall $(brew list)` */
  brewRemove({ rest }, emit) {
    const all = rest.some((word) => word.from?.includes("brew"));
    emit.hazard(hazard(all ? "brew-remove-all" : "brew-remove"), "brew removes packages");
  },
  /** `-o APT::Update::Pre-Invoke::=command`: settings that run programs. */
  setting({ call, value }, emit) {
    const text = /^[\w:-]*Invoke[\w:-]*=(.+)$/s.exec(value?.value ?? "")?.[1];
    if (text) emit.shell(literal(text), `${call.name} runs it`);
  },
};

export const systemPackages = tools(
  "packages",
  `
tool apt apt-get aptitude
  options t|target-release|default-release= o|option=setting c|config-file=read:use a|host-architecture=
    P|build-profiles= y|yes|assume-yes q|quiet=? V f|fix-broken m d|download-only u no-install-recommends
    install-suggests reinstall purge allow-downgrades allow-remove-essential allow-unauthenticated only-upgrade
    no-upgrade no-remove installed upgradable all-versions v|verbose-versions F= w= O= autoremove force-yes auto-remove
    print-uris with-source= no-download
  dry s|simulate|just-print|dry-run|recon|no-act assume-no
  remove|purge|autoremove|autopurge|auto-remove|forget-new ~${essential} : !system-remove-essential, !system-remove
  remove|purge|autoremove|autopurge|auto-remove : !system-remove
  install|upgrade|dist-upgrade|full-upgrade|safe-upgrade|reinstall|build-dep|satisfy|dselect-upgrade : ${installs}
  update : network "fetches the lists of packages"
  edit-sources|add-repository : !package-source
  list|search|show|showsrc|policy|depends|rdepends|changelog|download|source|check|clean|autoclean|auto-clean|distclean
    : quiet
  moo|indextargets|why|why-not|versions|showhold|hold|unhold|markauto|unmarkauto|info : quiet
  otherwise unknown
tool apt-cache apt-config apt-mark
  options o|option=setting c|config-file=read:use n|names-only f|full a|all-versions i|important g installed recurse
    q|quiet
  search|show|showpkg|showsrc|policy|madison|depends|rdepends|pkgnames|stats|dump|dumpavail|unmet|dotty|xvcg : quiet
  gencaches|shell|showauto|showmanual|showhold|showinstall|showremove|showpurge|auto|manual|hold|unhold : quiet
  otherwise unknown
tool add-apt-repository
  options P|ppa= C|cloud= U|uri= S|sourceslist= c|component= p|pocket= s|enable-source r|remove y|yes n|no-update l|list
    k|keyserver= d
  dry dry-run
  --list : quiet
  otherwise !package-source
tool apt-key
  options keyring= keyserver= recv-keys= fetch-keys=
  add|adv|del|net-update|update : !package-source
  list|finger|fingerprint|export|exportall|verify : quiet
  otherwise unknown
tool dnf dnf5 yum microdnf tdnf
  options c|config=read:use enablerepo= disablerepo= setopt= installroot= releasever= repo|repoid= x|exclude=
    d|debuglevel= R= e|errorlevel= advisory= comment= forcearch= y|assumeyes q|quiet v|verbose b|best C|cacheonly
    nogpgcheck allowerasing refresh skip-broken nobest downloadonly downloaddir= enable installed available upgrades
    obsoletes security qf|queryformat= whatprovides= whatrequires= requires resolve f|file l|list i|info a|all
    set-enabled set-disabled add-repo= p
  dry assumeno
  remove|erase|autoremove|downgrade|distro-sync|swap ~${essential} : !system-remove-essential, !system-remove
  remove|erase|autoremove|downgrade : !system-remove
  history undo|rollback : !system-remove
  group|groups remove|erase or groupremove|groupsremove : !system-remove
  install|upgrade|update|reinstall|localinstall|groupinstall|groupupdate|builddep|build-dep|distro-sync|swap :
    ${installs}
  upgrade-minimal|update-minimal|localupdate|offline-upgrade|system-upgrade : ${installs}
  group|groups|module install|upgrade|enable|reset|switch-to : ${installs}
  config-manager --add-repo or copr enable or config-manager addrepo : !package-source
  makecache|check-update|check-upgrade|download : network "fetches the lists of packages"
  list|search|info|provides|whatprovides|repolist|repoinfo|repoquery|history|check|clean|deplist|updateinfo|advisory :
    quiet
  group|groups|module|grouplist|groupinfo|mark|alias|needs-restarting|leaves|shell|copr|config-manager|versionlock :
    quiet
  otherwise unknown
tool zypper
  options R|root= C|config=read:use D|plus-repo= p|plus-content= r|repo= t|type= c|catalog= from= n|non-interactive
    q|quiet v|verbose y|no-confirm f|force l|auto-agree-with-licenses s|details i|installed-only u|not-installed-only
    no-recommends recommends no-refresh gpg-auto-import-keys no-gpg-checks clean-deps allow-vendor-change x|xmlout name=
    d|download-only
  dry dry-run
  remove|rm|removelocale|rl ~${essential} : !system-remove-essential, !system-remove
  remove|rm|remove-ptf|rmptf : !system-remove
  install|in|update|up|dist-upgrade|dup|patch|verify|ve|install-new-recommends|inr|source-install|si : ${installs}
  addrepo|ar|addservice|as|modifyrepo|mr : !package-source
  refresh|ref|download : network "fetches the lists of packages"
  search|se|info|if|list-updates|lu|list-patches|lp|patch-check|pchk|packages|pa|patterns|pt|products|pd : quiet
  repos|lr|clean|cc : quiet
  what-provides|wp|services|ls|ps|locks|ll|addlock|al|removelock|rr|removerepo|licenses|needs-rebooting|versioncmp|tos :
    quiet
  otherwise unknown
tool apk
  options p|root= X|repository= t|virtual= keys-dir= repositories-file=read:use cache-dir= wait= arch= timeout= q|quiet
    v|verbose f|force U|update-cache no-cache allow-untrusted l|latest u|upgrade a|available i|interactive purge initdb
    r|rdepends L|contents R|depends e|installed x|exact d|description P|provides I w|webpage
  dry s|simulate
  del ~${essential} : !system-remove-essential, !system-remove
  del : !system-remove
  add|upgrade|fix : ${installs}
  update|fetch : network "fetches the lists of packages"
  info|search|list|policy|version|stats|audit|verify|cache|dot|index|manifest|query : quiet
  otherwise unknown
tool pkg pkgin port eopkg urpmi
  options c= r= j= o= R= y|yes f|force q|quiet n v d D u N
  delete|remove|uninstall|autoremove|deinstall|rm|rmf|rmo ~${essential} : !system-remove-essential, !system-remove
  delete|remove|uninstall|autoremove|deinstall|rm|rmf|rmo : !system-remove
  install|add|upgrade|reinstall|in|ins|it|up|ug|fug|full-upgrade|selfupdate|sync|activate|deactivate|bootstrap :
    ${installs}
  update|fetch : network "fetches the lists of packages"
  add-repo|ar : !package-source
  @urpmi #1+ : ${installs}
  info|search|query|list|list-*|version|stats|which|check|audit|clean|autoclean|show|avail|contents|deps|rdeps|installed
    : quiet
  leaves|files|content|provides|location|variants|outdated|requested|echo|livecheck|lint|test|history|lock|unlock|ll|se
    : quiet
  otherwise unknown
tool xbps-remove
  options r|rootdir= c= C|config= F f o|remove-orphans O|clean-cache R|recursive v y|yes
  dry n|dry-run
  ~${essential} : !system-remove-essential, !system-remove
  otherwise !system-remove
tool xbps-install emerge pkg_add
  options r|rootdir= R|repository= c|cachedir= C|config= S|sync y|yes u|update f|force M A a|ask v|verbose D|deep
    N|newuse j|jobs= l|load-average= 1|oneshot t|tree e q|quiet n|noreplace k K g G exclude= root= d unmerge depclean
  dry p|pretend dry-run
  --s|search : quiet
  @emerge --unmerge|depclean|C|c ~${essential} : !system-remove-essential, !system-remove
  @emerge --unmerge|depclean|C|c : !system-remove
  #1+ : !system-install
  --sync|info|version|list-sets or #0 : quiet
  otherwise unknown
tool winget choco scoop
  options id= e|exact s|source= v|version= y|yes f|force h|silent i|interactive l|location= scope= g|global q|query= n
    p|purge accept-package-agreements accept-source-agreements params= a|arch= k all m|manifest= name= moniker= d
  uninstall|remove|rm : !system-remove
  install|upgrade|update|add|import|reset : ${installs}
  source add or sources add or bucket add : !package-source
  list|search|show|info|outdated|status|export|find|home|cat|which|prefix|checkup|cleanup|cache|source|sources|bucket :
    quiet
  hold|unhold|pin|settings|features|hash|validate|config|configure|feature|apikey|alias|depends|virustotal|create|shim :
    quiet
  otherwise unknown
tool snap
  options channel= revision= classic devmode dangerous purge no-wait name= cohort= color= unicode= all abs-time t|time=
    u= n=
  dry dry-run
  remove : !system-remove
  install|refresh|try|revert|enable|disable|switch : ${installs}
  run : exec "runs a program"
  list|find|search|info|changes|tasks|version|services|logs|connections|interface|known|get|model|warnings|whoami|saved
    : quiet
  connect|disconnect|set|unset|start|stop|restart|save|forget|restore|alias|aliases|unalias|prefer : quiet
  pack|login|logout|watch : quiet
  otherwise unknown
tool flatpak
  options installation= arch= branch= user system y|assumeyes noninteractive columns= command= app runtime delete-data
    unused app-path= filesystem= share= d devel from ref= file-access= env= if-not-exists gpg-import=read
  uninstall|remove : !system-remove
  install|update|upgrade : ${installs}
  remote-add|remote-modify : !package-source
  run|build|enter : exec "runs a program"
  list|info|search|history|remotes|remote-ls|remote-info|ps|documents|permissions|permission-show|config|repair|mask|pin
    : quiet
  override|kill|make-current|remote-delete|create-usb|build-init|build-finish|build-export|build-bundle|spawn : quiet
  otherwise unknown
tool nix-env
  options f|file= p|profile= A|attr= I|include= arg= argstr= option= i|install e|uninstall u|upgrade q|query
    r|remove-all S|switch-profile= G|switch-generation= delete-generations set rollback list-generations P s a|available
    description installed status out-path json E|from-expression b j|max-jobs= Q
  dry dry-run
  --uninstall|remove-all|delete-generations : !system-remove
  --install|upgrade|set|rollback|switch-generation|switch-profile : network "fetches packages", exec "installs"
  --query|list-generations : quiet
  otherwise unknown
tool guix
  options m|manifest=read:use p|profile= L|load-path= e|expression= f|file= r i u s|system= k|keep-failed c|cores=
    M|max-jobs=
  dry n dry-run
  remove or package --r : !system-remove
  install|upgrade|pull : ${installs}
  package --i|u|manifest : ${installs}
  search|show|describe|weather|graph|lint|size|hash|download|build|gc|package|repl|edit|refresh|processes|challenge :
    quiet
  shell|environment|time-machine|system|home|deploy : exec "runs programs of its own"
  otherwise unknown

tool brew
  options appdir= formula cask f|force v|verbose d|debug q|quiet n|dry-run HEAD build-from-source s zap
    ignore-dependencies installed all json=? greedy g 1 r t l a y versions overwrite file= global display-times
    no-quarantine pinned full multiple prefix cellar cache repository repo caskroom
  --prefix|cellar|cache|repository|repo|caskroom : quiet
  uninstall|remove|rm : do brewRemove
  autoremove : !brew-remove
  untap|tap|link|unlink|pin|unpin|switch|reinstall|install|upgrade|update|fetch|bundle|ln|up|postinstall|migrate :
    network "fetches packages", exec "installs"
  services start|restart|run : !user-service-start({path})
  services stop|kill|cleanup : !service-control({path})
  services : quiet
  cleanup|doctor|dr|list|ls|info|search|outdated|deps|uses|leaves|config|home|homepage|desc|commands|cat|log|missing :
    quiet
  analytics|shellenv|tap-info|options|audit|style|test|livecheck|docs|gist-logs|completions|formulae|casks|formula|alias
    : quiet
  sh|ruby|irb|create|edit|developer|typecheck|readall|which|which-formula|vendor-gems|--env|nodenv-sync|source : exec
  otherwise unknown

# dpkg, rpm and pacman say what they do by option letters.
tool dpkg
  options root= admindir= instdir= D|debug= log= i|install unpack configure r|remove P|purge l|list s|status L|listfiles
    S|search p|print-avail I|info c|contents x|extract X|vextract e|control f|field W|show R|recursive a|pending
    force-all B E G O C|audit V|verify yet-to-unpack add-architecture print-architecture get-selections set-selections
    clear-selections compare-versions update-avail merge-avail path-exclude= path-include= b|build
  dry no-act|dry-run|simulate
  --remove|purge ~${essential} : !system-remove-essential
  --remove|purge : !system-remove
  --install|unpack|configure : !system-install
  --build : read 1 tree, write 2
  --extract|vextract|control : read 1, write 2 all
  --list|status|listfiles|search|print-avail|info|contents|field|show|audit|verify : quiet
  --print-architecture|print-foreign-architectures|get-selections|compare-versions|yet-to-unpack or #0 : quiet
  otherwise unknown
tool rpm
  options root= dbpath= define= D= E= queryformat|qf= q|query i|install|info U|upgrade F|freshen e|erase import a|all
    l|list f|file p|package R|requires c d v|verbose h|hash V|verify K|checksig nodeps force allmatches whatprovides=
    whatrequires= changelog s scripts provides percent replacepkgs oldpackage noscripts excludepath= relocate= initdb
    rebuilddb eval=
  dry test
  --query|verify|checksig : quiet
  --erase ~${essential} : !system-remove-essential
  --erase : !system-remove
  --install|upgrade|freshen|import : !system-install
  --E|eval|showrc or #0 : quiet
  otherwise unknown
tool pacman yay paru
  options r|root= b|dbpath= config=read:use cachedir= arch= ignore= ignoregroup= overwrite= assume-installed= color=
    hookdir= gpgdir= R|remove S|sync U|upgrade Q|query F|files D|database T|deptest s|search|recursive i|info g|groups
    l|list y|refresh u|sysupgrade n|nosave c|clean|cascade o|owns e|explicit d|deps m|foreign t|unrequired k|check
    q|quiet w|downloadonly v|verbose needed noconfirm confirm asdeps asexplicit disable-download-timeout x a|aur
  dry p|print
  --remove ~${essential} : !system-remove-essential
  --remove : !system-remove
  --query|files|deptest : quiet
  --sync --search|info|groups|list : quiet
  --sync|upgrade : !system-install
  @yay|paru : !system-install
  otherwise unknown
tool dpkg-reconfigure installer msiexec softwareupdate update-alternatives alternatives gdebi
  style one-dash
  options pkg= target= f|frontend= p|priority= i|install r|recommended a|all l|list d|download auto= set= remove= config
    display= list-names query get-selections set-selections altdir= admindir= log= qn quiet verbose dominfo volinfo
    pkginfo n s o= list-full-installers fetch-full-installer full-installer-version= agree-to-license R|restart force
    slave link
  --list|display|query|get-selections|list-names|dominfo|volinfo|pkginfo|list-full-installers : quiet
  otherwise !system-install
tool alien
  options d|to-deb r|to-rpm t|to-tgz i|install k|keep-version c|scripts v g s target= description= version=
  --install : !system-install
  otherwise read rest, write . all
`,
  code,
);
