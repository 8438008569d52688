// ssh and its kin: a command line on another machine, tunnels, and options that run programs here.
// Invariant: what runs on this machine (ProxyCommand, localhost) is followed; the rest is remote.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { shellText } from "./programs.js";

const flags = "4 6 A a C f G g K k M n N q s T t V v X x Y y";
const values = "B= b= c= D= E=write e= F=read I= i= J= L= l= m= O= o=setting p= Q= R= S= W= w= P=";
const rules = `
  style posix
  also --R|D|L !--Q : do tunnel
  #0 : quiet
  otherwise do connect`;

export const secureShells = tools(
  "ssh",
  `
tool ssh slogin ${rules}
  options ${values} ${flags}
tool autossh ${rules}
  options ${values} M= ${flags.replace(" M", "")}
tool mosh ${rules}
  options ssh=shell client=program server= predict= family= p|port= bind-server= a n 4 6 init no-init no-ssh-pty local
    experimental-remote-ip=
tool dbclient ${rules}
  options l= p= i= L= R= D= W= J=shell m= c= b= o= B= I= K= y t T N f g A a s v q
tool sshpass
  style posix
  options p= f= d= e=? P= v
  otherwise run rest
`,
  { setting, tunnel, connect },
);

function setting({ value }: Use, emit: Emit): void {
  if (value?.value === undefined) return emit.unknown("ssh -o: the option is not static");
  const command = /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(value.value)?.[2];
  if (command && command !== "none") emit.shell(literal(command), "ssh runs it locally");
}

function tunnel({ given, rest: [host] }: Use, emit: Emit): void {
  emit.effect({
    kind: "network",
    program: "ssh",
    host: host?.value,
    reason: "ssh opens a tunnel",
    how: "tunnel",
    ...(given.has("R") && { upload: true, hazard: hazard("ssh-tunnel") }),
  });
}

const here = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

function connect({ call, rest: [host, ...words] }: Use, emit: Emit): void {
  const name = host!.value?.replace(/^.*@/, "").replace(/:\d+$/, "") ?? "";
  if (words.length && here.test(name)) return emit.shell(shellText(words), "ssh to this very machine");
  const input = call.stdin.kind === "text" && words.length === 0 ? literal(call.stdin.text) : undefined;
  emit.remote(words.length ? shellText(words) : input, host!.value, `ssh to ${host!.source}`);
}
