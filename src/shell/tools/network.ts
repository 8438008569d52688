// Transfers and connections other than http: scp, sftp, nc, socat, openssl, dns, mail, tunnels.
// Invariant: local data that can leave is an upload; a program tied to a connection is run and named a reverse shell
// when it is one.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { cut, literal } from "../spec/options.js";
import { sendsDump } from "./curl.js";
import { remoteHost } from "./sync.js";

const connects = (call: Invocation, emit: Emit, host: Arg | string | undefined, upload: boolean, reason: string) =>
  emit.effect({
    kind: "network",
    program: call.name,
    host: typeof host === "object" ? (host.value ?? host.source) : host,
    reason,
    ...(upload && { upload }),
  });

const hasInput = (call: Invocation) => call.stdin.kind !== "inherit";

const isShell = (text: string) => /(^|\/|\s)(ba|da|z|k|c|tc|a|fi)?sh\b|powershell|cmd\.exe/.test(text);

const isNetwork = (text: string) =>
  /^(TCP|UDP|DCCP|SSL|OPENSSL|SCTP|VSOCK|SOCKS|PROXY|DTLS|IP|WEBSOCKET|ABSTRACT|UNIX)[\w-]*:/i.test(text);

/** Programs that print what files hold. */
const showsFiles = /^(cat|base64|base32|xxd|od|head|tail|env|printenv|hexdump|gzip|tar|openssl|sed|awk|cut|grep)$/;

/** The name or address a look-up asks for, and what a command substitution put into it. */
function lookUp(call: Invocation, emit: Emit, scans: boolean): void {
  const target = call.args.findLast((arg) => !/^[-+@]/.test(arg.value ?? "-"));
  const carries = call.args.flatMap((arg) => arg.from ?? []);
  const id = carries.some((program) => showsFiles.test(program)) ? "dns-exfiltration-data" : "dns-exfiltration";
  if (carries.length)
    return emit.effect({
      kind: "network",
      program: call.name,
      host: target?.source,
      upload: true,
      reason: "a command's output leaves in the name that is asked for",
      hazard: hazard(id),
    });
  emit.effect({
    kind: "network",
    program: call.name,
    host: target?.value,
    reason: call.name,
    ...(scans && { hazard: hazard("network-scan") }),
  });
}

const code: Code = {
  proxy({ value }, emit) {
    const command = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.+)$/i.exec(value?.value ?? "")?.[1];
    if (command && command !== "none") emit.shell(literal(command), "ssh runs it on this machine");
  },
  scp({ call, given }, emit) {
    const target = given.operands.at(-1);
    const recursive = given.has("r") ? { recursive: true } : {};
    for (const source of given.operands.slice(0, -1)) {
      const host = remoteHost(source);
      if (host === undefined) emit.read(source, "scp sends it", recursive);
      else connects(call, emit, host, false, "scp fetches from it");
    }
    if (!target) return;
    const host = remoteHost(target);
    if (host === undefined) emit.write(target, "scp writes it", recursive);
    else connects(call, emit, host, true, "scp sends to it");
  },
  /** Commands in its script or on its input: put, get, !command. */
  ftp({ call, given }, emit) {
    const inline = given
      .values("c", "e")
      .map((text) => text.value ?? "")
      .join("\n");
    const script = call.stdin.kind === "text" ? `${call.stdin.text}\n${inline}` : inline;
    for (const [, shell] of script.matchAll(/(?:^|[;\n])\s*!\s*([^\n;]+)/g))
      emit.shell(literal(shell!), `${call.name} !command`);
    for (const [, file] of script.matchAll(/(?:^|[;\n])\s*m?(?:put|reput)\s+(?:-\w+\s+)*(\S+)/g))
      emit.read(literal(file!), `${call.name} sends it`);
    for (const [, file] of script.matchAll(/(?:^|[;\n])\s*(?:get|reget|pget)\s+(?:-\w+\s+)*(\S+)/g))
      emit.write(literal(file!.split("/").at(-1)!), `${call.name} fetches it`);
    const sends =
      /\bm?put\b|mirror\s+(-\w+\s+)*-\w*R/.test(script) ||
      /put$/.test(call.name) ||
      (script === "" && (hasInput(call) || given.has("b", "f")));
    connects(call, emit, given.operands[0], sends, call.name);
  },
  /** A program whose input and output are the connection. */
  tied({ call, value }, emit) {
    emit.shell(value as Arg, `${call.name} ties it to the connection`);
    if (isShell(value?.value ?? "sh"))
      emit.hazard(hazard("reverse-shell"), `${call.name} gives a shell to the connection`);
  },
  socat({ call, given }, emit) {
    const addresses = given.operands.flatMap((word) =>
      word.value === undefined ? [word] : word.value.split("!!").map(literal),
    );
    const networked = addresses.some((word) => isNetwork(word.value ?? word.prefix));
    addresses.forEach((word, index) => {
      const text = word.value ?? word.prefix;
      const [, kind = "", rest = ""] = /^([A-Za-z0-9-]+)(?::([\s\S]*))?$/.exec(text) ?? [];
      const upper = kind.toUpperCase();
      if (upper === "EXEC" || upper === "SYSTEM" || upper === "SHELL") {
        const command = rest.replace(
          /,(pty|stderr|setsid|sigint|sane|ctty|raw|echo=\d|nofork|su=\w+|pipes|fdin=\d+|fdout=\d+)\b[^"']*$/,
          "",
        );
        emit.shell(
          word.value === undefined ? { source: word.source, prefix: command } : literal(command),
          `socat ${upper}`,
        );
        if (networked && (upper === "SHELL" || isShell(command)))
          emit.hazard(hazard("reverse-shell"), "socat gives a shell to the connection");
      } else if (/^(OPEN|FILE|GOPEN|CREAT|CREATE|PIPE)$/.test(upper)) {
        const [path = "", ...options] = rest.split(",");
        const directory = options.map((option) => /^(?:chdir|cd)=(.*)$/.exec(option)?.[1]).find(Boolean);
        const file = literal((directory ? `${directory}/` : "") + path.replace(/^["']|["']$/g, ""));
        const written = /^CREAT/.test(upper) || (index > 0 && !given.has("U")) || (index === 0 && given.has("U"));
        if (written) emit.write(file, `socat ${upper}`);
        else emit.read(file, `socat ${upper}`);
      } else if (isNetwork(text)) connects(call, emit, rest || word, true, `socat ${upper}`);
      else if (word.value === undefined) emit.unknown(`socat address ${word.source} is not static`);
    });
  },
  /** \`ngrok http file:///folder\` serves the folder. */
  served({ rest }, emit) {
    for (const word of rest)
      if (word.value?.startsWith("file://")) emit.read(cut(word, 7), "ngrok serves it", { recursive: true });
  },
  dump: ({ call }, emit) => sendsDump(call, emit),
  password({ call, value }, emit) {
    if (value?.value?.startsWith("file:")) emit.read(cut(value, 5), `${call.name} takes a password from it`);
  },
  lookUp: ({ call }, emit) => lookUp(call, emit, false),
  scan: ({ call }, emit) => lookUp(call, emit, true),
};

export const networkTools = tools(
  "network",
  `
tool scp pscp rcp
  options i= P= F= o=proxy S=program J= c= l= D= X= r p q v C 1 2 3 4 6 A B O R s T
  otherwise do scp
tool croc wormhole magic-wormhole
  options code= c= text= relay= relay-url= appid= transit-helper= output-file=write o=write out= pass= port= socks5= ip=
    yes no-compress zip curve= hash= transfers= hide-progress 0 accept-file
  send : upload "sends it", read rest tree "sends it"
  relay : network "passes on what others send"
  otherwise network
tool sftp
  options b=read i= P= F= o=proxy S=program c= J= R= B= s= D= l= X= f p r a A C N q v 4 6
  otherwise do ftp
tool ftp lftp ncftp ncftpput tftp ftpput smbclient cadaver
  options b=read i= P= F= o=proxy S=program c= e= f=read u= p= J= R= B= s= D= l= U= W= I= m= n= L= t= k N a A C q r v d
    g 4 6
  also @ncftpput : read 3+ "sends it"
  otherwise do ftp
tool nc ncat netcat nc.openbsd nc.traditional telnet rlogin cryptcat
  options e|exec=tied c|sh-exec=tied lua-exec=read p|source-port= s|source= w|wait= i|delay= q= x|proxy= X|proxy-type=
    o|output=write O= I= T= m|max-conns= g= G= ssl-cert= ssl-key= proxy-auth= ssl-trustfile= allow=? deny=
    hex-dump=write idle-timeout= V= b= M= l|listen k|keep-open u|udp z v|verbose n|nodns 4 6 d D h N r S U|unixsock
    C|crlf t|telnet ssl broker chat send-only recv-only no-shutdown ssl-verify a L E K 8 F
  --z : network first
  < : upload first, do dump
  --listen : network first "waits for a connection"
  otherwise network first
tool rsh
  style posix
  options l= n d K k= x f F
  #2+ : remote 2+ at first
  otherwise network first
tool socat
  options b= t= T= l= s L= W= d D u U v x y h V lf= lp= ls lu lm= S= r= R= g 4 6
  otherwise do socat
tool openssl libressl
  style one-dash
  options in=read inkey=read key=read keyfile=read CAkey=read signkey=read sign=read extfile=read config=read rand=read
    out=write keyout=write writerand=write pass=password passin=password passout=password cert= CA= CAfile= CApath=
    certfile= k= K= iv= S= md= connect= servername= starttls= host= accept= port= days= newkey= subj= name= caname=
    verify= signature= prverify= pubkeyopt= pkeyopt= sigopt= addext= extensions= set_serial= serial= inform= outform=
    keyform= algorithm= CAserial= crldays= digest= nameopt= certopt= cipher= ciphersuites= alpn= checkhost= checkend=
    purpose= untrusted= iter= seconds= bytes= recip= signer= kdfopt= macopt= hmac= mac= reqexts= proxy= curve= e d a A
    base64 p P text noout nodes x509 new batch pubkey pubin pubout modulus fingerprint sha1 sha256 sha384 sha512 md5
    serial_hash subject issuer dates startdate enddate hash export nokeys nocerts clcerts cacerts des3 aes128 aes256
    aes-256-cbc aes-128-cbc pbkdf2 salt nosalt hex binary r c debug quiet showcerts brief crlf ign_eof no_ign_eof ext=
    traditional noenc check verbose req CAcreateserial encrypt decrypt derive genkey param_enc= conv_form= topk8 nocrypt
    legacy tls1_2 tls1_3 status msg
  s_client|s_time --connect|host < : upload --connect|host
  s_client|s_time --connect|host : network --connect|host
  s_client|s_time < : upload first
  s_client|s_time : network first
  s_server|ocsp : upload "serves"
  dgst|md5|sha1|sha224|sha256|sha384|sha512|sha3-* : read rest
  x509|req|rsa|genrsa|dsa|gendsa|dsaparam|dh|dhparam|gendh|ec|ecparam|pkey|genpkey|pkeyparam|pkeyutl|rsautl : quiet
  pkcs12|pkcs8|pkcs7|cms|smime|enc|rand|ciphers|verify|list|prime|asn1parse|crl|crl2pkcs7|ca|speed|passwd|info : quiet
  mac|kdf|sess_id|nseq|spkac|storeutl|rehash|ts|engine|errstr|fipsinstall|list-*|s_server_info|skeyutl : quiet
  aes*|aria*|base64|bf*|camellia*|cast*|chacha20|des*|idea*|rc2*|rc4*|seed*|sm4*|zlib : quiet
  otherwise unknown
tool certtool
  options infile=read outfile=write load-privkey=read load-certificate=read load-ca-privkey=read
    load-ca-certificate=read load-request=read load-pubkey=read template=read:use password= hash= bits= sec-param=
    curve= key-type= to-p12 i k l e s c q u p d= p12-info key-info certificate-info generate-privkey
    generate-self-signed generate-certificate generate-request fingerprint key-id pubkey-info verify verify-chain inder
    outder pkcs8 outfile-format= p12-name= provider=
  otherwise quiet
tool step
  options f|force ca-url= root= provisioner= password-file=read:use not-after= profile= ca=read ca-key=read kty= size=
    crv= alg= key=read short format= bundle insecure no-password san= token= san-file= out=write
  certificate|crypto inspect|fingerprint|format|hash|verify|lint|key|digest : read rest
  certificate|crypto
    create|sign|keypair|install|uninstall|p12|bundle|needs-renewal|jwk|jws|jwt|jwe|kdf|nacl|otp|rand|change-pass : quiet
  ca|ssh|oauth|api|fileserver|beta : network
  path|context|base64|completion|crypto|certificate : quiet
  otherwise unknown
tool dig nslookup host drill kdig delv dog doggo whois ping ping6 traceroute traceroute6 tracepath mtr fping arping
tool ssh-keyscan ntpdate speedtest iperf iperf3 websocat wscat grpcurl evans snmpwalk ldapsearch
  options b= c= i= k= m= p= q= t= w= x= y= C= H= I= M= Q= W= s= S= T= D= d= l= L= f= h= n v r A O F P R 4 6 a
  also @dig --f : read --f
  otherwise do lookUp
tool nmap masscan hping3
  style one-dash
  options oN=write oX=write oG=write oA=write oS=write oJ=write oL=write iL=read excludefile=read p= script=
    script-args= e= S= g= D= T= source-port= exclude= top-ports= max-retries= min-rate= max-rate= rate= host-timeout=
    dns-servers= proxies= ports= stylesheet= resume=read data-length= ttl= c= i= d= a= k= w= t= sV sS sT sU sn sP sL sC
    Pn PS= PA= A O n R v vv F r open 6 iR= traceroute T0 T1 T2 T3 T4 T5 p- reason
  otherwise do scan

tool tcpdump tshark wireshark dumpcap
  options w=write z=program r=read F=read o= i= c= W= G= C= s= T= Y= f= e= d= b= a= n nn v vv vvv q A X XX l t tttt p D
    L K
  otherwise !attack-tool
tool hydra sqlmap hashcat john msfconsole msfvenom aircrack-ng nikto gobuster ffuf wfuzz dirb ettercap bettercap
tool responder mimikatz wpscan nuclei enum4linux crackmapexec arpspoof
  options w=write o= i= r= c= W= G= C=
  otherwise !attack-tool

tool mail mailx s-nail heirloom-mailx sendmail msmtp ssmtp exim mpack sendemail
  options s= a=read A=read attach=read c= b= r= f= F= e= H= q= S= u= m= o= d= X= B= C= V= N L D E n i v t x to= from=
    server= body= header= account= host= port= file=read:use logfile=
  < or --a|A|attach : upload first "sends a message", !mail-data
  otherwise upload first "sends a message", !mail
tool mutt neomutt swaks
  options s= a=read A=read attach=read i=read H=read body=read:use c= b= e= f= F= Q= m= t= p= au= ap= n x z Z y R D E h=
    to= from= server= header= h-Subject= auth= port= data=read attach-type= attach-name= ehlo= helo= tls auth-user=
    auth-password= cc= bcc=
  < or --a|A|attach : upload first "sends a message", !mail-data
  otherwise upload first "sends a message", !mail
tool himalaya
  options c|config= a|account= f|folder= o|output= s|page-size= p|page= q|quiet debug trace backend=
  message|template send|reply|forward|write < : upload "sends a message", !mail-data
  message|template send|reply|forward|write|mailto or write|reply|forward|send : upload "sends a message", !mail
  envelope|folder|message|account|flag|attachment|template|list|search|read|folders|accounts : network
  otherwise unknown

tool ngrok cloudflared localtunnel lt bore chisel tailscale zrok
  options p|port= s|subdomain= host= config= region= authtoken= url= hostname= domain= log= log-level= log-format= l=
    t|to= local-host= socket= basic-auth= oauth= name= loglevel= metrics= token= protocol= no-autoupdate label= scheme=
    auth=
  also http : do served
  status|ip|ping|update|config : quiet
  otherwise upload "opens this machine to others", !tunnel
tool frpc
  options c= config= config_dir= v strict_config=?
  --v : quiet
  otherwise upload "opens this machine to others", !tunnel
`,
  code,
);
