// Secrets of every kind, made up, each in the text it usually stands in.
// Invariant: the same secrets in the same order in every run.

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
export const plantedSecrets: Record<string, () => [string, string]> = {
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

export const randomText = alnum;
