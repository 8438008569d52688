// curl, wget and other fetchers: what they bring, where they put it, and what they send.
// Invariant: a file named in any upload option is a read and the transfer an upload; a saved download is a write.
import type { Hazard } from "../../model/effect.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { cut, literal, parse, syntax } from "../spec/options.js";
import { afterMark } from "./sync.js";
import { asksHelp, isStream } from "./table.js";

const curlSyntax = syntax(
  "o|output= O|remote-name remote-name-all output-dir= T|upload-file= d|data= data-ascii= data-binary= data-raw= data-urlencode= json= F|form= form-string= K|config= X|request= c|cookie-jar= b|cookie= D|dump-header= trace= trace-ascii= stderr= etag-save= etag-compare= E|cert= key= cacert= capath= H|header= A|user-agent= u|user= U|proxy-user= x|proxy= e|referer= w|write-out= m|max-time= connect-timeout= retry= retry-delay= retry-max-time= r|range= C|continue-at= y|speed-time= Y|speed-limit= z|time-cond= Q|quote= resolve= interface= limit-rate= max-redirs= url= url-query= libcurl= unix-socket= abstract-unix-socket= mail-from= mail-rcpt= netrc-file= hsts= alt-svc= aws-sigv4= oauth2-bearer= proto= proto-redir= proto-default= ciphers= pubkey= krb= socks5= socks5-hostname= socks4= noproxy= connect-to= dns-servers= doh-url= t|telnet-option= P|ftp-port= ftp-account= keepalive-time= local-port= max-filesize= parallel-max= pass= service-name= tls-max= tlspassword= tlsuser= curves= create-file-mode= crlfile= egd-file= engine= expect100-timeout= happy-eyeballs-timeout-ms= cert-type= key-type= postquote= prequote= random-file= request-target= G|get I|head S s L f i k v N Z parallel g globoff J remote-header-name n netrc variable= expand-data= " +
    "ca-native path-as-is",
);

const curl: ToolFamily = {
  names: ["curl", "curlie"],
  lower(call, emit) {
    if (asksHelp(call) || call.args.every((arg) => /^(-V|-h|-M|--manual)$/.test(arg.value ?? ""))) return;
    const given = parse(call.args, curlSyntax);
    const files: Arg[] = [];
    let sends = false;
    for (const { name, value } of given.options) {
      if (!value) continue;
      if (name === "upload-file") files.push(value);
      if (
        /^(data|data-ascii|data-binary|json|expand-data)$/.test(name) &&
        (value.value ?? value.prefix).startsWith("@")
      )
        files.push(cut(value, 1));
      const encoded = name === "data-urlencode" ? afterMark(value, "@") : undefined;
      if (encoded) files.push(encoded);
      if (name === "form") files.push(...formFiles(value));
      if (name === "header" && (value.value ?? "").startsWith("@")) emit.read(cut(value, 1), "curl -H @file");
      if (/^(data|form|json|upload-file|mail-|url-query|expand-data)/.test(name)) sends = true;
      if (/^(output|cookie-jar|dump-header|trace|trace-ascii|stderr|etag-save|libcurl|hsts|alt-svc)$/.test(name))
        saved(value, given.value("output-dir"), emit, `curl --${name}`);
      if (name === "etag-compare") emit.read(value, `curl --${name}`);
      if (name === "cookie" && value.value !== undefined && !value.value.includes("="))
        emit.read(value, "curl takes cookies from it");
      if (name === "config") {
        if (!isStream(value)) emit.read(value, "curl takes options from it");
        emit.unknown("curl takes options from a file");
      }
      if (
        /quote$/.test(name) &&
        /^[-+]?(DELE|RMD|RNFR|RNTO|STOR|SITE|MKD|rm|rmdir|rename|chmod)\b/i.test(value.value ?? "")
      )
        emit.hazard({ class: "infrastructure", level: 2, id: "ftp-command" }, `curl sends ${value.source}`);
    }
    const method = (given.value("request")?.value ?? "").toUpperCase();
    if (/^(POST|PUT|PATCH|DELETE)$/.test(method)) sends = true;
    if (given.has("get")) sends = files.length > 0;
    for (const file of files) if (!isStream(file)) emit.read(file, "curl sends it");
    const urls = [...given.values("url"), ...given.operands];
    for (const url of urls) fetched(url, call, emit, sends || sendsInUrl(url), method);
    betrays(
      [...urls, ...given.values("data", "data-raw", "data-binary", "data-urlencode", "json", "form")],
      call,
      emit,
    );
    for (const socket of given.values("unix-socket"))
      if (/docker|podman|containerd/.test(socket.value ?? ""))
        emit.hazard(
          { class: "infrastructure", level: 2, id: "container-socket" },
          "curl talks to the container service",
        );
    if (given.has("remote-name", "remote-name-all"))
      for (const url of urls) saved(literal(baseOf(url)), given.value("output-dir"), emit, "curl -O");
    if (urls.length === 0 && given.unsure)
      emit.effect({ kind: "network", program: "curl", upload: sends, reason: "curl to an unresolved place" });
  },
};

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
    emit.hazard({ class: "exfiltration", level: 3, id: "secret-variable-sent" }, `${call.name} sends ${name} away`);
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
  const hazard = dangerous(text, method);
  emit.effect({
    kind: "network",
    program: call.name,
    host: url.value ?? (url.prefix || undefined),
    reason: `${call.name} ${method || "GET"}`,
    ...(upload && { upload }),
    ...(hazard && { hazard }),
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
  if (
    /^(\w+:\/\/)?(169\.254\.169\.254|metadata\.google\.internal|\[?fd00:ec2::254\]?|100\.100\.100\.200|169\.254\.170\.2)([:/]|$)/i.test(
      url,
    )
  )
    return { class: "credential-read", level: 3, id: "metadata-service" };
  if (/\/doDelete\b/.test(url)) return { class: "infrastructure", level: 2, id: "jenkins-delete" };
  if (method !== "DELETE")
    return /\/_(delete_by_query|shutdown)\b/.test(url)
      ? { class: "database", level: 2, id: "search-delete" }
      : undefined;
  const service =
    /:(9200|9300|7700|6333|8529|5984)(\/|$)|opensearch|elastic|algolia|\/indexes\/|_data_stream|\/(api\/v\d+\/)?(projects|repos|orgs|namespaces|clusters)\//i.test(
      url,
    );
  // Every index of a search server at once.
  const everything = service && /\/(_all|\*|%2A)(\?|$)/i.test(url);
  return {
    class: "infrastructure",
    level: everything ? 3 : service ? 2 : 1,
    id: service ? "service-delete" : "http-delete",
  };
}

const wgetSyntax = syntax(
  "O|output-document= P|directory-prefix= o|output-file= a|append-output= i|input-file= post-file= post-data= body-file= body-data= method= save-cookies= load-cookies= header= U|user-agent= user= password= http-user= http-password= e|execute= config= use-askpass= t|tries= T|timeout= w|wait= Q|quota= l|level= A|accept= R|reject= D|domains= I|include-directories= X|exclude-directories= B|base= warc-file= ca-certificate= certificate= private-key= referer= limit-rate= cut-dirs= restrict-file-names= N c|continue q|quiet r|recursive m|mirror p|page-requisites k|convert-links x nd no-directories spider delete-after S|server-response content-disposition trust-server-names rejected-log= hsts-file= secure-protocol= ciphers= n=",
);

const wget: ToolFamily = {
  names: ["wget", "wget2"],
  lower(call, emit) {
    if (asksHelp(call) || call.args.every((arg) => /^(-V|-h)$/.test(arg.value ?? ""))) return;
    const given = parse(call.args, wgetSyntax);
    const method = (given.value("method")?.value ?? "").toUpperCase();
    const uploads = given.values("post-file", "body-file");
    for (const file of [...uploads, ...given.values("input-file", "load-cookies", "private-key")])
      if (!isStream(file)) emit.read(file, "wget reads it");
    for (const file of given.values("output-file", "append-output", "save-cookies", "rejected-log", "hsts-file"))
      if (!isStream(file)) emit.write(file, "wget writes it");
    for (const program of given.values("use-askpass")) emit.run([program], "wget --use-askpass");
    for (const setting of given.values("execute")) {
      const askpass = /^\s*use_?askpass\s*=\s*(.+)$/i.exec(setting.value ?? "")?.[1];
      if (askpass) emit.run([literal(askpass)], "wget -e use_askpass");
      const output = /^\s*output_?document\s*=\s*(.+)$/i.exec(setting.value ?? "")?.[1];
      if (output) emit.write(literal(output), "wget -e output_document");
      const post = /^\s*(post|body)_?file\s*=\s*(.+)$/i.exec(setting.value ?? "")?.[2];
      if (post) emit.read(literal(post), "wget -e post_file");
    }
    const sends = uploads.length > 0 || given.has("post-data", "body-data") || /^(POST|PUT|PATCH|DELETE)$/.test(method);
    for (const url of given.operands) fetched(url, call, emit, sends || sendsInUrl(url), method);
    betrays([...given.operands, ...given.values("post-data", "body-data")], call, emit);
    if (given.has("spider")) return;
    const document = given.value("output-document");
    if (document) return saved(document, undefined, emit, "wget -O");
    const directory = given.value("directory-prefix");
    if (given.has("recursive", "mirror", "page-requisites") || given.has("input-file"))
      return emit.write(directory ?? literal("."), "wget saves into it", { recursive: true, glob: true });
    for (const url of given.operands) saved(literal(baseOf(url)), directory, emit, "wget saves it");
  },
};

const httpie: ToolFamily = {
  names: ["http", "https", "xh", "xhs", "httpie"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "o|output= a|auth= A|auth-type= s|style= p|print= session= session-read-only= proxy= timeout= verify= cert= cert-key= raw= d|download f|form j|json multipart boundary= x|compress c|continue b|body h|headers v|verbose",
      ),
    );
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
    for (const file of given.values("output")) saved(file, undefined, emit, `${call.name} -o`);
    if (given.has("download") && url && !given.has("output"))
      emit.write(literal(baseOf(url)), `${call.name} --download`);
  },
};

const downloaders: ToolFamily = {
  names: [
    "aria2c",
    "axel",
    "lynx",
    "links",
    "elinks",
    "w3m",
    "yt-dlp",
    "youtube-dl",
    "fetch",
    "gdown",
    "huggingface-cli",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("o|out|output= d|dir= i|input-file= x= s= j= P= f|format= cfg= cmd_script= exec="),
    );
    for (const url of given.operands) if (/[:.]/.test(url.value ?? "")) fetched(url, call, emit, false, "");
    for (const program of given.values("exec")) emit.shell(program, `${call.name} --exec`);
    for (const script of given.values("cmd_script")) emit.script(script, `${call.name} -cmd_script`, "other");
    const directory = given.value("dir");
    for (const file of given.values("output")) saved(file, directory, emit, `${call.name} -o`);
    const browser = /^(lynx|links|elinks|w3m)$/.test(call.name);
    if (!browser && !given.has("output"))
      emit.write(directory ?? literal("."), `${call.name} saves into it`, { recursive: true, glob: true });
  },
};

export const fetchers = [curl, wget, httpie, downloaders];
