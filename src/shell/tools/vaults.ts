// Secret stores, key rings and keys: vault, 1Password, doppler, macOS security, gpg, pass, ssh-keygen.
// Invariant: showing a stored secret is a credential read, removing one is infrastructure; what `run` starts is
// followed.
import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { atHome, literal } from "../spec/options.js";

const looksLikePath = (word: Arg) => /[./]/.test(word.value ?? "");

const code: Code = {
  /** gpg names its output after its input. */
  gpgOutput({ given, rest }, emit) {
    const ending = given.has("armor") ? "asc" : given.has("detach-sign") ? "sig" : "gpg";
    for (const file of rest) {
      emit.read(file, "gpg reads it");
      if (file.value && !given.has("output")) emit.write(literal(`${file.value}.${ending}`), "gpg output");
    }
  },
  secretFiles({ call, given, rest }, emit) {
    for (const file of rest.filter(looksLikePath)) {
      emit.read(file, `${call.name} reads it`);
      if (given.has("in-place")) emit.write(file, `${call.name} -i`);
    }
  },
  /** `pass git` is git in the folder of the passwords. */
  storeGit: ({ call, raw }, emit) =>
    emit.run([literal("git"), ...raw], `${call.name} hands it to git`, { cwd: atHome(call, ".password-store") }),
  /** `chezmoi git -- reset` is git in the folder of the dotfiles' sources. */
  sourceGit({ call, given, raw }, emit) {
    const dashes = raw.findIndex((word) => word.value === "--");
    const words = raw.filter((_, at) => at !== dashes);
    const cwd = given.value("source") ?? atHome(call, ".local/share/chezmoi");
    emit.run([literal("git"), ...words], `${call.name} hands it to git`, { cwd });
  },
  changeKey({ given }, emit) {
    if ((given.value("N")?.value ?? "") === "") emit.hazard(hazard("key-unprotect"), "ssh-keygen -p -N ''");
  },
  makeKey({ call, given }, emit) {
    const file: Arg = given.value("f") ?? atHome(call, ".ssh/id_ed25519");
    emit.write(file, "ssh-keygen makes a key");
    if (file.value !== undefined) emit.write(literal(`${file.value}.pub`), "ssh-keygen makes a key");
  },
};

/** Password managers for people and services. */
const passwords = `
  run : run rest
  * delete|remove|rm|archive|revoke or delete|rm|remove : !secret-delete({path})
  connect server|token delete : !secret-delete({path})
  user suspend : !secret-delete({path})
  read|inject|export|receive|unlock : !secret-read({path})
  item|document get : !secret-read({path})
  get|show|export|receive : !secret-read({path})
  secrets set|upload|notes or secrets --only-names : quiet
  secret get|list or secrets get|download|substitute or ssh-key get : !secret-read({path})
  secrets : !secret-read({path})
  configs|projects|environments|vaults|accounts|account|signin|signout|login|logout|whoami|update|completion : quiet
  setup : quiet
  item|document|vault|user|group|events-api|service-account|connect|plugin|ssh-key
    list|ls|create|edit|template|share|move : quiet
  item|document|vault|user|group|service-account get|edit|create|provision|confirm|ratelimit : quiet
  list|ls|sync|status|config|configure|lock|search|generate|init|scan|redact|add|edit|create|import|encode : quiet
  serve|me : quiet
  open|activity|analytics|otp|settings|import-to|folders|user|project|environment|token|setting : quiet
  otherwise unknown`.trimStart();

export const vaults = tools(
  "vaults",
  `
tool vault bao
  style one-dash
  options address= namespace|ns= mount= field= format= version= versions= path= policy= ttl= method=
    output-curl-string output-policy ca-cert=read:use ca-path= client-cert= client-key=read:use tls-server-name=
    tls-skip-verify header= mfa= wrap-ttl= agent-address= non-interactive prefix force f sync cas= max-versions=
    delete-version-after= custom-metadata= description= default-lease-ttl= max-lease-ttl= no-store no-print token-only
    accessor self mode= period= display-name= explicit-max-ttl= use-limit= orphan renewable=? role= key-shares=
    key-threshold= recovery-mode dev dev-root-token-id= config=read log-level= detailed metadata increment= id=
    interval= local
  reaches network
  secrets disable or namespace delete or kv metadata delete : !vault-disable({path})
  lease revoke --prefix : !vault-disable({path})
  auth|audit disable or kv destroy|delete|undelete|put|patch : !vault-change({path})
  delete|revoke or policy delete or token|lease revoke or plugin deregister : !vault-change({path})
  operator raft remove-peer|join|snapshot : !vault-change({path})
  operator seal|rekey|rotate|step-down|generate-root|init : !vault-change({path})
  secrets move|tune : !vault-change({path})
  read|unwrap or kv get or print token or token create : !secret-read({path})
  login : write ~/.vault-token own-store
  status|list|path-help|server|agent|proxy|monitor|debug|events|pki|transit|transform|ssh|write|patch : quiet
  version-history : quiet
  kv list|rollback|metadata|enable-versioning or token lookup|renew|capabilities or secrets|auth|audit list|enable :
    quiet
  auth tune|move|help or policy list|read|write|fmt or lease renew|lookup or namespace list|create|lookup|patch :
    quiet
  operator members|key-status|diagnose|usage|unseal|raft|migrate or plugin list|info|register|reload : quiet
  otherwise unknown
tool op doppler infisical teller berglas bws dashlane dcli keeper akeyless
  options p|project= c|config= account= vault= env= env-file=read:use path= o|out-file|output=write format= fields=
    command=shell scope= t|token= folder= projectId= session= reveal otp no-masking no-newline raw pretty response
    quiet nointeraction preserve-env fallback=write:own-store mount= mount-format= silent json plain visibility=
    only-names name-transformer= type= categories= tags= favorite cache=? encoding= iso-timestamps archive server=
    no-read-env expand include-imports recursive in-file=read force debug=? api-host= configuration= dashboard-host=
    dns-resolver-address= dns-resolver-timeout= timeout= color= access-token= config-file=read:use u|server-url=
    profile=
  ${passwords}
# Letters that take a word above are flags of these two.
tool bw lpass
  options session= raw pretty response quiet nointeraction cleanexit sync=? color=? itemid= organizationid= folderid=
    collectionid= search= url= output=write format= code= method= passwordenv= passwordfile=read:use c|clip
  show --clip : !password-copied({path})
  ${passwords}

tool security
  options i v q p= h s= a= c= C= D= G= j= l= r= P= T= k= f= t= o= x A U X= w g d n
  --h or #0 : quiet
  dump-keychain|export : !keychain-read
  find-generic-password|find-internet-password ~? : !keychain-read
  find-generic-password|find-internet-password --w|g : !keychain-read
  unlock-keychain : !keychain-unlock
  delete-*|remove-* : !keychain-delete
  add-*|set-*|import|create-* : !keychain-write
  authorizationdb write|remove : !keychain-write
  find-*|list-*|default-keychain|login-keychain|show-keychain-info|lock-keychain|get-identity-preference : quiet
  verify-cert|error|cms|leaks|smartcards|dump-trust-settings|trust-settings-export|translocate-* : quiet
  list-smartcards : quiet
  authorizationdb|authorize|requirement-evaluate|install-mds|user-trust-settings-enable|filevault : quiet
  sec-translocate : quiet
  otherwise unknown
tool secret-tool keyring kwallet-query gnome-keyring cmdkey keychain keepassxc-cli kpcli
  options label= f|folder= r|read-password= w|write-password= l|list-entries k|key-file=read:use a|attributes=
    s|show-protected q|quiet t|totp kdb= p= b|keyring-backend= list eval agents= noask nogui clear
  @keychain or #0 : quiet
  @kwallet-query --read-password : !keychain-read
  delete*|remove*|clear*|rm* : !keychain-delete
  add*|set*|store*|import*|create*|edit|mkdir|mv|merge|attachment-import : !keychain-write
  get*|lookup*|search*|show*|export*|clip*|find* : !keychain-read
  unlock* : !keychain-unlock
  lock|list|ls|db-info|db-create|generate|diceware|estimate|analyze|locate|help|diagnose|disable : quiet
  @cmdkey|kwallet-query|gnome-keyring : quiet
  otherwise unknown
tool pass gopass passage prs rbw
  options c|clip=? q|qrcode=? f|force r|recursive n|no-symbols m|multiline e|echo i|in-place p|path= o|password yes
    full field= folder=
  git : do storeGit
  ls|list|find|search|version|init|generate|insert|edit|add|sync|mv|cp|rename|copy|grep|config|login : quiet
  unlock|lock : quiet
  audit|completion|setup|mounts|recipients|fsck|clone|create|register|purge|unlocked|stop-agent|history : quiet
  rm|remove|delete : !password-delete
  #0 : quiet
  --clip|qrcode : !password-copied
  otherwise !password-read
tool gpg gpg2 gpg1
  options o|output=write passphrase-file=read r|recipient= R|hidden-recipient= u|local-user= homedir= passphrase=
    passphrase-fd= keyserver= status-fd= logger-fd= default-key= pinentry-mode= trust-model= cipher-algo= digest-algo=
    compress-algo= s2k-mode= keyring= secret-keyring= options=read:use command-fd= attribute-fd= no-default-keyring
    batch yes no a|armor q|quiet v|verbose t|textmode no-tty with-colons with-fingerprint keyid-format= list-options=
    import-options= export-options= verify-options= always-trust d|decrypt e|encrypt s|sign c|symmetric b|detach-sign
    clearsign|clear-sign verify import k|list-keys K|list-secret-keys fingerprint list-sigs check-sigs
    recv-keys|receive-keys|recv-key send-keys refresh-keys search-keys fetch-keys export edit-key gen-key|generate-key
    full-generate-key quick-generate-key= quick-add-key= sign-key lsign-key card-status card-edit dearmor enarmor
    print-md gen-random list-packets list-config dump-options check-trustdb update-trustdb export-ownertrust
    import-ownertrust gen-revoke delete-keys|delete-key delete-secret-keys|delete-secret-key
    delete-secret-and-public-key export-secret-keys|export-secret-key export-secret-subkeys default-recipient=
    encrypt-to= comment= N|notation-data= set-policy-url= set-filename= completes-needed= marginals-needed=
    max-cert-depth= s2k-cipher-algo= s2k-digest-algo= s2k-count= disable-cipher-algo= override-session-key= charset=
    debug=
  --export-secret-keys|export-secret-subkeys : !gpg-secret-keys
  --delete-secret-keys|delete-keys|delete-secret-and-public-key : !gpg-delete-key
  --recv-keys|send-keys|refresh-keys|search-keys|fetch-keys : network "talks to a key server"
  --list-keys|list-secret-keys|fingerprint|list-sigs|check-sigs|export|edit-key|gen-key|full-generate-key : quiet
  --quick-generate-key|quick-add-key|sign-key|lsign-key|card-status|card-edit|gen-revoke|list-config : quiet
  --encrypt|symmetric|sign|detach-sign|clearsign : do gpgOutput
  otherwise read rest
tool sops
  options output=write d|decrypt e|encrypt r|rotate i|in-place extract= set= input-type= output-type= k|kms= p|pgp=
    a|age= azure-kv= hc-vault-transit= gcp-kms= config= encrypted-regex= unencrypted-regex= encrypted-suffix=
    unencrypted-suffix= mac-only-encrypted ignore-mac verbose keyservice= enable-local-keyservice filename-override=
    add-age= rm-age= add-pgp= rm-pgp= add-kms= rm-kms= s|show-master-keys indent= aws-profile= y|yes pristine
    background same-process user= no-fifo filename=
  also --decrypt or decrypt|edit|exec-env|exec-file : !secret-decrypt({name}-decrypt)
  exec-env|exec-file : read first, shell 2
  otherwise do secretFiles
tool age rage
  options o|output=write i|identity=read:use r|recipient= R|recipients-file=read p|passphrase d|decrypt e|encrypt
    a|armor j= max-work-factor=
  --decrypt : read rest, !secret-decrypt({name}-decrypt)
  otherwise read rest
tool ejson git-crypt transcrypt kubeseal blackbox_cat blackbox_edit
  options o|output= w|sealed-secret-file=write f|secret-file=read cert=read scope= n|namespace= controller-name=
    controller-namespace= format= keydir= c|cipher= p|password= k|key-file|key-name= y|yes d|display
    F|flush-credentials re-encrypt fetch-cert raw name= from-file=read key-from-stdin
  also decrypt|unlock or @blackbox_cat : !secret-decrypt({name}-decrypt)
  otherwise do secretFiles

tool ssh-copy-id
  options i=?read:use f p= o= n s t= F=read:use
  otherwise upload first "installs a key on another machine", !ssh-copy-id
tool ssh-add
  options t= c k l L v q D d x X s= e= E= h= H= S= T= M= C K A
  also #1+ : read rest use
  --D|d : !ssh-add-delete
  otherwise quiet
tool ssh-keygen
  options f= t= b= C= N= P= E= F= R= I= n= V= s= D= a= Y= O= z= M= m= w= Z= r= l B y A p c H e i k L Q U v q h o g u
  --l|F|B|L|Q|Y|r : quiet
  --p --N : do changeKey
  --y : read --f else ~/.ssh/id_ed25519
  --R : write --f else ~/.ssh/known_hosts
  --A : write /etc/ssh tree
  otherwise do makeKey

tool chezmoi yadm homeshick
  options S|source= D|destination= c|config= o|output= d|dir= t|target= force exclude= include= promptString= a|add
    r|recursive branch= depth= one-shot apply ssh work-tree= yadm-dir= ignore= v|verbose n|dry-run cache= color=
    config-format= mode= persistent-state= W|working-tree= use-builtin-age= use-builtin-git= R|refresh-externals=?
  apply|update|init|re-add|add|edit|forget|merge|import|upgrade|chattr : !dotfiles-apply({path}), unknown "writes into
    the home directory"
  git : do sourceGit
  destroy|purge|remove|rm : !dotfiles-remove({path})
  state delete|delete-bucket|reset : !dotfiles-state({path})
  secret : !secret-read({path})
  execute-template : unknown "a template can run programs"
  diff|status|managed|unmanaged|ignored|data|doctor|verify|cat|cat-config|source-path|target-path|cd|list : quiet
  log|dump : quiet
  archive|completion|docs|state|generate|pull|push|commit|bootstrap|alt|clone|check|link|refresh|track|config : quiet
  show : quiet
  decrypt|edit-config|edit-config-template|encrypt|license|merge-all : quiet
  otherwise unknown
tool stow rcup
  options d|dir= t|target= S|stow D|delete R|restow v|verbose=? ignore= defer= override= adopt no-folding dotfiles p
    x= B= f i k s= U= g
  dry n|no|simulate
  #0 : quiet
  otherwise unknown "links files into place"
`,
  code,
);
