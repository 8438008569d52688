// Which files and variables hold credentials.
// Invariant: judged by name alone, on absolute normalised paths; templates meant to be shared are none.

/** Below a home directory, or at these absolute places. */
const homeFiles =
  /^(\.ssh(\/(?!(known_hosts|config|.*\.pub$)).*)?|\.aws(\/.*)?|\.gnupg(\/.*)?|\.azure(\/.*)?|\.config\/(gcloud|gh(?!\/config\.yml$)|hub|op|rclone|sops|doctl|heroku|stripe|flyctl|vercel|netlify|containers\/auth\.json|git\/credentials)(\/.*)?|\.kube(\/config.*)?|\.docker\/config\.json|\.netrc|_netrc|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.gem\/credentials|\.cargo\/credentials(\.toml)?|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.vault-token|\.terraform\.d\/credentials.*|\.terraformrc|\.password-store(\/.*)?|\.local\/share\/keyrings(\/.*)?|\.mozilla(\/.*)?|\.config\/(google-chrome|chromium|BraveSoftware)(\/.*)?|Library\/(Keychains|Cookies)(\/.*)?|Library\/Application Support\/(Google\/Chrome|Firefox|BraveSoftware)(\/.*)?|\.claude\/\.credentials\.json|\.claude\.json|\.codex\/auth\.json|\.fly\/config\.yml|\.oci(\/.*)?|\.databrickscfg|\.snowflake(\/.*)?|\.m2\/settings(-security)?\.xml|\.gradle\/gradle\.properties|\.config\/(pypoetry\/auth\.toml|glab-cli\/config\.yml)|\.s3cfg|\.boto|\.kaggle\/kaggle\.json|\.circleci\/cli\.yml|\.wakatime\.cfg|\.openai|\.local\/share\/heroku(\/.*)?|\.(?!claude\/|codex\/(?!auth))[\w.-]+\/(.*\/)?(token|auth\.(json|toml)|(api[_-]?key|access[_-]?tokens?|credentials?|secrets?)(\.(json|ya?ml|toml|env|txt|ini|conf|cfg|csv|db))?)|\.bash_history|\.zsh_history|\.python_history|\.psql_history|\.mysql_history)$/;

const anywhere =
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)(_[\w-]+)?|\.env(\.[\w.-]+)?|\.netrc|\.pgpass|\.git-credentials|\.htpasswd|credentials(\.json|\.ya?ml|\.db)?|[\w.]+[-_]credentials\.json|[\w.-]*firebase-adminsdk[\w.-]*\.json|client_secret[\w.-]*\.json|service[-_]?account[\w.-]*\.json|secrets?\.(ya?ml|json|toml|env)|[\w.-]+\.(kdbx|p12|pfx|jks|keystore|ppk|ovpn)|\.ssh\/id_[\w-]+|\.aws\/credentials|\.kube\/config|\.docker\/config\.json|\.pypirc|\.npmrc|master\.key|\.boto|login\.keychain(-db)?|Login Data|cookies\.sqlite|key4\.db|logins\.json)$/;

const absolute =
  /^\/(etc\/(g?shadow-?|sudoers(\.d\/.*)?|ssh\/ssh_host_.*key|ssl\/private(\/.*)?|krb5\.keytab|kubernetes\/(admin|kubelet)\.conf|security\/opasswd)|proc\/(\d+|self|\*|\[[^\]]*\]\*?)\/(environ|mem|maps)|proc\/kcore|dev\/(k?mem)|var\/run\/secrets(\/.*)?|run\/secrets(\/.*)?|private\/etc\/master\.passwd|Library\/Keychains(\/.*)?)$/;

const shared =
  /(\.env(\.[\w-]+)*\.(example|sample|template|dist|defaults?|schema|test|ci)|\.env-example|\.envrc\.example|credentials\.example.*)$/i;

/** Every alternative of `anywhere` holds one of these: most paths hold none, and the pattern is never made. */
const marks =
  "id_ .env netrc pgpass credentials htpasswd client_secret adminsdk service secret .kdbx .p12 .pfx .jks .keystore .ppk .ovpn .kube/config .docker/config pypirc npmrc master.key .boto keychain Login cookies.sqlite key4.db logins.json".split(
    " ",
  );
const tops = "/etc/ /proc/ /dev/ /var/ /run/ /private/ /Library/".split(" ");

export function isCredentialFile(path: string, home: string | undefined): boolean {
  return holdsCredentials(path, home) && !shared.test(path);
}

function holdsCredentials(path: string, home: string | undefined): boolean {
  if (tops.some((top) => path.startsWith(top)) && absolute.test(path)) return true;
  for (const place of [home, ...homes(path)]) {
    if (!place || !path.startsWith(`${place}/`)) continue;
    if ("._L".includes(path[place.length + 1] ?? " ") && homeFiles.test(path.slice(place.length + 1))) return true;
  }
  if (!marks.some((mark) => path.includes(mark)) && !path.includes("/.")) return false;
  if (/\/(test|tests|fixtures|testdata|__fixtures__|examples?|docs?|node_modules)\//.test(path))
    return /\/\.(ssh|aws|gnupg)\//.test(path);
  return anywhere.test(path);
}

/** Home directories other than the user's own, as far as a path names one. */
function homes(path: string): string[] {
  const found = /^(\/root|\/(?:home|Users|var\/lib)\/[^/]+)(?=\/|$)/.exec(path);
  return found ? [found[1]!] : [];
}

/** Keys and certificates of the project: fine to look at, not to send or to commit. */
export const isKeyMaterial = (path: string): boolean =>
  /\.(key|pem|p8|der|tfstate(\.backup)?)$/i.test(path) && !/(^|\/)(public|pub)[^/]*$/i.test(path);

/** A directory named for the keys in it, or a pattern in one. */
export const isKeyStore = (path: string): boolean =>
  /\/(certs?|certificates|keys|private|secrets|credentials|ssl|tls)(\/[^/]*[*?[@][^/]*)?\/?$/i.test(path);

export const isSecretName = (name: string): boolean =>
  /(SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|_PAT$|_AUTH$|^PGPASSWORD$|CONNECTION_STRING|DATABASE_URL)/i.test(
    name,
  ) &&
  !/(_FILE|_PATH|_DIR|_NAME|_ID|_URL|_COUNT|_LIMIT|_TTL|MAX_.*TOKENS?.*)$/i.test(
    name.replace(/DATABASE_URL$/i, "DATABASE"),
  );

/** A place in a home that a container needs no access to: credential folders and what else may hold a login. */
export const isCredentialMount = (path: string): boolean =>
  /\/\.(ssh|aws|gnupg|kube|docker|azure|netrc|npmrc|config)(\/|$)/.test(path);
