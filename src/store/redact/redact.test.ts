// Planted secrets never survive; ordinary text, code, hashes and names do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plantedSecrets, randomText } from "../../testing/planted-secrets.js";
import { redact, redactJson } from "./redact.js";
import { formats } from "./secret-formats.js";

test("planted secrets do not survive, in text and in JSON", () => {
  let count = 0;
  for (const [kind, make] of Object.entries(plantedSecrets)) {
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
  const id = randomText(40);
  const patch = { "gate/x": { token: id, seen: `ghp_${randomText(36)}` } };
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
