// curl, wget and other fetchers: what they bring, where they put it, and what they send.
// Invariant: a file named in any upload option is a read and the transfer an upload; a saved download is a write.
import { type Hazard, hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { cut, isStream, literal, type Parsed } from "../spec/options.js";
import { afterMark } from "./sync.js";

/** Places of a cloud that hand out credentials to whoever asks from inside. */
const metadata = new RegExp(
  `^(\\w+://)?(${[
    "169\\.254\\.169\\.254",
    "169\\.254\\.170\\.2",
    "100\\.100\\.100\\.200",
    "metadata\\.google\\.internal",
    "\\[?fd00:ec2::254\\]?",
  ].join("|")})([:/]|$)`,
  "i",
);

/** Addresses whose deletion takes data or a project with it. */
const services = [
  /:(9200|9300|7700|6333|8529|5984)(\/|$)/,
  /opensearch|elastic|algolia|\/indexes\/|_data_stream/i,
  /\/(api\/v\d+\/)?(projects|repos|orgs|namespaces|clusters)\//i,
  // What providers run for their customers.
  /^https:\/\/(?:api\.(?:digitalocean|cloudflare|heroku|vercel|netlify|linode|supabase|stripe|render)\.com|api\.hetzner\.cloud|api\.machines\.dev|api\.fly\.io|management\.azure\.com|[\w-]+\.googleapis\.com|backboard\.railway\.\w+)\//,
  /^https?:\/\/(?:[\w-]+\.)*(?:prod|production|live)(?=[-.:/\d])/i,
];

/** A question that changes: GraphQL's `mutation { volumeDelete(...) }`. */
const deletingMutation = /\bmutation\b[\s\S]*\b(?:\w*(?:Delete|Destroy)\w*|(?:delete|destroy)[A-Z]\w*)\s*\(/;
const isHere = (url: string): boolean => /^(?:https?:\/\/)?(?:localhost|127\.|\[?::1|0\.0\.0\.0)/.test(url);

const changing = /^(POST|PUT|PATCH|DELETE)$/;

/** Files of an option that sends data: -d @file, -F name=@file, -T file. */
function sentFiles({ options }: Parsed): Arg[] {
  return options.flatMap(({ name, value }) => {
    if (!value) return [];
    if (name === "upload-file") return [value];
    if (name === "form") return formFiles(value);
    if (name === "data-urlencode") return afterMark(value, "@") ?? [];
    const fromFile = /^(data|data-ascii|data-binary|json|expand-data)$/.test(name);
    return fromFile && (value.value ?? value.prefix).startsWith("@") ? [cut(value, 1)] : [];
  });
}

const code: Code = {
  saved: ({ call, given, value }, emit) =>
    saved(value as Arg, given.value("output-dir"), emit, `${call.name} saves it`),
  header({ value }, emit) {
    if (value?.value?.startsWith("@")) emit.read(cut(value, 1), "curl -H @file");
  },
  cookies({ value }, emit) {
    if (value?.value !== undefined && !value.value.includes("=")) emit.read(value, "curl takes cookies from it");
  },
  config({ value }, emit) {
    if (!isStream(value as Arg)) emit.read(value as Arg, "curl takes options from it");
    emit.unknown("curl takes options from a file");
  },
  ftpCommand({ value }, emit) {
    if (/^[-+]?(DELE|RMD|RNFR|RNTO|STOR|SITE|MKD|rm|rmdir|rename|chmod)\b/i.test(value?.value ?? ""))
      emit.hazard(hazard("ftp-command"), `curl sends ${value?.source}`);
  },
  socket({ value }, emit) {
    if (/docker|podman|containerd/.test(value?.value ?? ""))
      emit.hazard(hazard("container-socket"), "curl talks to the container service");
  },
  curl({ call, given }, emit) {
    const files = sentFiles(given);
    const method = (given.value("request")?.value ?? "").toUpperCase();
    const data = given.options.some(
      ({ name, value }) => value && /^(data|form|json|upload-file|mail-|url-query|expand-data)/.test(name),
    );
    const sends = given.has("get") ? files.length > 0 : data || changing.test(method);
    for (const file of files) if (!isStream(file)) emit.read(file, "curl sends it");
    const urls = [...given.values("url"), ...given.operands];
    for (const url of urls) fetched(url, call, emit, sends || sendsInUrl(url), method);
    const texts = given.values("data", "data-raw", "data-binary", "data-urlencode", "json", "form");
    betrays([...urls, ...texts], call, emit);
    if (texts.some(({ value }) => deletingMutation.test(value ?? "")) && !urls.some(({ value }) => isHere(value ?? "")))
      emit.hazard(hazard("service-delete"), `${call.name} sends a mutation that deletes`);
    if (files.some(isStream)) sendsDump(call, emit);
    if (given.has("remote-name", "remote-name-all"))
      for (const url of urls) saved(literal(baseOf(url)), given.value("output-dir"), emit, "curl -O");
    if (urls.length === 0 && given.unsure)
      emit.effect({ kind: "network", program: "curl", upload: sends, reason: "curl to an unresolved place" });
  },
  /** wget -e: a line of its settings file. */
  setting({ value }, emit) {
    const [, name = "", text] = /^\s*(\w+)\s*=\s*(.+)$/.exec(value?.value ?? "") ?? [];
    if (text === undefined) return;
    const key = name.toLowerCase().replaceAll("_", "");
    if (key === "useaskpass") emit.run([literal(text)], "wget -e use_askpass");
    if (key === "outputdocument") emit.write(literal(text), "wget -e output_document");
    if (key === "postfile" || key === "bodyfile") emit.read(literal(text), "wget -e post_file");
  },
  wget({ call, given }, emit) {
    const method = (given.value("method")?.value ?? "").toUpperCase();
    const sends = given.has("post-file", "body-file", "post-data", "body-data") || changing.test(method);
    for (const url of given.operands) fetched(url, call, emit, sends || sendsInUrl(url), method);
    betrays([...given.operands, ...given.values("post-data", "body-data")], call, emit);
    if (given.has("spider")) return;
    const document = given.value("output-document");
    if (document) return saved(document, undefined, emit, "wget -O");
    const directory = given.value("directory-prefix");
    if (given.has("recursive", "mirror", "page-requisites", "input-file"))
      return emit.write(directory ?? literal("."), "wget saves into it", { recursive: true, glob: true });
    for (const url of given.operands) saved(literal(baseOf(url)), directory, emit, "wget saves it");
  },
  /** [METHOD] URL name=value name@file */
  httpie({ call, given }, emit) {
    const [first, ...rest] = given.operands;
    const hasMethod = /^[A-Z]+$/i.test(first?.value ?? "") && rest.length > 0;
    const method = hasMethod ? first!.value!.toUpperCase() : "";
    const [url, ...items] = hasMethod ? rest : given.operands;
    const files = items.flatMap((item) =>
      /^[^@=:]*(:=|=)?@/.test(item.value ?? item.prefix) ? [afterMark(item, "@")!] : [],
    );
    for (const file of files) emit.read(file, `${call.name} sends it`);
    const body =
      items.some((item) => /^[^:=@]+(:=|=(?!=)|@)/.test(item.value ?? item.prefix)) ||
      given.has("raw") ||
      call.stdin.kind !== "inherit";
    if (url) fetched(url, call, emit, body || /^(POST|PUT|PATCH|DELETE)$/.test(method), method);
    if (given.has("download") && url && !given.has("output"))
      emit.write(literal(baseOf(url)), `${call.name} --download`);
  },
  visit({ call, rest }, emit) {
    for (const url of rest) if (/[:.]/.test(url.value ?? "")) fetched(url, call, emit, false, "");
  },
};

const dumpers = /^(pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|mysqlpump|mydumper)$/;

/** A database that is dumped into what sends it away. */
export function sendsDump({ name, stdin }: Invocation, emit: Emit): void {
  const sources = stdin.kind === "pipe" ? [...(stdin.sources ?? []), stdin.from ?? ""] : [];
  const dumper = sources.find((source) => dumpers.test(source));
  if (dumper) emit.hazard(hazard("database-dump-sent"), `${name} sends what ${dumper} prints`);
}

/** name=@file, name=<file, several files separated by commas. */
function formFiles(value: Arg): Arg[] {
  const text = value.value ?? value.prefix;
  const at = /^([^=]*=)?[@<]/.exec(text)?.[0].length;
  if (at === undefined) return [];
  const rest = cut(value, at);
  if (rest.value === undefined) return [rest];
  return rest.value
    .replace(/;(type|filename|encoder|headers)=[^,]*/g, "")
    .split(",")
    .filter((name) => /[./]/.test(name) || !rest.value!.includes(","))
    .map((name) => literal(name.replace(/^"|"$/g, "")));
}

function saved(file: Arg, directory: Arg | undefined, emit: Emit, reason: string): void {
  if (isStream(file)) return;
  const placed =
    directory?.value !== undefined && file.value !== undefined && !file.value.startsWith("/")
      ? literal(`${directory.value}/${file.value}`)
      : file;
  emit.write(placed, reason);
}

/** A secret variable or a command's output inside an address leaves with it. */
const sendsInUrl = (url: Arg): boolean => (url.from?.length ?? 0) > 0;

/** Keys that only ever sign or unlock; a token or a password may be what the service asks for. */
const neverSent =
  /(SECRET_(ACCESS_)?KEY|PRIVATE_?KEY|CLIENT_SECRET|SIGNING_(KEY|SECRET)|ENCRYPTION_KEY|MASTER_KEY|SSH_KEY)/;

function betrays(texts: readonly Arg[], call: Invocation, emit: Emit): void {
  const name = texts.flatMap((text) => text.variables ?? []).find((variable) => neverSent.test(variable));
  if (name && !texts.some((text) => /^(https?:\/\/)?(localhost|127\.0\.0\.1)\b/.test(text.value ?? text.prefix)))
    emit.hazard(hazard("secret-variable-sent"), `${call.name} sends ${name} away`);
}

const baseOf = (url: Arg): string =>
  (url.value ?? "")
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .split("/")
    .slice(3)
    .at(-1) || "index.html";

function fetched(url: Arg, call: Invocation, emit: Emit, upload: boolean, method: string): void {
  const text = url.value ?? url.prefix;
  if (/^file:/i.test(text))
    return emit.read(literal(decode(text.replace(/^file:(\/\/(localhost)?(?=\/))?/i, ""))), `${call.name} file:`);
  const danger = dangerous(text, method);
  emit.effect({
    kind: "network",
    program: call.name,
    host: url.value ?? (url.prefix || undefined),
    reason: `${call.name} ${method || "GET"}`,
    ...(upload && { upload }),
    ...(danger && { hazard: danger }),
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: the text is the path.
    return text;
  }
}

function dangerous(url: string, method: string): Hazard | undefined {
  if (metadata.test(url)) return hazard("metadata-service");
  if (/\/doDelete\b/.test(url)) return hazard("jenkins-delete");
  if (method !== "DELETE") return /\/_(delete_by_query|shutdown)\b/.test(url) ? hazard("search-delete") : undefined;
  const service = services.some((pattern) => pattern.test(url));
  // Every index of a search server at once.
  const everything = service && /\/(_all|\*|%2A)(\?|$)/i.test(url);
  return hazard(everything ? "service-delete-all" : service ? "service-delete" : "http-delete");
}

export const fetchers = tools(
  "curl",
  `
tool curl curlie
  options o|output=saved O|remote-name remote-name-all output-dir= T|upload-file= d|data= data-ascii= data-binary=
    data-raw= data-urlencode= json= F|form= form-string= K|config=config X|request= c|cookie-jar=saved b|cookie=cookies
    D|dump-header=saved trace=saved trace-ascii=saved stderr=saved etag-save=saved etag-compare=read E|cert= key=
    cacert= capath= H|header=header A|user-agent= u|user= U|proxy-user= x|proxy= e|referer= w|write-out= m|max-time=
    connect-timeout= retry= retry-delay= retry-max-time= r|range= C|continue-at= y|speed-time= Y|speed-limit=
    z|time-cond= Q|quote=ftpCommand resolve= interface= limit-rate= max-redirs= url= url-query= libcurl=saved
    unix-socket=socket abstract-unix-socket= mail-from= mail-rcpt= netrc-file= hsts=saved alt-svc=saved aws-sigv4=
    oauth2-bearer= proto= proto-redir= proto-default= ciphers= pubkey= krb= socks5= socks5-hostname= socks4= noproxy=
    connect-to= dns-servers= doh-url= t|telnet-option= P|ftp-port= ftp-account= keepalive-time= local-port=
    max-filesize= parallel-max= pass= service-name= tls-max= tlspassword= tlsuser= curves= create-file-mode= crlfile=
    egd-file= engine= expect100-timeout= happy-eyeballs-timeout-ms= cert-type= key-type= postquote=ftpCommand
    prequote=ftpCommand random-file= request-target= G|get I|head S|show-error s|silent L|location f|fail i|include
    k|insecure v|verbose N|no-buffer Z|parallel g|globoff J|remote-header-name n|netrc variable= expand-data= ca-native
    path-as-is a|append B|use-ascii 0 1 2 3 4 6 j|junk-session-cookies l|list-only p|proxytunnel q|disable R|remote-time
    # progress-bar fail-with-body compressed http1.0 http1.1 http2 http3 tlsv1 tlsv1.2 tlsv1.3 ssl anyauth basic digest
    ntlm negotiate post301 post302 create-dirs no-progress-meter retry-all-errors retry-connrefused location-trusted raw
    tcp-nodelay styled-output ssl-reqd disable-epsv crlf skip-existing no-keepalive remove-on-error h= V M|manual
    fail-early cert-status haproxy-protocol tr-encoding trace-time rate= proxy-header= proxy-cacert= proxy-insecure
    preproxy= ip-tos= max-redirect= ipfs-gateway=
  --h|V|manual : quiet
  otherwise do curl
tool wget wget2
  options O|output-document= P|directory-prefix= o|output-file=write a|append-output=write i|input-file=read
    post-file=read post-data= body-file=read body-data= method= save-cookies=write load-cookies=read header=
    U|user-agent= user= password= http-user= http-password= e|execute=setting config= use-askpass=program t|tries=
    T|timeout= w|wait= Q|quota= l|level= A|accept= R|reject= D|domains= I|include-directories= X|exclude-directories=
    B|base= warc-file= ca-certificate= certificate= private-key=read referer= limit-rate= cut-dirs= restrict-file-names=
    N c|continue q|quiet r|recursive m|mirror p|page-requisites k|convert-links x nd no-directories spider delete-after
    S|server-response content-disposition trust-server-names rejected-log=write hsts-file=write secure-protocol=
    ciphers= n= v|verbose d|debug b|background nv|no-verbose no-check-certificate nc|no-clobber np|no-parent
    K|backup-converted E|adjust-extension H|span-hosts L|relative F|force-html 4 6 show-progress=? no-cache no-cookies
    keep-session-cookies max-redirect= waitretry= random-wait no-proxy dns-timeout= connect-timeout= read-timeout=
    retry-connrefused timestamping no-hsts compression= progress= backups=? local-encoding= report-speed= start-pos=
    accept-regex= reject-regex= follow-tags= ignore-tags= auth-no-challenge https-only h V
  --h|V : quiet
  otherwise do wget
tool http https xh xhs httpie
  options o|output=write a|auth= A|auth-type= s|style= p|print= session= session-read-only= proxy= timeout= verify=
    cert= cert-key= raw= d|download f|form j|json multipart boundary= x|compress c|continue b|body h|headers v|verbose
    F|follow q|quiet max-redirects= check-status ignore-stdin offline pretty= S|stream I default-scheme= path-as-is ssl=
    ciphers= m|meta all format-options= response-charset= response-mime= bearer= resolve= http-version= ignore-netrc
  otherwise do httpie
tool yt-dlp youtube-dl
  options o|output=saved P|paths=saved a|batch-file=read load-info-json=read exec=shell exec-before-download=shell
    cookies=read cookies-from-browser= f|format= S|format-sort= U|update i|ignore-errors r|limit-rate= R|retries=
    w|no-overwrites s|simulate j|dump-json J|dump-single-json p|password= u|username= n|netrc x|extract-audio
    k|keep-video c|continue q|quiet v|verbose F|list-formats g|get-url e|get-title 4 6 t=? N|concurrent-fragments=
    I|playlist-items= id audio-format= audio-quality= sub-langs= sub-lang= sub-format= merge-output-format=
    remux-video= recode-video= proxy= user-agent= referer= add-header= download-archive=write config-location=read
    config-locations=read ffmpeg-location= external-downloader=program downloader=program cache-dir= match-filter=
    postprocessor-args= write-subs write-sub write-auto-sub write-thumbnail write-info-json skip-download no-playlist
    yes-playlist restrict-filenames no-part embed-subs embed-thumbnail add-metadata embed-metadata no-warnings
    list-subs list-extractors socket-timeout= sleep-interval= max-downloads= min-filesize= max-filesize= date=
    dateafter= datebefore= print= O= netrc-location=read plugin-dirs= use-postprocessor= retry-sleep=
  also #1+ : do visit
  --output|paths|list-formats|skip-download|simulate|dump-json|dump-single-json|get-url|get-title|list-subs : quiet
  otherwise write . all "saves into it"
tool aria2c axel fetch gdown
  options o|out|output=saved d|dir|output-dir= i|input-file=read x= s= j= P= f|format= k= n= a|batch-file=read
    exec=shell cookies=read max-connection-per-server= split= max-concurrent-downloads= header= U= user-agent= referer=
    checksum= c|continue q|quiet r R|rate-limit= S= w= T= m N= X|extract-audio audio-format= audio-quality= sub-langs=
    merge-output-format= l= p v 4 6 id= folder fuzzy proxy= cookies-from-browser= O|output-template= seed-time=
    all-proxy= load-cookies=read on-download-complete=program write-subs skip-download F|list-formats no-playlist
    playlist-items= download-archive=write restrict-filenames
  also #1+ : do visit
  --output|list-formats|skip-download : quiet
  otherwise write --output-dir else . all "saves into it"
tool lynx links elinks w3m
  style one-dash
  options cfg= cmd_script=script cmd_log=write dump source listonly nolist width= useragent= accept_all_cookies
    cookie_file= T= I= O= o= cols= dump_media= dump-width= auth= pauth= post_data get_data force_html stdin crawl
    traversal mime_header head hiddenlinks= assume_charset= display_charset= t r v s
  otherwise do visit
tool huggingface-cli hf
  options repo-type= revision= local-dir= cache-dir= include= exclude= token= private commit-message=
    commit-description= path-in-repo= create-pr delete= every= num-workers= force-download quiet max-workers= type=
    limit= y|yes
  upload|upload-large-folder : upload first, read 2+ else . tree "sends it"
  download : network first, write --local-dir else ~/.cache/huggingface all
  repo|repos delete : network, !service-delete
  repo-files|repos delete : network, !service-delete
  login|logout|whoami|auth|env|scan-cache|cache|tag|repo|repos|models|datasets|spaces|jobs : network
  otherwise unknown
`,
  code,
);
