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
