// Transfers and connections other than http: scp, sftp, nc, socat, openssl, dns, mail, tunnels.
// Invariant: local data that can leave is an upload; a program tied to a connection is run and named a reverse shell when it is one.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { cut, literal, parse, syntax } from "../spec/options.js";
import { remoteHost } from "./sync.js";
import { asksHelp, isStream } from "./table.js";

const connects = (call: Invocation, emit: Emit, host: Arg | string | undefined, upload: boolean, reason: string) =>
  emit.effect({
    kind: "network",
    program: call.name,
    host: typeof host === "object" ? (host.value ?? host.source) : host,
    reason,
    ...(upload && { upload }),
  });

const hasInput = (call: Invocation) => call.stdin.kind !== "inherit";

const scp: ToolFamily = {
  names: ["scp", "pscp", "rcp", "croc", "wormhole", "magic-wormhole"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("i= P= F= o= S= J= c= l= D= X= r"));
    for (const program of given.values("S")) emit.run([program], "scp -S");
    for (const option of given.values("o")) proxyCommand(option, emit);
    if (/^(croc|wormhole|magic-wormhole)$/.test(call.name)) {
      const sends = given.operands[0]?.value === "send";
      connects(call, emit, undefined, sends, call.name);
      for (const file of sends ? given.operands.slice(1) : [])
        emit.read(file, `${call.name} sends it`, { recursive: true });
      return;
    }
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
};

export function proxyCommand(option: Arg, emit: Emit): void {
  const command = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.+)$/i.exec(option.value ?? "")?.[1];
  if (command && command !== "none") emit.shell(literal(command), "ssh runs it on this machine");
}

const ftp: ToolFamily = {
  names: ["sftp", "ftp", "lftp", "ncftp", "ncftpput", "tftp", "ftpput", "smbclient", "cadaver"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("b= i= P= F= o= S= c= e= f= u= p= J= R= B="));
    for (const batch of given.values("b", "f"))
      if (!isStream(batch)) emit.read(batch, `${call.name} takes commands from it`);
    for (const option of given.values("o")) proxyCommand(option, emit);
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
    if (call.name === "ncftpput") for (const file of given.operands.slice(2)) emit.read(file, "ncftpput sends it");
  },
};

const reverseShell = { class: "remote-code", level: 3, id: "reverse-shell" } as const;
const isShell = (text: string) => /(^|\/|\s)(ba|da|z|k|c|tc|a|fi)?sh\b|powershell|cmd\.exe/.test(text);

const netcat: ToolFamily = {
  names: ["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional", "telnet", "rlogin", "rsh", "cryptcat"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "e|exec= c|sh-exec= lua-exec= p|source-port= s|source= w|wait= i|delay= q= x|proxy= X|proxy-type= o|output= O= I= T= m|max-conns= g= G= ssl-cert= ssl-key= l|listen k|keep-open u|udp z v n",
      ),
    );
    for (const program of given.values("exec")) {
      emit.shell(program, `${call.name} ties it to the connection`);
      if (isShell(program.value ?? "sh")) emit.hazard(reverseShell, `${call.name} -e gives a shell to the connection`);
    }
    const shellOption = given.value("sh-exec");
    if (shellOption) {
      emit.shell(shellOption, `${call.name} -c ties it to the connection`);
      if (isShell(shellOption.value ?? "sh"))
        emit.hazard(reverseShell, `${call.name} -c gives a shell to the connection`);
    }
    for (const file of given.values("output")) emit.write(file, `${call.name} -o`);
    connects(
      call,
      emit,
      given.operands[0],
      hasInput(call) && !given.has("z"),
      given.has("listen") ? "waits for a connection" : call.name,
    );
  },
};

const socat: ToolFamily = {
  names: ["socat"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("b= t= T= l= s L= W= d D u U v x y h V"));
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
          emit.hazard(reverseShell, "socat gives a shell to the connection");
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
};

const isNetwork = (text: string) =>
  /^(TCP|UDP|DCCP|SSL|OPENSSL|SCTP|VSOCK|SOCKS|PROXY|DTLS|IP|WEBSOCKET|ABSTRACT|UNIX)[\w-]*:/i.test(text);

const openssl: ToolFamily = {
  names: ["openssl", "libressl", "certtool", "step"],
  lower(call, emit) {
    const [verb] = call.args;
    const given = parse(
      call.args.slice(1),
      syntax(
        "in= out= inkey= key= keyfile= cert= CA= CAkey= CAfile= keyout= certfile= signkey= writerand= rand= config= extfile= passin= passout= pass= k= K= iv= connect= servername= starttls= host= accept= port= days= newkey= subj= name= caname= sign= verify= signature= md= e d",
        { oneDash: true },
      ),
    );
    for (const file of given.values(
      "in",
      "inkey",
      "key",
      "keyfile",
      "CAkey",
      "signkey",
      "sign",
      "extfile",
      "config",
      "rand",
    ))
      if (!isStream(file)) emit.read(file, `openssl ${verb?.source ?? ""}`);
    for (const option of given.values("passin", "passout", "pass"))
      if (option.value?.startsWith("file:")) emit.read(cut(option, 5), "openssl takes a password from it");
    for (const file of given.values("out", "keyout", "writerand"))
      if (!isStream(file)) emit.write(file, `openssl ${verb?.source ?? ""}`);
    if (/^(s_client|s_time)$/.test(verb?.value ?? ""))
      connects(call, emit, given.value("connect", "host") ?? given.operands[0], hasInput(call), "openssl connects");
    if (/^(s_server|ocsp)$/.test(verb?.value ?? "")) connects(call, emit, undefined, true, "openssl serves");
    if (/^(dgst|md5|sha1|sha256|sha512)$/.test(verb?.value ?? ""))
      for (const file of given.operands) emit.read(file, "openssl digest");
  },
};

const names: ToolFamily = {
  names: [
    "dig",
    "nslookup",
    "host",
    "drill",
    "kdig",
    "delv",
    "dog",
    "doggo",
    "whois",
    "ping",
    "ping6",
    "traceroute",
    "traceroute6",
    "tracepath",
    "mtr",
    "fping",
    "hping3",
    "arping",
    "nmap",
    "masscan",
    "ssh-keyscan",
    "ntpdate",
    "speedtest",
    "iperf",
    "iperf3",
    "websocat",
    "wscat",
    "grpcurl",
    "evans",
    "snmpwalk",
    "ldapsearch",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const computed = call.args.filter((arg) => arg.from?.length);
    const target = call.args.findLast((arg) => !/^[-+@]/.test(arg.value ?? "-"));
    const carries = computed.flatMap((arg) => arg.from ?? []);
    if (carries.length) {
      const level = carries.some((program) =>
        /^(cat|base64|base32|xxd|od|head|tail|env|printenv|hexdump|gzip|tar|openssl|sed|awk|cut|grep)$/.test(program),
      )
        ? 3
        : 2;
      emit.effect({
        kind: "network",
        program: call.name,
        host: target?.source,
        upload: true,
        reason: "a command's output leaves in the name that is asked for",
        hazard: { class: "exfiltration", level, id: "dns-exfiltration" },
      });
      return;
    }
    const files = parse(call.args, syntax("f= c= iL= oN= oX= oG= oA= k= s V S n v A O T F P R d 6"));
    for (const file of call.name === "dig" ? files.values("f") : []) emit.read(file, "dig -f");
    const scans = /^(nmap|masscan|hping3)$/.test(call.name);
    emit.effect({
      kind: "network",
      program: call.name,
      host: target?.value,
      reason: call.name,
      ...(scans && { hazard: { class: "system", level: 2, id: "network-scan" } as const }),
    });
  },
};

const attackTools: ToolFamily = {
  names: [
    "hydra",
    "sqlmap",
    "hashcat",
    "john",
    "msfconsole",
    "msfvenom",
    "aircrack-ng",
    "nikto",
    "gobuster",
    "ffuf",
    "wfuzz",
    "dirb",
    "tshark",
    "tcpdump",
    "wireshark",
    "dumpcap",
    "ettercap",
    "bettercap",
    "responder",
    "mimikatz",
    "wpscan",
    "nuclei",
    "enum4linux",
    "crackmapexec",
    "arpspoof",
  ],
  lower(call, emit) {
    const given = parse(call.args, syntax("w= o= z= i= r= c= W= G= C="));
    const writes = given.value("w");
    if (writes) emit.write(writes, `${call.name} -w`);
    for (const program of given.values("z")) emit.run([program], `${call.name} -z runs it`);
    emit.hazard({ class: "system", level: 2, id: "attack-tool" }, `${call.name} attacks or listens to systems`);
  },
};

const mail: ToolFamily = {
  names: [
    "mail",
    "mailx",
    "mutt",
    "neomutt",
    "sendmail",
    "msmtp",
    "swaks",
    "ssmtp",
    "s-nail",
    "heirloom-mailx",
    "sendemail",
    "mpack",
    "exim",
    "himalaya",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("s= a= A= c= b= r= f= F= i= e= H= q= S= to= from= server= attach= body= header="),
    );
    for (const file of given.values("a", "A", "attach", "i")) emit.read(file, `${call.name} sends it`);
    const carries = hasInput(call) || given.has("a", "A", "attach");
    emit.effect({
      kind: "network",
      program: call.name,
      host: given.operands[0]?.value,
      upload: true,
      reason: "a message leaves the machine",
      hazard: { class: "exfiltration", level: carries ? 2 : 1, id: "mail" },
    });
  },
};

const tunnels: ToolFamily = {
  names: [
    "ngrok",
    "cloudflared",
    "localtunnel",
    "lt",
    "bore",
    "frpc",
    "chisel",
    "tailscale",
    "zrok",
    "localhost.run",
    "serveo",
  ],
  lower(call, emit) {
    const verb = call.args.find((arg) => !arg.value?.startsWith("-"))?.value;
    if (asksHelp(call) || /^(version|status|ip|ping|help|update|config)$/.test(verb ?? "")) return;
    emit.effect({
      kind: "network",
      program: call.name,
      upload: true,
      reason: "opens this machine to others",
      hazard: { class: "exfiltration", level: 2, id: "tunnel" },
    });
  },
};

export const networkTools = [scp, ftp, netcat, socat, openssl, names, attackTools, mail, tunnels];
