// Words and names that mean a credential, wherever one is looked for: in commands, in files, in texts to be recorded.
// Invariant: plain data; what a match means is decided where the list is used.

/** Folders of a home directory that hold nothing but keys and credentials. */
export const credentialFolders = [".ssh", ".aws", ".gnupg", ".kube", ".azure"] as const;

/** Private keys under the names ssh-keygen gives them. */
export const privateKeyFiles = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"] as const;

/** Parts of a variable's or member's name that say it holds a secret, as expressions without regard to case. */
export const secretWords = [
  "secret",
  "token",
  "password",
  "passwd",
  "passphrase",
  "api[_-]?key",
  "access[_-]?key",
  "private[_-]?key",
  "credentials?",
] as const;

const credentialFile = new RegExp(
  [
    `(^|/)(${credentialFolders.map((name) => `\\${name}`).join("|")})/`,
    String.raw`(^|/)(\.env(\.[\w-]+)*|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd)$`,
    `(^|/)(${privateKeyFiles.join("|")})$`,
    String.raw`(^|/)(credentials?|secrets?|service[_-]?account[\w-]*)(\.(json|ya?ml|toml|ini|txt|env))?$`,
    String.raw`\.(pem|key|p8|p12|pfx|jks|keystore|kdbx|tfstate)$`,
  ].join("|"),
  "i",
);
const sharedTemplate = /\.(example|sample|template|dist|defaults?|schema)$/i;

/** A file of the project that holds credentials, by its name: its content is not copied. */
export const isCredentialName = (path: string): boolean => credentialFile.test(path) && !sharedTemplate.test(path);
