// Planted secrets never survive; ordinary text, code, hashes and names do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { redact, redactJson } from "./redact.js";
import { formats } from "./secret-formats.js";

const lcg = (seed: number) => () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const random = lcg(7);
const from = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
const hex = (n: number) => from("0123456789abcdef", n);
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = upper.toLowerCase();
const alnum = (n: number) => from(`${upper}${lower}0123456789`, n);
const b64 = (n: number) => from(`${upper}${lower}0123456789+/`, n);
const url = (n: number) => from(`${upper}${lower}0123456789-_`, n);

/** Each gives the text it stands in and the secret that must not survive. */
const planted: Record<string, () => [string, string]> = {
  "aws id": () => plain(`AKIA${from(`${upper}234567`, 16)}`),
  "aws secret": () => within(b64(40), (s) => `aws_secret_access_key = ${s}`),
  "github classic": () => plain(`ghp_${alnum(36)}`),
  "github fine-grained": () => plain(`github_pat_${alnum(22)}_${alnum(59)}`),
  "github app": () => plain(`ghs_${alnum(36)}`),
  gitlab: () => plain(`glpat-${url(20)}`),
  slack: () => plain(`xoxb-${from("0123456789", 12)}-${from("0123456789", 12)}-${alnum(24)}`),
  "slack webhook": () =>
    within(`T${alnum(8)}/B${alnum(8)}/${alnum(24)}`, (s) => `https://hooks.slack.com/services/${s}`),
  stripe: () => plain(`sk_live_${alnum(24)}`),
  "stripe webhook": () => plain(`whsec_${alnum(32)}`),
  "google api": () => plain(`AIza${url(35)}`),
  "google oauth": () => plain(`GOCSPX-${url(28)}`),
  openai: () => plain(`sk-proj-${url(48)}`),
  anthropic: () => plain(`sk-ant-api03-${url(93)}AA`),
  groq: () => plain(`gsk_${alnum(52)}`),
  huggingface: () => plain(`hf_${from(`${upper}${lower}`, 34)}`),
  npm: () => plain(`npm_${alnum(36)}`),
  pypi: () => plain(`pypi-AgEIcHlwaS5vcmc${url(70)}`),
  jwt: () => plain(`eyJhbGciOiJIUzI1NiJ9.eyJ${url(40)}.${url(43)}`),
  pem: () => within(b64(64), (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n${b64(64)}\n-----END RSA PRIVATE KEY-----`),
  openssh: () => within(b64(70), (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`),
  postgres: () => within(alnum(14), (s) => `postgres://app:${s}@db.internal:5432/app`),
  mongodb: () => within(alnum(10), (s) => `mongodb+srv://root:${s}@cluster0.example.net`),
  redis: () => within(alnum(12), (s) => `redis://:${s}@localhost:6379/0`),
  "basic auth url": () => within(alnum(9), (s) => `git clone https://ci:${s}@git.example.com/a/b.git`),
  bearer: () => within(url(40), (s) => `curl -H 'Authorization: Bearer ${s}' https://api.example.com`),
  basic: () => within(b64(24), (s) => `Authorization: Basic ${s}`),
  "api key header": () => within(hex(32), (s) => `x-api-key: ${s}`),
  "password=": () => within(`${from(lower, 6)}${from("0123456789", 3)}!`, (s) => `mysql host=db user=a password=${s}`),
  "env file": () => within(alnum(20), (s) => `PORT=3000\nDB_PASSWORD=${s}\nNODE_ENV=production`),
  "env token": () => within(hex(40), (s) => `export DEPLOY_TOKEN=${s}`),
  "json password": () => within(from(lower, 10), (s) => `{"user":"ann","password":"${s}"}`),
  "yaml secret": () => within(alnum(18), (s) => `client_secret: "${s}"`),
  flag: () => within(alnum(12), (s) => `deploy --password ${s} --region eu`),
  "curl -u": () => within(alnum(11), (s) => `curl -u admin:${s} https://example.com`),
  "mysql -p": () => within(alnum(10), (s) => `mysql -u root -p${s} shop`),
  sshpass: () => within(alnum(10), (s) => `sshpass -p ${s} ssh root@10.0.0.1`),
  sendgrid: () => plain(`SG.${url(22)}.${url(43)}`),
  twilio: () => plain(`SK${hex(32)}`),
  mailgun: () => plain(`key-${hex(32)}`),
  telegram: () => plain(`${from("123456789", 9)}:AA${url(33)}`),
  discord: () => within(url(68), (s) => `https://discord.com/api/webhooks/${from("123456789", 18)}/${s}`),
  "discord bot": () => plain(`M${url(24)}.${url(6)}.${url(30)}`),
  airtable: () => plain(`pat${alnum(14)}.${hex(64)}`),
  digitalocean: () => plain(`dop_v1_${hex(64)}`),
  databricks: () => plain(`dapi${hex(32)}`),
  shopify: () => plain(`shpat_${hex(32)}`),
  linear: () => plain(`lin_api_${alnum(40)}`),
  notion: () => plain(`secret_${alnum(43)}`),
  atlassian: () => plain(`ATATT3${url(180)}`),
  "azure storage": () =>
    within(b64(86), (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s}==;EndpointSuffix=core`),
  vault: () => plain(`hvs.${url(90)}`),
  docker: () => plain(`dckr_pat_${url(27)}`),
  grafana: () => plain(`glsa_${alnum(32)}_${hex(8)}`),
  netrc: () => within(alnum(12), (s) => `machine example.com login ann password ${s}`),
  "docker login": () => within(alnum(12), (s) => `docker login -u ann -p ${s} registry.example.com`),
  "docker login --password": () => within(from(lower, 9), (s) => `docker login --password ${s} registry.example.com`),
  "podman login": () => within(alnum(12), (s) => `podman login quay.io -u=ann -p=${s}`),
  "my password": () =>
    within(`${from(lower, 6)}${from("123456789", 3)}!`, (s) => `my password is ${s}, log in with it`),
  "my plain password": () => within("correcthorse", (s) => `My database password is ${s}`),
  "the passphrase": () => within(`${from(lower, 5)}-${from("23456789", 4)}`, (s) => `the passphrase was "${s}"`),
  "url-encoded value": () => within(alnum(20), (s) => `curl https://x.example.com/?q=password%3D${s}%26b`),
  "url-encoded token": () => within(alnum(36), (s) => `callback?state=ghp%5F${s}`),
  "base64 assignment": () =>
    within(Buffer.from(`password=${alnum(14)}`).toString("base64"), (s) => `echo ${s} | base64 -d`),
  "random token": () => within(b64(44), (s) => `the value is ${s} as agreed`),
  "random url token": () => within(url(43), (s) => `open https://example.com/reset/${s}`),
};

function plain(secret: string): [string, string] {
  return within(secret, (s) => `first ${s} then`);
}
function within(secret: string, text: (secret: string) => string): [string, string] {
  return [text(secret), secret];
}

test("planted secrets do not survive, in text and in JSON", () => {
  let count = 0;
  for (const [kind, make] of Object.entries(planted)) {
    for (let n = 0; n < 6; n++) {
      const [text, secret] = make();
      count++;
      const seen = redact(text);
      assert.ok(!seen.text.includes(secret), `${kind}: ${text} -> ${seen.text}`);
      assert.ok(seen.count >= 1, kind);
      assert.equal(redact(seen.text).text, seen.text, `${kind}: twice is not once`);
      const json = JSON.stringify(redactJson({ tool: "Bash", input: { command: text, list: [text] } }).value);
      assert.ok(!json.includes(secret), `${kind} in JSON: ${json}`);
    }
  }
  assert.ok(count >= 200, `${count} planted`);
});

test("no hint holds what JSON escapes, so that a record can be looked over as JSON", () => {
  for (const { kind, hints } of formats)
    for (const hint of hints) assert.equal(JSON.stringify(hint), `"${hint}"`, `${kind}: ${hint}`);
});

const ordinary = [
  "git show 3f1c9f0b2c4d5e6f708192a3b4c5d6e7f8091a2b -- src/store/lock.ts",
  "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "session 0f8fad5b-d9cb-469f-a165-70867728950e",
  "toolu_01A09q90qw90lq917835lq9z and msg_01XFDUDYJgAACzvnptvVoYEL",
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  "/home/ann/projects/interlock/src/components/UserProfile2/index.test.tsx",
  "node_modules/.pnpm/@babel+plugin-transform-modules-commonjs@7.24.1/node_modules/x.js",
  "const token = getToken(); const password: string = form.password.value;",
  "function parseSecret(secret: string): Token { return secret.length > 0 ? new Token(secret) : none; }",
  "export TOKEN=$(cat /run/secrets/token) PASSWORD=$PASSWORD",
  "password: ${DB_PASSWORD}",
  "The quick brown fox jumps over the lazy dog; pass the salt, and keep the secret of the key.",
  "max_tokens: 4096, input_tokens: 12345, tokenizer: cl100k",
  "npm test -- --grep 'token refresh' && echo passed",
  "class AbstractSingletonProxyFactoryBeanConfigurationSupport extends BaseConfigurationSupportFactory {}",
  "https://github.com/example/interlock/blob/main/docs/ledger-format.md#L12-L40",
  "SELECT id, created_at FROM users WHERE token_expires_at > now() AND status = 'active'",
  "rgb(12,34,56) 192.168.0.1 2026-11-15T21:00:00.000Z v20.20.2 0x7ffd3c4a",
  "feature/JIRA-1234-add-password-reset-flow-for-mobile-users-v2",
  "KEY=value MONKEY=banana PUBLIC_KEY_PATH=/etc/ssl/certs/ca.pem",
  "-----BEGIN CERTIFICATE----- is public",
  "data/2026/11/15/report_final_version_2_reviewed_by_bob_3.csv",
  "The password is stored in the keyring; my password is wrong and the token is expired.",
  "Is the secret is injected at deploy time? The api key is required, the token was refreshed.",
  "my token is not accepted, our login is broken, and the password is too short",
  "https://example.com/search?q=hello%20world%26page%3D2&lang=en",
  "docker login registry.example.com -u ann --password-stdin",
  "docker run -p 8080:80 nginx && npm login --registry https://registry.example.com",
  "pin the version: react is 18.2.0, and pin is set to output mode",
];

for (const text of ordinary) {
  test(`stays as it is: ${text.slice(0, 60)}`, () => {
    assert.deepEqual(redact(text), { text, count: 0 });
  });
}

test("members named like secrets lose their value, whatever it looks like", () => {
  const { value, count } = redactJson({
    password: "hunter",
    nested: { apiKey: "abc", accessToken: "x1" },
    tokens: 12,
    token_count: "3",
  });
  assert.equal(count, 3);
  assert.deepEqual(value, {
    password: "[redacted:value]",
    nested: { apiKey: "[redacted:value]", accessToken: "[redacted:value]" },
    tokens: 12,
    token_count: "3",
  });
});

test("a state patch keeps names and random-looking ids, loses known formats", () => {
  const id = alnum(40);
  const patch = { "gate/x": { token: id, seen: `ghp_${alnum(36)}` } };
  const { value } = redactJson(patch, { formatsOnly: true });
  assert.deepEqual(value, { "gate/x": { token: id, seen: "[redacted:github]" } });
});

test("hostile text takes linear time", () => {
  const hostile = [
    "a".repeat(200_000),
    "password=".repeat(30_000),
    "://:".repeat(50_000),
    "eyJ".repeat(60_000),
    "-----BEGIN PRIVATE KEY-----".repeat(8_000),
    "mysql ".repeat(30_000),
    "sk-".repeat(60_000),
    "machine a login b ".repeat(10_000),
    "cookie: a=".repeat(20_000),
    "x://a:".repeat(30_000),
    `${"A".repeat(100_000)}${"1a".repeat(50_000)}`,
  ];
  for (const text of hostile) {
    const time = (size: number) => {
      const start = process.cpuUsage().user;
      redact(text.slice(0, size));
      return process.cpuUsage().user - start;
    };
    time(2_000);
    const small = Math.min(time(text.length / 8), time(text.length / 8)) + 2_000;
    assert.ok(time(text.length) < small * 40, `superlinear on ${text.slice(0, 20)}`);
  }
});

test("JSON nested too deeply and texts too long are cut, keys with __proto__ stay keys", () => {
  let deep: unknown = "x";
  for (let n = 0; n < 10_000; n++) deep = [deep];
  assert.match(JSON.stringify(redactJson({ deep } as never).value), /cut: nested too deeply/);
  assert.ok(JSON.stringify(redactJson({ long: "a b ".repeat(200_000) }).value).length < 300_000);
  const hostile = redactJson(JSON.parse('{"__proto__": {"polluted": true}}')).value;
  assert.equal(JSON.stringify(hostile), '{"__proto__":{"polluted":true}}');
});
