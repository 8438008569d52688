// Known formats of secrets: a literal that must occur before the pattern is tried, and the pattern, compiled on demand.
// Invariant: every pattern is linear: literal start, single character classes, bounded or possessive, no nested
// repetition.

export interface SecretFormat {
  kind: string;
  /** At least one of these occurs in any text that matches. No hint holds what JSON escapes. */
  hints: string[];
  pattern(): RegExp;
  /** For hints that occur everywhere: this many characters after the first hint stands this text, too. */
  unclean?: [distance: number, text: string];
}

const format = (
  kind: string,
  hints: string | string[],
  pattern: () => RegExp,
  unclean?: SecretFormat["unclean"],
): SecretFormat => ({ kind, hints: typeof hints === "string" ? [hints] : hints, pattern, unclean });

/** Whether a text can match at all. */
export function hinted(text: string, { hints, unclean }: SecretFormat): boolean {
  if (!unclean) {
    for (const hint of hints) if (text.includes(hint)) return true;
    return false;
  }
  const [distance, other] = unclean;
  for (let i = text.indexOf(hints[0]!); i >= 0; i = text.indexOf(hints[0]!, i + 1))
    if (text.startsWith(other, i + distance)) return true;
  return false;
}

export const formats: SecretFormat[] = [
  format(
    "private-key",
    "-----BEGIN",
    () => /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}(?:-----END [A-Z0-9 ]{0,40}-----)?/g,
  ),
  format("age", "AGE-SECRET-KEY-1", () => /AGE-SECRET-KEY-1[0-9A-Z]{50,70}/g),
  format("jwt", "eyJ", () => /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{0,4096})?/g),
  format("aws", ["AKIA", "ASIA", "ABIA", "ACCA"], () => /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g),
  format("github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], () => /\bgh[pousr]_[A-Za-z0-9]{30,255}/g),
  format("github", "github_pat_", () => /\bgithub_pat_\w{22,255}/g),
  format(
    "gitlab",
    ["glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-"],
    () => /\bgl(?:pat|dt|rt|ptt|soat|cbt)-[\w-]{20,255}/g,
  ),
  format("slack", "xox", () => /\bxox[abcdeoprs]-[\w-]{10,255}/g),
  format("slack", "xapp-", () => /\bxapp-\d-[\w-]{10,255}/g),
  format("slack", "hooks.slack.com/", () => /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,255}/g),
  format("stripe", ["sk_", "rk_", "pk_"], () => /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}/g),
  format("stripe", "whsec_", () => /\bwhsec_[A-Za-z0-9+/=]{20,255}/g),
  format("google", "AIza", () => /\bAIza[\w-]{35}/g),
  format("google", "ya29.", () => /\bya29\.[\w-]{20,2048}/g),
  format("google", "GOCSPX-", () => /\bGOCSPX-[\w-]{20,64}/g),
  format("google", "1//0", () => /\b1\/\/0[\w-]{30,255}/g),
  format("openai-like", "sk-", () => /\bsk-[\w-]{20,255}/g),
  format("groq", "gsk_", () => /\bgsk_[A-Za-z0-9]{30,255}/g),
  format("xai", "xai-", () => /\bxai-[A-Za-z0-9]{40,255}/g),
  format("perplexity", "pplx-", () => /\bpplx-[A-Za-z0-9]{30,255}/g),
  format("replicate", "r8_", () => /\br8_[A-Za-z0-9]{30,64}/g),
  format("huggingface", ["hf_", "api_org_"], () => /\b(?:hf|api_org)_[A-Za-z]{30,64}/g),
  format("npm", "npm_", () => /\bnpm_[A-Za-z0-9]{36,64}/g),
  format("pypi", "pypi-", () => /\bpypi-[\w-]{50,512}/g),
  format("rubygems", "rubygems_", () => /\brubygems_[0-9a-f]{48}/g),
  format("crates", "cio", () => /\bcio[A-Za-z0-9]{32}\b/g),
  format("docker", "dckr_", () => /\bdckr_(?:pat|oat)_[\w-]{20,64}/g),
  format("sendgrid", "SG.", () => /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g),
  format("twilio", "SK", () => /\bSK[0-9a-f]{32}\b/g),
  format("mailgun", "key-", () => /\bkey-[0-9a-f]{32}\b/g),
  format("mailchimp", "-us", () => /\b[0-9a-f]{32}-us\d{1,2}\b/g),
  format("telegram", ":AA", () => /\b\d{8,10}:AA[\w-]{32,34}/g),
  format("discord", "/webhooks/", () => /(?<=\/webhooks\/\d{15,22}\/)[\w-]{40,100}/g),
  format("discord", ".", () => /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g, [7, "."]),
  format("digitalocean", ["dop_v1_", "doo_v1_", "dor_v1_"], () => /\bdo[opr]_v1_[0-9a-f]{64}/g),
  format("heroku", "HRKU-", () => /\bHRKU-[\w-]{30,80}/g),
  format("databricks", "dapi", () => /\bdapi[0-9a-f]{32}(?:-\d)?\b/g),
  format("shopify", ["shpat_", "shpca_", "shppa_", "shpss_"], () => /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g),
  format("square", ["sq0atp-", "sq0csp-"], () => /\bsq0(?:atp|csp)-[\w-]{22,64}/g),
  format("linear", ["lin_api_", "lin_oauth_"], () => /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}/g),
  format("notion", ["secret_", "ntn_"], () => /\b(?:secret|ntn)_[A-Za-z0-9]{40,64}/g),
  format("figma", "figd_", () => /\bfig[duop]_[\w-]{30,64}/g),
  format("atlassian", ["ATATT3", "ATCTT3"], () => /\bAT[AC]TT3[\w=-]{50,255}/g),
  format("airtable", "pat", () => /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g, [17, "."]),
  format("azure", "8Q~", () => /[\w~.-]{3}8Q~[\w~.-]{31,37}/g),
  format(
    "azure",
    ["AccountKey=", "SharedAccessKey="],
    () => /(?<=(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{30,120}/g,
  ),
  format("azure", "sig=", () => /(?<=[?&]sig=)[A-Za-z0-9%+/=]{30,120}/g),
  format("vault", ["hvs.", "hvb.", "hvr."], () => /\bhv[sbr]\.[\w-]{24,255}/g),
  format("terraform", ".atlasv1.", () => /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}/g),
  format("grafana", ["glc_", "glsa_"], () => /\bgl(?:c|sa)_[\w+/=]{30,400}/g),
  format("newrelic", ["NRAK-", "NRJS-"], () => /\bNR(?:AK|JS)-[A-Za-z0-9]{19,32}/g),
  format("sentry", ["sntrys_", "sntryu_"], () => /\bsntry[su]_[\w+/=-]{40,400}/g),
  format("doppler", "dp.", () => /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/g),
  format("planetscale", "pscale_", () => /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}/g),
  format("supabase", ["sbp_", "sb_secret_"], () => /\bsb(?:p|_secret)_[\w-]{30,64}/g),
  format("netlify", "nfp_", () => /\bnfp_[A-Za-z0-9]{36,64}/g),
  format("cloudflare", "v1.0-", () => /\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b/g),
  format("postman", "PMAK-", () => /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g),
  format("facebook", "EAA", () => /\bEAA[A-Za-z0-9]{50,400}/g),
  format("twitter", "AAAAAAAAAAAA", () => /\bA{12,22}[A-Za-z0-9%]{50,120}/g),
  format("artifactory", "AKCp", () => /\bAKCp[A-Za-z0-9]{60,80}/g),
  format(
    "url-password",
    "://",
    () => /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>]{0,100}:)[^\s@/"'<>]{1,200}(?=@)/gi,
  ),
  format("bearer", ["earer ", "EARER "], () => /(?<=\bbearer\s{1,3})[\w.~+/=-]{12,4096}/gi),
  format(
    "authorization",
    ["uthorization", "UTHORIZATION"],
    () => /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token|digest|apikey)\s{1,3})[^\s"']{6,4096}/gi,
  ),
  format(
    "header",
    ["-Key", "-key", "-Token", "-token", "-KEY"],
    () =>
      /(?<=\bx-(?:api-key|auth-token|access-token|amz-security-token|vault-token|goog-api-key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"']{6,4096}/gi,
  ),
  format("cookie", ["ookie:", "OOKIE:"], () => /(?<=\b(?:set-)?cookie:\s{0,3}[^\s=;]{1,80}=)[^\s;"']{8,4096}/gi),
  format(
    "curl-user",
    ["-u ", "--user"],
    () => /(?<=\s(?:-u|--user|--proxy-user)[\s=]["']?[^\s:"']{1,80}:)[^\s"']{1,200}/g,
  ),
  format(
    "registry-login",
    "login",
    () =>
      /(?<=\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc|vault|heroku|doctl)\b[^\n|;&]{0,100}\blogin\b[^\n|;&]{0,200}\s-p[\s=]{0,2}["']?)[^\s"'-][^\s"']{0,200}/g,
  ),
  format("sshpass", "sshpass", () => /(?<=\bsshpass\s{1,3}-p\s{0,3})[^\s]{1,200}/g),
  format(
    "mysql",
    ["mysql", "mariadb"],
    () => /(?<=\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}\s-p)[^\s-][^\s]{0,200}/g,
  ),
  format(
    "netrc",
    "machine ",
    () => /(?<=\bmachine\s{1,3}\S{1,100}\s{1,3}login\s{1,3}\S{1,100}\s{1,3}password\s{1,3})\S{1,200}/g,
  ),
];
