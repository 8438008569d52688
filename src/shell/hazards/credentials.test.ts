// Credential files are known by name, wherever they lie; templates, fixtures and ordinary files are none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wordSet } from "../word-set.js";
import { isCredentialFile } from "./credentials.js";

const home = "/home/u";
const anywhere = [
  ...wordSet(`
  id_rsa id_ed25519_work .env .env.production .netrc .pgpass .git-credentials .htpasswd credentials
  credentials.json credentials.yml client_secret_1.json service-account.json serviceaccount-x.json
  service_account.json secrets.yaml secret.toml vault.kdbx cert.p12 cert.pfx store.jks app.keystore k.ppk
  office.ovpn .ssh/id_deploy .aws/credentials .kube/config .docker/config.json .pypirc .npmrc master.key .boto
  login.keychain login.keychain-db google-credentials.json app-firebase-adminsdk-1.json cookies.sqlite key4.db
  logins.json`),
];
const ofHome = [
  ...wordSet(`
  .ssh/id_x .ssh/keys/a .aws .aws/config .gnupg/x .config/gh/hosts.yml .kube/config.d .netrc _netrc .vault-token
  .password-store/a.gpg .mozilla/firefox/x Library/Keychains/a .claude/.credentials.json .codex/auth.json
  .bash_history .s3cfg .huggingface/token .cache/huggingface/token .kaggle/kaggle.json .tool/api_key
  .config/x/secrets.toml .local/share/heroku/x`),
];
const system = [
  ...wordSet(`
  /etc/shadow /etc/sudoers.d/x /etc/ssl/private/a.key /proc/1/environ /proc/self/mem /dev/mem /run/secrets/a
  /var/run/secrets/a /private/etc/master.passwd /Library/Keychains/a`),
];
const none = [
  ...wordSet(`
  /p/src/a.ts /p/.github/x /p/README.md /p/.env.example /p/config/.env.sample /p/tests/fixtures/id_rsa
  /p/docs/credentials.json /home/u/.ssh/config /home/u/.ssh/known_hosts /home/u/notes.txt /etc/hosts /proc/cpuinfo
  /dev/null /var/log/x /p/service.ts /p/secrets.ts /p/identity_map.go /home/u/.config/gh/config.yml
  /home/u/.config/nvim/lua/secrets.lua /home/u/.vscode/x/token.js /p/credentials.ts`),
];

test("credential files are known by their names", () => {
  for (const path of [...anywhere.map((p) => `/p/${p}`), ...anywhere, ...ofHome.map((p) => `${home}/${p}`), ...system])
    assert.equal(isCredentialFile(path, home), true, path);
  assert.equal(isCredentialFile("/p/Login Data", home), true);
  assert.equal(isCredentialFile("/p/tests/.ssh/known", home), true);
  assert.equal(isCredentialFile("/home/other/.aws/config", home), true);
});

test("ordinary files, templates and fixtures are none", () => {
  for (const path of none) assert.equal(isCredentialFile(path, home), false, path);
});
