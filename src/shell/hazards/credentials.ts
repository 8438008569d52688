// Which files and variables hold credentials.
// Invariant: judged by name alone, on absolute normalised paths; templates meant to be shared are none.
import { credentialFolders, privateKeyFiles, secretWords } from "../../model/credential-names.js";
import { nameList } from "./name-list.js";

/** Below a home directory. */
const homeFiles = nameList(
  `.ssh .aws/** .gnupg/** .azure/** .kube .kube/config* .oci/** .snowflake/** .databrickscfg
  .config/{solana,Exodus,gcloud,hub,op,rclone,sops,doctl,heroku,stripe,flyctl,vercel,netlify}/**
  .config/containers/auth.json/** .config/git/credentials/** .config/pypoetry/auth.toml .config/glab-cli/config.yml
  .docker/config.json .netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .gem/credentials
  .cargo/credentials .cargo/credentials.toml .git-credentials .pgpass .my.cnf .mylogin.cnf
  .vault-token .terraform.d/credentials* .terraformrc .password-store/** .local/share/keyrings/**
  .mozilla/** .config/{google-chrome,chromium,BraveSoftware}/** Library/{Keychains,Cookies}/**
  .claude/.credentials.json .claude.json .codex/auth.json .fly/config.yml
  .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
  .s3cfg .boto .kaggle/kaggle.json .circleci/cli.yml .wakatime.cfg .openai .local/share/heroku/**
  .{ethereum/keystore,electrum/wallets,bitcoin/wallets,foundry/keystores}/** .config/configstore/*-tools.json
  .bash_history .zsh_history .python_history .psql_history .mysql_history`,
  [
    /\.ssh\/(?!(known_hosts|config|.*\.pub$)).*/,
    /\.config\/gh(?!\/config\.yml$)(\/.*)?/,
    /Library\/Application Support\/(Google\/Chrome|Firefox|BraveSoftware|Exodus|Electrum|Ledger Live|atomic)(\/.*)?/,
    // Any tool's own folder, when the file is named for what it holds.
    /\.(?!claude\/|codex\/(?!auth))[\w.-]+\/(.*\/)?(token|auth\.(json|toml))/,
    new RegExp(
      String.raw`\.(?!claude\/|codex\/(?!auth))[\w.-]+\/(.*\/)?` +
        "(api[_-]?key|access[_-]?tokens?|credentials?|secrets?)" +
        String.raw`(\.(json|ya?ml|toml|env|txt|ini|conf|cfg|csv|db))?`,
    ),
  ],
);

/** The last part of a path, or its last two. */
const anywhereNames = [
  ...privateKeyFiles.map((name) => `${name}(_[\\w-]+)?`),
  ...[
    /\.env(\.[\w.-]+)?/,
    /\.netrc|\.pgpass|\.git-credentials|\.htpasswd|\.pypirc|\.npmrc|\.boto/,
    /credentials(\.json|\.ya?ml|\.db)?|[\w.]+[-_]credentials\.json/,
    /[\w.-]*firebase-adminsdk[\w.-]*\.json|client_secret[\w.-]*\.json|service[-_]?account[\w.-]*\.json/,
    /secrets?\.(ya?ml|json|toml|env)/,
    /[\w.-]+\.(kdbx|p12|pfx|jks|keystore|ppk|ovpn)|wallet\.dat/,
    /\.ssh\/id_[\w-]+|\.aws\/credentials|\.kube\/config|\.docker\/config\.json/,
    /master\.key|login\.keychain(-db)?|Login Data|cookies\.sqlite|key4\.db|logins\.json/,
  ].map((pattern) => pattern.source),
];
const anywhere = new RegExp(`(^|/)(${anywhereNames.join("|")})$`);

/** Every name in `anywhere` holds one of these words; most paths hold none, and the expression is not run. */
const marks = [
  ..."id_ .env netrc pgpass credentials htpasswd client_secret adminsdk service secret".split(" "),
  ...".kdbx .p12 .pfx .jks .keystore .ppk .ovpn .kube/config .docker/config pypirc npmrc".split(" "),
  ..."wallet.dat master.key .boto keychain Login cookies.sqlite key4.db logins.json".split(" "),
];

/** Files of the system itself. */
const systemFiles = nameList(
  `/etc/{shadow,gshadow,shadow-,gshadow-} /etc/sudoers /etc/sudoers.d/* /etc/ssl/private/** /etc/krb5.keytab
  /etc/kubernetes/{admin,kubelet}.conf /etc/security/opasswd /proc/kcore /dev/mem /dev/kmem
  /run/secrets/** /var/run/secrets/** /private/etc/master.passwd /Library/Keychains/**`,
  [/\/etc\/ssh\/ssh_host_.*key/, /\/proc\/(\d+|self|\*|\[[^\]]*\]\*?)\/(environ|mem|maps)/],
);
const systemTops = "/etc/ /proc/ /dev/ /var/ /run/ /private/ /Library/".split(" ");

/** Templates that are made to be shared. */
const templates = [
  /\.env(\.[\w-]+)*\.(example|sample|template|dist|defaults?|schema|test|ci)/,
  /\.env-example|\.envrc\.example|credentials\.example.*/,
];
const template = new RegExp(`(${templates.map((pattern) => pattern.source).join("|")})$`, "i");

/** Folders whose files are examples, apart from those of a credential folder in them. */
const exampleFolder = /\/(test|tests|fixtures|testdata|__fixtures__|examples?|docs?|node_modules)\//;
const keptInExamples = /\/\.(ssh|aws|gnupg)\//;

export function isCredentialFile(path: string, home: string | undefined): boolean {
  return holdsCredentials(path, home) && !template.test(path);
}

function holdsCredentials(path: string, home: string | undefined): boolean {
  if (systemTops.some((top) => path.startsWith(top)) && systemFiles.test(path)) return true;
  for (const place of [home, ...homes(path)]) {
    if (!place || !path.startsWith(`${place}/`)) continue;
    if ("._L".includes(path[place.length + 1] ?? " ") && homeFiles.test(path.slice(place.length + 1))) return true;
  }
  if (!marks.some((mark) => path.includes(mark)) && !path.includes("/.")) return false;
  if (exampleFolder.test(path)) return keptInExamples.test(path);
  return anywhere.test(path);
}

/** Home directories other than the user's own, as far as a path names one. */
function homes(path: string): string[] {
  const found = /^(\/root|\/(?:home|Users|var\/lib)\/[^/]+)(?=\/|$)/.exec(path);
  return found ? [found[1]!] : [];
}

const folderNames = credentialFolders.map((name) => name.slice(1)).join("|");
const credentialFolder = new RegExp(`/\\.(${folderNames})$`);
const credentialMount = new RegExp(`/\\.(${folderNames}|docker|netrc|npmrc|config)(/|$)`);

/** A place in a home that a container needs no access to: credential folders and what else may hold a login. */
export const isCredentialMount = (path: string): boolean => credentialMount.test(path);

/** A pattern that can reach a credential file: `~/.ssh/*`, `.en?`, `/home/*​/.ssh/id_rsa`. */
export function reachesCredentials(pattern: string, home: string | undefined): boolean {
  const plain = pattern.replace(/^\/(home|Users)\/\*\//, "/home/someone/");
  if (isCredentialFile(plain, home)) return true;
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  // `*` leaves out what begins with a dot: it reaches credentials only in a folder that is there for them.
  if (name === "*") {
    const folder = plain.slice(0, -2);
    return isCredentialFile(folder, home) || credentialFolder.test(folder);
  }
  if (/^\.env[*?[]/.test(name)) return true;
  if (name.length > 40 || !/[*?[]/.test(name) || !/^\.?[\w*?[\]-]+(\.[\w*?[\]-]+)?$/.test(name)) return false;
  if (name.replace(/[*?[\]]/g, "").length < 2) return false;
  try {
    const matcher = new RegExp(`^${name.replace(/\./g, "\\.").replace(/\?/g, ".").replace(/\*/g, ".*")}$`);
    return [".env", "id_rsa", "id_ed25519", ".netrc", ".npmrc"].some((secret) => matcher.test(secret));
  } catch {
    // An odd bracket expression names no file we know of.
    return false;
  }
}

/** Keys and certificates of the project: fine to look at, not to send or to commit. */
export const isKeyMaterial = (path: string): boolean =>
  /\.(key|pem|p8|der|tfstate(\.backup)?)$/i.test(path) && !/(^|\/)(public|pub)[^/]*$/i.test(path);

/** A directory named for the keys in it, or a pattern in one. */
export const isKeyStore = (path: string): boolean =>
  /\/(certs?|certificates|keys|private|secrets|credentials|ssl|tls)(\/[^/]*[*?[@][^/]*)?\/?$/i.test(path);

const secretPart = secretWords.join("|");
const secretInName = new RegExp(`(${secretPart}|_PAT$|_AUTH$|CONNECTION_STRING|DATABASE_URL)`, "i");
/** Names about a secret: where it lies, how many there may be. */
const aboutSecret = /(_FILE|_PATH|_DIR|_NAME|_ID|_URL|_COUNT|_LIMIT|_TTL|MAX_.*TOKENS?.*)$/i;

/** A variable whose value, when printed, would be a secret. */
export const isSecretName = (name: string): boolean =>
  secretInName.test(name) && !aboutSecret.test(name.replace(/DATABASE_URL$/i, "DATABASE"));

const secretAsWord = new RegExp(`(^|_)(${secretPart}|auth)(_|$)`, "i");

/** The same for names in a program's text: whole words only, since programs read many variables. */
export const isSecretVariable = (name: string): boolean => secretAsWord.test(name);
