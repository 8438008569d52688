// Programs that run the command in their arguments: sudo, timeout, flock, watch and the like.
// Invariant: the inner command is always followed; words the wrapper fills in later are unresolved arguments.

import type { Arg, Emit, ToolFamily } from "../analyze/tool.js";
import type { View } from "../analyze/views.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { doubt } from "../spec/readings.js";
import { environment } from "./env.js";
import { finders } from "./find.js";
import { runTasks } from "./make.js";
import { shellText } from "./programs.js";
import { runners } from "./runners.js";
import { secureShells } from "./ssh.js";
import { miseTasks } from "./task-files.js";

/** Sub-commands of version and secret managers that run nothing of ours. */
const own = [
  "list|ls|current|which|where|version|versions|status|doctor|help|whoami|login|prune|global|reshim|rehash|plugin",
  "info|me",
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
  otherwise privilege, do chroot
tool su runuser
  options c|command=shell session-command=shell s|shell= g|group= G|supp-group= u|user= w|whitelist-environment= l|login
    m|p|preserve-environment P|pty T|no-pty f|fast
  always privilege --user
  --user : run rest
  --command|session-command : quiet
  otherwise shell stdin "runs its input"
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

tool dotenvx
  style command
  options e|env= f|env-file= fv|env-vault-file= fk|env-keys-file= o|overload q|quiet v|verbose d|debug strict
    convention= ignore= l|log-level=
  run : run rest
  get|keypair|decrypt : !secret-decrypt({path})
  set|encrypt|rotate|ls|genexample|gitignore|prebuild|precommit|ext : exec "works on its own files"
  otherwise unknown
tool dotenv env-cmd with-env
  style posix
  options e|env-file= f|file= v= c|cascade=? p= o|override q|quote= convention=
  @dotenv run : do behindRun
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
tool mise rtx
  style command
  options C|cd= q|quiet v|verbose y|yes E|env= j|jobs= f|force n|dry-run o|output= r|raw s|silent t|tool= no-timings
    no-cache S|shell= skip-deps fresh-env
  exec|x|-- : do behindTool
  run|r : do task
  tasks|task|t run|r : do task
  tasks|task|t : quiet
  plugin|plugins add|install|link|remove|rm|uninstall|update|upgrade : exec "works on its own store"
  local|shell|which|current|env|tasks|settings|trust|ls-remote|outdated|latest|bin-paths|${own} : quiet
  #0 : quiet
  otherwise exec "works on its own store"
tool asdf rbenv pyenv nodenv jenv goenv volta fnm nvm
  style posix
  exec|x|run|-- : run rest
  plugin|plugins add|install|link|remove|rm|uninstall|update|upgrade : exec "works on its own store"
  local|shell|which|current|${own} : quiet
  #0 : quiet
  otherwise exec "works on its own store"
`,
  {
    /** `mise exec node@20 -- CMD` */
    behindTool({ call, raw }, emit) {
      const at = call.args.findIndex((arg) => arg.value === "--");
      const text = call.args[call.args.findIndex((arg) => /^(-c|--command)$/.test(arg.value ?? "")) + 1];
      if (at >= 0) emit.run(call.args.slice(at + 1), `run by ${call.name}`);
      else if (text && text !== call.args[0]) emit.shell(text, `run by ${call.name}`);
      else emit.run(raw, `run by ${call.name}`);
    },
    /** A task of the project, `a ::: b` for several; a file in a folder of tasks is one too. */
    task({ call, given, rest: [first, ...more] }, emit) {
      if (!first) return;
      const folder = given.value("cd");
      const at = (name: string) => literal(folder?.value ? `${folder.value}/${name}` : name);
      const texts = ["mise.toml", ".mise.toml", "mise/config.toml", ".mise/config.toml", ".config/mise.toml"];
      const tasks = new Map(texts.flatMap((name) => [...miseTasks(emit.projectFile(at(name)) ?? "")]));
      const marks = more.flatMap((word, index) => (word.value === ":::" ? [index + 1] : []));
      for (const word of [first, ...marks.flatMap((index) => more[index] ?? [])]) {
        const file = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"]
          .map((name) => at(`${name}/${word.value?.replaceAll(":", "/") ?? ""}`))
          .find((place) => emit.projectFile(place) !== undefined);
        if (file && !tasks.has(word.value ?? "")) emit.script(file, `mise runs the task ${word.value}`, "other", []);
        else runTasks(tasks, [word], folder, call, emit);
      }
    },
    /** `dotenv run -- CMD`, of the Python package. */
    behindRun: ({ raw }, emit) => emit.run(raw[0]?.value === "--" ? raw.slice(1) : raw, "run by dotenv"),
    chroot({ rest: [root, ...words] }, emit) {
      const path = root && emit.resolve(root);
      if (path === undefined) emit.unknown(`paths mean what lies below ${root?.source ?? "another root"}`);
      const inside = path === undefined ? {} : { cwd: literal("/"), views: [{ source: path, target: "/" }] };
      emit.run(words, "run by chroot", inside);
    },
  },
);

/** Wrappers whose own use shows as well: they write a lock or a log, or run a command more than once. */
const furtherWrappers = tools(
  "wrappers",
  `
tool bwrap
  style posix
  options bind bind-try ro-bind ro-bind-try dev-bind dev-bind-try symlink setenv bind-data ro-bind-data file chmod dev
    proc tmpfs mqueue dir chdir unsetenv uid gid hostname seccomp add-seccomp-fd lock-file sync-fd block-fd info-fd
    json-status-fd userns userns2 pidns exec-label file-label cap-add cap-drop argv0 perms size remount-ro args overlay
    overlay-src ro-overlay tmp-overlay bind-fd ro-bind-fd unshare-all unshare-user unshare-user-try unshare-ipc
    unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try share-net disable-userns
    assert-userns-disabled die-with-parent new-session as-pid-1 clearenv level-prefix
  otherwise do bwrap
tool perf
  style command
  help first
  options e|event= o|output=write i|input= F|freq= c|count= C|cpu= p|pid= t|tid= u|uid= r|repeat= D|delay= G|cgroup=
    I|interval-print= call-graph= m|mmap-pages= k|clockid= x|field-separator= s|sort= filter= pre=shell post=shell
    append log-fd= g a|all-cpus d|detailed v|verbose q|quiet S|summary n|null A|no-aggr per-core per-socket stdio tui
  mem|c2c|lock|kvm|kmem|sched|timechart|kwork|ftrace record|trace : run rest
  mem|c2c|lock|kvm|kmem|sched|timechart|kwork report|stat|script|map|latency|timehist|top : quiet
  stat report|record : run rest
  stat|record|trace|mem|c2c|lock|kvm|ftrace|timechart : run rest
  report|list|annotate|diff|evlist|top|buildid-list|buildid-cache|kallsyms|script|test|bench|probe|config|archive :
    quiet
  otherwise unknown
tool flock lockf lckdo setlock
  style posix
  options w|timeout|wait= E|conflict-exit-code= c|command=shell x|e|exclusive s|shared u|unlock n|nb|nonblock o|close
    F|no-fork v|verbose t= k
  otherwise do flock
tool script scriptlive
  style posix
  options c|command=shell E|echo= I|log-in=write O|log-out=write B|log-io=write T|log-timing=?write m|logging-format=
    o|output-limit= t|timing=? a|append f|flush q|quiet e|return F= force
  --log-in|log-out|log-io #0 : quiet
  #0 : write ./typescript "records into it"
  otherwise write first "records into it", run 2+
tool watch viddy hwatch
  style posix
  options n|interval= d|differences=? q|equexit= x|exec b|beep c|color C|no-color e|errexit g|chgexit p|precise
    r|no-rerun t|no-title w|no-wrap f|follow s|shotsdir=write:tree
  #0 : quiet
  --exec : run rest
  otherwise do watch
`,
  {
    bwrap,
    flock({ call, rest: [file, ...words] }, emit) {
      if (file && !/^\d+$/.test(file.value ?? "x")) emit.write(file, `${call.name} makes the lock file`);
      if (words[0]?.value !== "-c" && words[0]?.value !== "--command") return emit.run(words, `run by ${call.name}`);
      if (words[1]) emit.shell(words[1], `${call.name} -c`);
    },
    watch: ({ call, rest }, emit) => emit.shell(shellText(rest), `${call.name} runs it again and again`),
  },
);

const oneArgument = new Set(
  (
    "dev proc tmpfs mqueue dir chdir unsetenv uid gid hostname seccomp add-seccomp-fd lock-file sync-fd block-fd " +
    "info-fd json-status-fd userns userns2 pidns exec-label file-label cap-add cap-drop argv0 perms size remount-ro " +
    "args overlay-src tmp-overlay"
  ).split(" "),
);
const twoArguments = new Set("symlink setenv bind-data ro-bind-data file chmod bind-fd ro-bind-fd".split(" "));
const noArgument =
  /^(unshare-|share-net|disable-userns|assert-userns|die-with|new-session|as-pid-1|clearenv|level-prefix)/;

/** bwrap --bind here there command: options with two arguments make a view of this machine. */
function bwrap({ call: { args } }: Use, emit: Emit): void {
  const views: View[] = [];
  let cwd: Arg | undefined;
  let at = 0;
  for (; at < args.length && /^--./.test(args[at]!.value ?? ""); at++) {
    const option = args[at]!.value!.slice(2);
    const [first, second] = args.slice(at + 1, at + 3);
    if (/^(ro-|dev-)?bind(-try)?$/.test(option)) {
      const source = first && emit.resolve(first);
      if (source !== undefined && second?.value?.startsWith("/"))
        views.push({ source, target: second.value, readonly: option.startsWith("ro") });
      at += 2;
    } else if (option === "overlay") at += 3;
    else if (twoArguments.has(option)) at += 2;
    else if (oneArgument.has(option)) {
      if (option === "chdir") cwd = first;
      at++;
    } else if (!noArgument.test(option)) doubt(option, args[at]!, first);
  }
  emit.run(args.slice(at), "run by bwrap", { views, ...(cwd && { cwd }) });
}

export const wrappers: readonly ToolFamily[] = [
  ...plainWrappers,
  ...furtherWrappers,
  ...environment,
  ...secureShells,
  ...finders,
  ...runners,
];
