// Programs that run the command in their arguments: env, sudo, timeout, xargs, find -exec, ssh and the like.
// Invariant: the inner command is always followed; words the wrapper fills in later are unresolved arguments.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import type { View } from "../analyze/views.js";
import { assignment, tools } from "../spec/interpret.js";
import { literal, parse, syntax } from "../spec/options.js";
import { finders } from "./find.js";
import { runners } from "./runners.js";

/** Sub-commands of version and secret managers that run nothing of ours. */
const own = [
  "list|ls|current|which|where|version|versions|status|doctor|help|whoami|login|prune|global|reshim|rehash|plugin|info|me",
  "configure|allow|deny|hook|edit|reload|export|exports|alias|use|default",
].join("|");

/** Wrappers that only hand a command on. Their names are also in transparent.ts. */
export const plainWrappers = tools(
  "wrappers",
  `
tool nohup setsid eatmydata fakeroot unbuffer chronic rtk catchsegv shx linux32 linux64 i386 x86_64 nocache pty
  style posix
  options f|fork w|wait c|ctty
  otherwise run rest
tool timeout gtimeout
  style posix
  options k|kill-after= s|signal= f|foreground p|preserve-status v|verbose
  otherwise run 2+
tool nice gnice
  style posix
  options n|adjustment=
  otherwise run rest
tool ionice
  style posix
  options c|class= n|classdata= p|pid= P|pgid= u|uid= t|ignore
  otherwise run rest
tool chrt
  style posix
  options T|sched-runtime= P|sched-period= D|sched-deadline= p|pid b|batch d|deadline f|fifo i|idle o|other r|rr
    a|all-tasks R|reset-on-fork v|verbose m|max
  otherwise run 2+
tool taskset
  style posix
  options c|cpu-list p|pid a|all-tasks
  otherwise run 2+
tool numactl
  style posix
  options m|membind= N|cpunodebind= C|physcpubind= i|interleave= l|localalloc p|preferred=
  otherwise run rest
tool stdbuf gstdbuf
  style posix
  options i|input= o|output= e|error=
  otherwise run rest
tool caffeinate
  style posix
  options t= w= d i m s u
  otherwise run rest
tool time gtime
  style posix
  options f|format= o|output=write a|append p|portability v|verbose q|quiet l h
  otherwise run rest

tool sudo
  style posix
  options u|user= g|group= h|host= p|prompt= C|close-from= c|login-class= r|role= t|type= T|command-timeout= D|chdir=
    R|chroot= U|other-user= A|askpass b|background E|preserve-env=? H|set-home i|login k|reset-timestamp
    K|remove-timestamp l|list n|non-interactive P|preserve-groups S|stdin s|shell v|validate e|edit B|bell N|no-update
  --edit : privilege --user, write rest "-e edits it"
  --shell|login #0 : privilege --user, shell stdin "starts a shell that runs its input"
  otherwise privilege --user, run rest in --chdir assigns
tool doas
  style posix
  options u= C= a= n s L
  --s #0 : privilege --u, shell stdin "starts a shell that runs its input"
  otherwise privilege --u, run rest
tool pkexec
  style posix
  options u|user= keep-cwd disable-internal-agent
  otherwise privilege --user, run rest
tool run0 gsudo
  style posix
  options u|user= g|group= D|chdir= nice= setenv= unit= property=
  otherwise privilege --user, run rest
tool gosu su-exec
  style posix
  otherwise privilege, run 2+
tool setpriv
  style posix
  options reuid= regid= groups= inh-caps= bounding-set= securebits= selinux-label= apparmor-profile= ambient-caps=
    clear-groups init-groups keep-groups no-new-privs reset-env
  otherwise privilege, run rest
tool capsh
  style posix
  options c=shell
  otherwise privilege, run rest
tool chroot
  style posix
  options userspec= groups= skip-chdir
  otherwise do chroot
tool unshare
  style posix
  options S|setuid= G|setgid= R|root= w|wd= propagation= setgroups= map-user= map-group= map-users= map-groups=
    kill-child=? mount-proc=? m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? U|user=? C|cgroup=? T|time=? f|fork
    r|map-root-user c|map-current-user keep-caps
  otherwise run rest in --wd
tool nsenter
  style posix
  options t|target= S|setuid= G|setgid= w|wd=? r|root=? m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? U|user=? C|cgroup=?
    T|time=? W|wdns= a|all F|no-fork Z|follow-context preserve-credentials
  otherwise privilege, run rest

tool strace ltrace
  style posix
  options o|output=write e|trace= p|attach= P|trace-path= s|string-limit= u|user= E|env= a|columns= I|interruptible=
    O|summary-syscall-overhead= S|summary-sort-by= X|const-print-style= b= U|summary-columns= A|output-append-mode
    f|follow-forks F c|summary-only C|summary t r T v|no-abbrev x y k i q|quiet d D n L
  otherwise run rest
tool valgrind noglob nocorrect busybox toybox gobusybox
  style posix
  otherwise run rest
tool repeat
  style posix
  otherwise run 2+
tool rlwrap
  style posix
  options f|file= b|break-chars= H|history-filename= s|histsize= p=? D|history-no-dupes= P|pre-given=
    S|substitute-prompt= g|forget-matching= C|command-name= q|quote-characters= z|filter= a=? c e= i n r R t= w= O=
  otherwise run rest
tool xvfb-run
  style posix
  options e|error-file= f|auth-file= l|listen-tcp n|server-num= p|xauth-protocol= s|server-args= w|wait=
    a|auto-servernum d|auto-display
  otherwise run rest
tool dbus-run-session dbus-launch
  style posix
  options config-file= dbus-daemon= exit-with-session sh-syntax autolaunch=
  otherwise run rest
tool systemd-run
  style posix
  options u|unit= p|property= uid= gid= nice= E|setenv= working-directory= M|machine= H|host= user system scope
    no-block
    wait slice= description= on-active= on-boot= on-calendar= on-startup= on-unit-active= timer-property=
    path-property= socket-property= t|pty P|pipe G|collect d|same-dir q|quiet r|remain-after-exit S|shell
  --shell #0 : shell stdin "starts a shell that runs its input"
  otherwise run rest in --working-directory
tool systemd-inhibit
  style posix
  options what= who= why= mode= list no-pager no-legend
  otherwise run rest
tool cpulimit
  style posix
  options l|limit= p|pid= e|exe= b|background z|lazy i|include-children v|verbose q|quiet f|foreground
  otherwise run rest
tool prlimit
  style posix
  options p|pid= o|output= as=? core=? cpu=? data=? fsize=? locks=? memlock=? msgqueue=? nice=? nofile=? nproc=? rss=?
    rtprio=? rttime=? sigpending=? stack=? noheadings raw verbose
  otherwise run rest
tool firejail proot
  style posix
  options bind= private=? whitelist= blacklist= net= profile= rootfs= r= b= w= 0 S= R= quiet noprofile
  otherwise run rest
tool entr
  style posix
  options a c d n p r s z x
  otherwise run rest

tool dotenv dotenvx env-cmd with-env
  style posix
  options e|env-file= f|file= v= c|cascade=? p= o|override q|quote= convention=
  otherwise run rest
tool cross-env cross-env-shell
  style posix
  otherwise run rest assigns
# Version, secret and environment managers: what only manages their own store runs nothing of ours.
tool direnv
  style posix
  exec : run 2+
  ${own} : quiet
  #0 : quiet
  otherwise exec "works on its own store"
tool envchain
  style posix
  options s|set n|noecho l|list u|unset
  --list|set|unset : quiet
  otherwise run 2+
tool aws-vault chamber
  style posix
  exec|x|run : run 2+
  ${own} : quiet
  #0 : quiet
  otherwise exec "works on its own store"
tool asdf mise rbenv pyenv nodenv jenv goenv volta fnm nvm rtx
  style posix
  exec|x|run|-- : run rest
  local|shell|which|current|${own} : quiet
  #0 : quiet
  otherwise exec "works on its own store"
`,
  {
    chroot({ call, rest: [root, ...words] }, emit) {
      const path = root && emit.resolve(root);
      if (path === undefined) emit.unknown(`paths mean what lies below ${root?.source ?? "another root"}`);
      privilege(call, emit, undefined);
      const inside = path === undefined ? {} : { cwd: literal("/"), views: [{ source: path, target: "/" }] };
      emit.run(words, "run by chroot", inside);
    },
  },
);

/** bwrap --bind here there command: options with two arguments make a view of this machine. */
const bwrap: ToolFamily = {
  names: ["bwrap"],
  lower(call, emit) {
    const views: View[] = [];
    let cwd: Arg | undefined;
    let at = 0;
    for (; at < call.args.length && /^--./.test(call.args[at]!.value ?? ""); at++) {
      const option = call.args[at]!.value!;
      const [first, second] = call.args.slice(at + 1, at + 3);
      if (/^--(ro-|dev-)?bind(-try)?$/.test(option)) {
        const source = first && emit.resolve(first);
        if (source !== undefined && second?.value?.startsWith("/"))
          views.push({ source, target: second.value, readonly: option.startsWith("--ro") });
        at += 2;
      } else if (/^--(symlink|setenv|bind-data|ro-bind-data|file|chmod)$/.test(option)) at += 2;
      else if (
        /^--(dev|proc|tmpfs|mqueue|dir|chdir|unsetenv|uid|gid|hostname|seccomp|lock-file|sync-fd|cap-add|cap-drop|argv0|perms|size|remount-ro|args)$/.test(
          option,
        )
      ) {
        if (option === "--chdir") cwd = first;
        at++;
      }
    }
    emit.run(call.args.slice(at), "run by bwrap", { views, ...(cwd && { cwd }) });
  },
};

const perf: ToolFamily = {
  names: ["perf"],
  lower(call, emit) {
    const [verb, ...rest] = call.args;
    if (!/^(stat|record|trace|mem|c2c|lock|kvm|ftrace)$/.test(verb?.value ?? "")) return;
    const given = parse(
      rest,
      syntax(
        "e|event= o|output= F|freq= c|count= C|cpu= p|pid= t|tid= r|repeat= D|delay= G|cgroup= I|interval-print= call-graph= g a|all-cpus d|detailed",
        { posix: true },
      ),
    );
    for (const file of given.values("output")) emit.write(file, "perf records into it");
    emit.run(given.operands[0]?.value === "record" ? given.operands.slice(1) : given.operands, "run by perf");
  },
};

function privilege(call: Invocation, emit: Emit, user: string | undefined): void {
  emit.effect({
    kind: "privilege",
    program: call.name,
    reason: `${call.name} runs a command as ${user ?? "root"}`,
  });
}

const envSyntax = syntax(
  "i|ignore-environment u|unset= C|chdir= S|split-string= 0|null v|debug block-signal=? default-signal=? ignore-signal=? P=",
  { posix: true },
);

const env: ToolFamily = {
  names: ["env", "genv", "printenv"],
  lower(call, emit) {
    if (call.name === "printenv") return dump(call, call.args, emit);
    // A lone dash is -i.
    const given = parse(
      call.args.map((arg) => (arg.value === "-" ? literal("-i") : arg)),
      envSyntax,
    );
    const set: Record<string, Arg> = {};
    let operands = given.operands;
    const split = given.value("split-string");
    if (split) {
      if (split.value === undefined) return emit.unknown("env -S: the text is not static");
      operands = [...splitWords(split.value), ...operands];
    }
    while (operands[0] && assignment(operands[0], set)) operands = operands.slice(1);
    if (operands.length === 0)
      return given.has("null") || Object.keys(set).length === 0 ? dump(call, [], emit) : undefined;
    emit.run(operands, "run by env", { env: set, cwd: given.value("chdir") });
  },
};

/** What `env -S` splits: blanks, quotes and backslashes. */
function splitWords(text: string): Arg[] {
  return [...text.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    literal(
      word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
    ),
  );
}

const secretName = /(SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|AUTH(?!OR))/i;

/** Printing the environment shows every secret in it. */
function dump(call: Invocation, names: readonly Arg[], emit: Emit): void {
  const asked = names.filter((name) => !name.value?.startsWith("-"));
  if (asked.length && asked.every((name) => name.value !== undefined && !secretName.test(name.value))) return;
  const filtered = /^(grep|rg|egrep|awk|sed|cut|wc)$/.test(call.pipesTo ?? "");
  emit.hazard(
    {
      class: "credential-read",
      level: asked.length ? 3 : filtered ? 1 : 2,
      id: asked.length ? "secret-variable" : "environment-dump",
    },
    asked.length ? `${call.name} prints ${asked[0]!.source}` : `${call.name} prints the whole environment`,
  );
}

const su: ToolFamily = {
  names: ["su", "runuser"],
  lower(call, emit) {
    privilege(call, emit, undefined);
    const given = parse(
      call.args,
      syntax(
        "c|command= s|shell= g|group= G|supp-group= u|user= w|whitelist-environment= l|login m p P T session-command=",
      ),
    );
    for (const text of given.values("command", "session-command")) emit.shell(text, `${call.name} -c`);
    if (given.has("user")) emit.run(given.operands, `run by ${call.name}`);
    else if (!given.has("command") && call.stdin.kind === "text")
      emit.shell(literal(call.stdin.text), `${call.name} runs its input`);
  },
};

const flock: ToolFamily = {
  names: ["flock", "lockf", "lckdo", "setlock"],
  lower(call, emit) {
    const given = parse(
      call.args,
      syntax(
        "w|timeout|wait= E|conflict-exit-code= c|command= x|exclusive s|shared u|unlock n|nonblock o|close F|no-fork v|verbose t=",
        { posix: true },
      ),
    );
    const [file, ...words] = given.operands;
    if (file && !/^\d+$/.test(file.value ?? "x")) emit.write(file, `${call.name} makes the lock file`);
    const text = words[0]?.value === "-c" || words[0]?.value === "--command" ? words[1] : given.value("command");
    if (text) return emit.shell(text, `${call.name} -c`);
    emit.run(words, `run by ${call.name}`);
  },
};

const script: ToolFamily = {
  names: ["script", "scriptlive"],
  lower(call, emit) {
    const given = parse(
      call.args,
      syntax(
        "c|command= E|echo= I|log-in= O|log-out= B|log-io= T|log-timing=? m|logging-format= o|output-limit= t|timing=? a|append f|flush q|quiet e|return F=",
        { posix: true },
      ),
    );
    const [file, ...words] = given.operands;
    for (const log of given.values("log-in", "log-out", "log-io", "log-timing"))
      emit.write(log, "script records into it");
    if (file && file.value !== "/dev/null") emit.write(file, "script records into it");
    else if (!file && !given.has("log-in", "log-out", "log-io"))
      emit.write(literal("typescript"), "script records into it");
    for (const text of given.values("command")) emit.shell(text, "script -c");
    emit.run(words, "run by script");
  },
};

const watch: ToolFamily = {
  names: ["watch", "viddy", "hwatch"],
  lower(call, emit) {
    const given = parse(
      call.args,
      syntax("n|interval= d|differences=? q|equexit= x|exec b c e g p r t w", { posix: true }),
    );
    if (given.has("exec")) return emit.run(given.operands, "run by watch");
    emit.shell(joined(given.operands), "watch runs it again and again");
  },
};

/** Words joined by blanks become shell text; one unresolved word makes all of it unresolved. */
export function joined(words: readonly Arg[]): Arg {
  const source = words.map((word) => word.source).join(" ");
  if (words.some((word) => word.value === undefined))
    return { source, prefix: words[0]?.value ?? "", from: words.flatMap((word) => word.from ?? []) };
  const value = words.map((word) => word.value).join(" ");
  return { source, value, prefix: value };
}

const sshSyntax = syntax("B= b= c= D= E= e= F= I= i= J= L= l= m= O= o= p= Q= R= S= W= w= P=", { posix: true });

const ssh: ToolFamily = {
  names: ["ssh", "autossh", "mosh", "slogin", "dbclient", "sshpass"],
  lower(call, emit) {
    if (call.name === "sshpass") {
      const given = parse(call.args, syntax("p= f= d= e=? P=", { posix: true }));
      return emit.run(given.operands, "run by sshpass");
    }
    const given = parse(call.args, sshSyntax);
    for (const option of given.values("o")) {
      const command = /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(option.value ?? "")?.[2];
      if (option.value === undefined) emit.unknown("ssh -o: the option is not static");
      else if (command && command !== "none") emit.shell(literal(command), "ssh runs it locally");
    }
    for (const file of given.values("F")) emit.read(file, "ssh configuration");
    for (const file of given.values("E")) emit.write(file, "ssh log");
    const [host, ...words] = given.operands;
    if (given.has("R", "D", "L") && !given.has("Q"))
      emit.effect({
        kind: "network",
        program: "ssh",
        host: host?.value,
        reason: "ssh opens a tunnel",
        how: "tunnel",
        ...(given.has("R") && { upload: true, hazard: { class: "exfiltration", level: 2, id: "ssh-tunnel" } as const }),
      });
    if (!host) return;
    const name = host.value?.replace(/^.*@/, "").replace(/:\d+$/, "");
    if (words.length && /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(name ?? ""))
      return emit.shell(joined(words), "ssh to this very machine");
    const input = call.stdin.kind === "text" && words.length === 0 ? literal(call.stdin.text) : undefined;
    emit.remote(words.length ? joined(words) : input, host.value, `ssh to ${host.source}`);
  },
};

export const wrappers: readonly ToolFamily[] = [
  ...plainWrappers,
  bwrap,
  perf,
  env,
  su,
  flock,
  script,
  watch,
  ssh,
  ...finders,
  ...runners,
];
