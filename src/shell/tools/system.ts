// The running system: power, services, schedules, users, network rules, kernel, processes.
// Invariant: looking (status, list) is quiet; what stops the machine, starts things by itself or ends many processes is
// a hazard.
import { hazard } from "../../model/hazards.js";
import type { Arg, Invocation } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { isStream, literal } from "../spec/options.js";

/** Services that guard the machine. */
const guards = ["firewalld", "ufw", "nftables", "iptables", "ip6tables", "apparmor", "selinux-*", "auditd", "fail2ban"]
  .concat(["falcon-sensor", "clamav-*", "osqueryd", "wazuh-agent", "sssd"])
  .flatMap((name) => [name, `${name}.service`])
  .join("|");

/** Processes the machine or the agent needs. */
const needed = ["claude", "codex", "gemini", "systemd", "init", "launchd", "sshd", "dockerd", "WindowServer", "Finder"]
  .concat(["loginwindow", "gnome-shell", "Xorg", "kwin", "dbus-daemon"])
  .join("|");
const ourselves = /^(interlock|agent-interlock)/i;
const guarded = new RegExp(`^(interlock|agent-interlock|${needed})`, "i");

/** `$(ps -ef | awk 'NR>1{print $2}')`: no filter in between. */
const filters = String.raw`\|\s*(?:tail -n \+2|awk '(?:NR ?> ?1)?\s*\{\s*print \$\d\s*\}')\s*`;
const everyProcess = new RegExp(String.raw`^\$\(\s*ps(?:\s+-?(?:[aAefxwl]+|u?aux|o\s*pid=?))*\s*(?:${filters})*\)$`);

const code: Code = {
  /** A file, or `-` for standard input, replaces the table: its jobs are commands. */
  crontab({ call, rest: [file] }, emit) {
    const named = file && !isStream(file) ? file : undefined;
    if (named) emit.read(named, "crontab installs it");
    const text = named ? emit.projectFile(named, "pieces") : inputOf(call);
    for (const line of text?.split("\n").slice(0, 200) ?? []) {
      const job = /^\s*(?:@\w+|(?:[\d*/,a-z-]+\s+){5})\s*(\S.*)$/i.exec(line)?.[1];
      if (job) emit.shell(literal(job), "crontab runs it by itself");
    }
    // From a pipe, the whole table is what the pipe says.
    const { stdin } = call;
    const before = stdin.kind === "pipe" || stdin.kind === "text" ? (stdin.sources ?? []) : [];
    const replaces = !named && call.args.length > 0 && stdin.kind !== "inherit" && !before.includes("crontab");
    emit.hazard(hazard(replaces ? "crontab-replace" : "crontab"), "crontab installs jobs that start by themselves");
  },
  at({ call, given }, emit) {
    const file = given.value("f");
    if (file) emit.script(file, "at runs it later", "shell");
    else if (call.stdin.kind === "text") emit.shell(literal(call.stdin.text), "at runs it later");
    else if (call.stdin.kind !== "inherit") emit.unknown("at runs later what its input says");
    emit.hazard(hazard("at"), `${call.name} schedules a job`);
  },
  submit({ call }, emit) {
    const at = call.args.findIndex((arg) => arg.value === "--");
    if (at >= 0) emit.run(call.args.slice(at + 1), "launchctl runs it by itself");
  },
  /** A debugger's own commands can run shell text. */
  debugger({ call, value }, emit) {
    const shell = /^\s*(?:platform\s+shell|shell|!|python\s+import os;?\s*os\.system)\s*(.+)$/.exec(value?.value ?? "");
    if (shell) emit.shell(literal(shell[1]!), `${call.name} runs it`);
  },
  trace: ({ value }, emit) => emit.program(value!, "bpftrace -e", "loose"),
  kill({ call }, emit) {
    const words = call.args.map((arg) => arg.value ?? "");
    const targets = killed(call);
    if (call.name === "killall5" || targets.some((target) => target.value === "-1" || target.value === "1"))
      return emit.hazard(hazard("kill-all"), `${call.name} ends every process`);
    if (targets.some((target) => everyProcess.test(target.source)))
      return emit.hazard(hazard("kill-all"), `${call.name} ends every process that is listed`);
    const names = targets.filter((target) => !/^-?\d+$|^%/.test(target.value ?? "x"));
    const process = names.find((target) => guarded.test(target.value ?? ""))?.value;
    if (process !== undefined) {
      const id = ourselves.test(process) ? "kill-interlock" : "kill-guarded";
      const name = `kill-${process.toLowerCase().replace(/[^\w-]/g, "")}`;
      return emit.hazard(hazard(id, name), `${call.name} ${process}`);
    }
    const wide = words.some((word) => /^(-u|-U|-G|--uid|--euid|-t)/.test(word)) && call.name !== "kill";
    const byName = /^(pkill|killall|skill|taskkill|slay)$/.test(call.name);
    const pattern = targets.map((target) => target.value ?? "").join(" ");
    // Every process of an account.
    if (byName && (wide ? /^(|\.|\.\*)$/ : /^(\.|\.\*)$/).test(pattern))
      return emit.hazard(hazard("kill-all"), `${call.name} ends every process of a user`);
    const everything = wide || /^(\.|\.\*|node|python3?|java|bash|zsh|sh|code)$/.test(pattern);
    const id = byName ? (everything ? "kill-by-name-wide" : "kill-by-name") : "kill-process";
    emit.hazard(hazard(id), `${call.name} ${pattern}`);
  },
  /** Opens a document or an address with whatever is set for it. */
  open({ call, rest }, emit) {
    for (const word of rest)
      if (/^https?:/.test(word.value ?? ""))
        emit.effect({ kind: "network", program: call.name, host: word.value, reason: "opens an address" });
  },
};

/** Standard input as far as it is known: `(crontab -l; echo "0 5 * * * x")` adds a line that is. */
function inputOf({ stdin }: Invocation): string | undefined {
  return stdin.kind === "text" ? stdin.text : stdin.kind === "pipe" ? stdin.pieces : undefined;
}

/** What kill and its kin are aimed at: `-9` is a signal, `-1` behind one is every process. */
function killed(call: Invocation): Arg[] {
  const out: Arg[] = [];
  const takes = call.name === "kill" ? /^(-s|-n)$/ : /^(-s|-n|--signal|-q|-u|-U|-G|-g|-t|-P|-o|-y|-r)$/;
  for (let index = 0; index < call.args.length; index++) {
    const value = call.args[index]!.value;
    if (value === "--") return [...out, ...call.args.slice(index + 1)];
    if (takes.test(value ?? "")) index++;
    else if (call.name === "kill" && value === "-1" && index > 0) out.push(call.args[index]!);
    else if (value === undefined || !/^-/.test(value)) out.push(call.args[index]!);
  }
  return out;
}

export const system = tools(
  "system",
  `
tool shutdown reboot halt poweroff kexec pm-suspend
  options h|H|halt P|p|poweroff r|reboot k n|no-wall f|force l|load= e|exec initrd= command-line= append=
    reuse-cmdline
  --c|wtmp-only|w|show : quiet
  otherwise !shutdown
tool init telinit
  0|6|s|S : !shutdown
  q|Q|u|U : quiet
  otherwise unknown

tool systemctl service rc-service launchctl sc sv supervisorctl s6-svc initctl rc-update update-rc.d chkconfig
tool pm2 monit
  options H|host= M|machine= p|property= t|type= state= n|lines= o|output= job-mode= signal= root= image=
    kill-who|kill-whom=
    boot-loader-menu= boot-loader-entry= reboot-argument= firmware-setup preset-mode= legend= timestamp= what= now
    user system
    runtime no-block no-pager no-wall no-legend no-ask-password global q|quiet f|force a|all l|full r|recursive failed
    wait show-types plain c|configuration= u= name= interpreter= watch w F update-env
  reboot|poweroff|halt|kexec|soft-reboot|emergency|rescue|suspend|hibernate|hybrid-sleep : !shutdown
  @launchctl submit : !service-autostart({path}), do submit
  enable|reenable|link|preset|set-default|edit|bootstrap|load|submit|add|create|config|startup|save :
    !service-autostart({path})
  stop|kill|mask|disable|unload|bootout|remove|delete ~${guards} : !security-service
  ufw|firewalld|iptables|nftables|apparmor|auditd|fail2ban stop|disable : !security-service
  stop|kill|mask|disable|isolate|unload|bootout|remove|delete|reset-failed|revert|revoke : !service-stop({path})
  daemon-reexec|set-property|set-environment|import-environment|unset-environment : !service-stop({path})
  start|restart|reload|try-restart|reload-or-restart|kickstart|daemon-reload|update|reread|freeze|thaw :
    !service-control({path})
  * start|stop|restart|reload|force-reload : !service-control(service)
  #0 : quiet
  status|show|cat|help|is-active|is-enabled|is-failed|is-system-running|list-*|get-default|show-environment|log-level
    : quiet
  list|print|print-disabled|blame|examine|dumpstate|managername|query|queryex|qc|avail|pid|tail|summary|validate :
    quiet
  ls|l|jlist|prettylist|describe|desc|info|logs|log|monit|env|id|ping|flush|report|jobs|dump|version : quiet
  * status|info|describe|show : quiet
  otherwise unknown

# crontab -l shows; a file, - or -e replaces; -r removes the whole table.
tool crontab fcrontab
  options u= l e r i s n= c= T=
  --l|T : quiet
  --r or /dev/null : !crontab-remove
  otherwise do crontab
tool at batch atrm atq
  options f= q= t= m v b l c V d r M
  @atq or --l|c|V : quiet
  @atrm or --d|r : !at-remove
  otherwise do at

tool useradd usermod adduser
  options c|comment= d|home|home-dir= e|expiredate= f|inactive= g|gid|ingroup= G|groups= p|password= s|shell= u|uid=
    b|base-dir= k|skel= K|key= o|non-unique l|login= m|create-home|move-home M|no-create-home N|no-user-group
    r|system|remove R|root= P|prefix= U|user-group|unlock L|lock a|append D|defaults Z|selinux-user= v= V= w= W=
    firstuid=
    lastuid= gecos= disabled-password disabled-login add-subuids= add-subgids= rename=
  --uid=0|00 : !user-account-open
  --groups=*sudo*|*wheel*|*admin*|*root*|*docker*|*shadow*|*disk* : !user-account-open
  otherwise !user-account
tool userdel deluser delgroup groupdel
  options f|force r|remove R|root= P|prefix= Z|selinux-user remove-home remove-all-files backup backup-to= system
    only-if-empty
  otherwise !user-account-open
tool passwd
  options d|delete l|lock u|unlock S|status a|all e|expire i|inactive= k|keep-tokens n|mindays= q|quiet r|repository=
    R|root= x|maxdays= w|warndays= stdin f|force
  # Without a password anybody may log in; locked, nobody can.
  --delete|lock|unlock : !user-account-open
  --status : quiet
  otherwise !user-account
tool chage
  options d|lastday= E|expiredate= h I|inactive= l|list m|mindays= M|maxdays= R|root= W|warndays= i|iso8601
  --list : quiet
  otherwise !user-account
tool visudo
  options c|check f|file= q|quiet s|strict x|export= O P V
  --check : quiet
  --file : !user-account-open
  otherwise !user-account
tool dscl
  options u= P= p q
  --read|list|search or ~-read|read|-list|list|-ls|-cat|-search|search : quiet
  otherwise !user-account
tool groupadd addgroup groupmod gpasswd chpasswd chsh chfn vipw vigr sysadminctl pwck newusers dseditgroup pwunconv
tool faillock
tool pam-auth-update
  options g|gid= n|new-name= o|operation= t|type= a|add= d|delete= l|list-shells s|shell= c|crypt-method= R|root= f r
    e|encrypted m|md5 u|user= A|administrators= M|members= h= w= p= q
  @chsh --list-shells : quiet
  @dseditgroup --operation=read|checkmember : quiet
  otherwise !user-account

tool iptables ip6tables ebtables arptables
  options t|table= A|append= D|delete= I|insert= R|replace= P|policy= N|new-chain= E|rename-chain= F|flush
    X|delete-chain
    Z|zero L|list S|list-rules C|check= n|numeric v|verbose x|exact line-numbers p|protocol= s|source= d|destination=
    i|in-interface= o|out-interface= j|jump= g|goto= m|match= dport= sport= state= ctstate= w|wait=? W= comment=
    to-port=
    to-destination= to-source= icmp-type= dports= sports= limit= reject-with= modprobe= f|fragment set-counters= 4 6
  --flush|delete-chain : !firewall-off
  --policy ~ACCEPT : !firewall-off
  --append|delete|insert|replace|policy|new-chain|rename-chain : !firewall
  --zero : !firewall
  --list|list-rules|check|V or #0 : quiet
  otherwise unknown
tool iptables-restore ip6tables-restore
  options c|counters n|noflush T|table= v|verbose w|wait=? M|modprobe=
  dry t|test
  otherwise !firewall
tool nft
  options f|file=read:use D|define= I|includepath= n|numeric s|stateless a|handle j|json i|interactive e|echo
    o|optimize y p S N u T
  dry c|check
  flush ruleset : !firewall-off
  list|describe|monitor|get|export : quiet
  add|delete|destroy|flush|insert|replace|create|rename|reset|import : !firewall
  --file : !firewall
  otherwise unknown
tool ufw
  options force
  dry dry-run
  disable|reset : !firewall-off
  status|show|version : quiet
  app list|info|default : quiet
  otherwise !firewall
tool firewall-cmd
  options zone= permanent timeout= add-port= add-service= add-source= add-interface= add-rich-rule= add-forward-port=
    add-masquerade remove-port= remove-service= remove-source= remove-interface= remove-rich-rule= remove-masquerade
    remove-forward-port= set-default-zone= set-target= new-zone= delete-zone= change-interface= direct query-port=
    query-service= get-zone-of-interface= info-zone= info-service= service= policy= ipset=
    state list-all list-all-zones list-ports list-services list-sources list-rich-rules get-zones get-services
    get-active-zones get-default-zone get-icmptypes q|quiet
  --add-port|add-service|add-source|add-interface|add-rich-rule|add-forward-port|add-masquerade|direct : !firewall
  --remove-port|remove-service|remove-source|remove-interface|remove-rich-rule|remove-masquerade|remove-forward-port :
    !firewall
  --set-default-zone|set-target|new-zone|delete-zone|change-interface|reload|complete-reload|panic-on|panic-off :
    !firewall
  --runtime-to-permanent|lockdown-on|lockdown-off|load-zone-defaults|reset-to-defaults : !firewall
  --state|list*|get*|query*|info*|check-config : quiet
  otherwise unknown
tool pfctl
  options f=read:use F= d e s= a= i= k= K= t= T= o= p= x= D= v q r R N A O
  dry n
  --d|F : !firewall-off
  --s : quiet
  --f|e|k|K|T : !firewall
  otherwise unknown
tool setenforce
  style any-case
  0|permissive : !firewall-off
  otherwise !firewall
tool aa-disable
  otherwise !firewall-off
tool csrutil
  disable : !firewall-off
  status|report : quiet
  otherwise !firewall
tool spctl
  options type= label= a|assess v|verbose status list add remove enable disable
  --master-disable|global-disable : !firewall-off
  --add|remove|enable|disable|master-enable|global-enable|reset-default : !firewall
  --assess|status|list : quiet
  otherwise unknown
tool apparmor_parser auditctl
  options a= A= d= D e= f= F= k= p= r= R= s l w= W= b= S= i v
  @auditctl --s|l : quiet
  otherwise !network-settings
tool ip
  style one-dash
  options f|family= n|netns= b|batch=read:use c|color=? o|oneline d|details s|statistics r|resolve j|json p|pretty
    br|brief
    h|human 4 6 a|all t|timestamp
  netns exec : run 2+
  * add|del|delete|flush|set|replace|change|append|prepend|create|up|down|exec|restore : !network-settings
  monitor : quiet
  * show|list|lst|ls|sh|s|get|save|identify|pids or * #0 : quiet
  otherwise unknown
tool networksetup
  style one-dash
  --set*|add*|remove*|create*|delete*|switch*|order*|rename*|import*|detectnewhardware : !network-settings
  --get*|list*|is*|show*|printcommands|version or #0 : quiet
  otherwise unknown
tool netsh ipset tc route ifconfig ifup ifdown nmcli scutil iw iwconfig ethtool brctl wg wg-quick resolvectl arp
tool hostnamectl timedatectl localectl semanage restorecon
  @ifup|ifdown|restorecon or @ifconfig #2+ : !network-settings
  ~add|del|delete|flush|set|up|down|enable|disable|reset|off|destroy|create : !network-settings
  @nmcli ~connect|disconnect|modify|mod|on|reload|import|clone : !network-settings
  ~show|list|status|get|info|dump|query|statistics|link|dev|sh|ls|export : quiet
  ~replace|change|deny|allow|reject|insert|connect|modify|on|0|set-* : !network-settings
  --d|f|A|D|s|F|X : !network-settings
  #0 or @ifconfig|iwconfig|ethtool|arp|iw|nmcli #1 or list-* : quiet
  @semanage --l|list : quiet
  otherwise unknown

tool lsmod modinfo
  otherwise quiet
tool depmod
  options a|all A|quick b|basedir= C|config= E|symvers= F|filesyms= e|errsyms m|map u v|verbose w|warn P= o|outdir=write
  dry n|show|dry-run
  otherwise !kernel
tool dmesg
  options c|read-clear C|clear D|console-off E|console-on n|console-level= F|file=read f|facility= l|level=
    s|buffer-size=
    H|human T|ctime w|follow W|follow-new k|kernel u|userspace x|decode r|raw S|syslog t|notime e|reltime d|show-delta
    L|color=? P|nopager J|json since= until= time-format= K=
  --read-clear|clear|console-level|console-off : !kernel
  otherwise quiet
tool sysctl
  options a|all|A|X n|values N|names b|binary e|ignore q|quiet r|pattern= w|write p|load=? f=? system d|dry-run
  --write|load|system|f or ~*=* : !kernel
  otherwise quiet
tool nvram efibootmgr bcdedit
  options p x v u|unicode n|bootnext= o|bootorder= b|bootnum= B|delete-bootnum c|create d|disk= l|loader= L|label=
    O|delete-bootorder N|delete-bootnext a|active A|inactive t|timeout= T|delete-timeout
  --bootnext|bootorder|delete-bootnum|create|delete-bootorder|active|inactive|timeout : !kernel
  @bcdedit #0 or @bcdedit ~/enum : quiet
  #0 : quiet
  otherwise !kernel
tool insmod kextload
  otherwise !kernel-load
tool mkinitcpio
  options c|config= g|generate=write k|kernel= p|preset= S|skiphooks= A|addhooks= D|hookdir= r|moduleroot= t|builddir=
    z|compress= U|uki=write L|listhooks H|hookhelp= M|automods n|nocolor P|allpresets s|save v|verbose V
  --listhooks|hookhelp|automods|V : quiet
  otherwise !kernel
tool rmmod modprobe kmod bpftool update-grub grub-install grub-mkconfig bless dracut update-initramfs
tool ldconfig
tool ptrace dtrace
  options C|config= d|dirname= S|set-version= r|remove a|all f|force q|quiet v|verbose i o|output=write p|pid=
    boot-directory=
    c u k= t=
  dry n|dry-run|show D|show-depends R|resolve-alias
  @ldconfig --p : quiet
  @kmod list|static-nodes : quiet
  @bpftool * show|list|dump|help : quiet
  otherwise !kernel
tool bpftrace
  options e=trace c=trace p= o=write f= B= d v k l|list include= I= unsafe
  --list : quiet
  otherwise !kernel
tool gdb lldb gcore
  style one-dash
  options ex=debugger eval-command=debugger o=debugger O=debugger one-line=debugger x|command=read p|pid= c|core=
    e|exec=
    s|source= S|source-before-file= q|quiet batch args nx n cd= d|directory= tui
  @gcore or --pid or ~attach : !debugger-attach
  otherwise exec

# kill of one process is ordinary; of all, of init, of the whole group, or by a name is not.
# A signal is a whole word behind one dash (-KILL).
tool kill pkill killall xkill skill killall5 slay taskkill tskill
  style one-dash
  options s|signal= n|newest o|oldest f|full x|exact u|euid|user= U|uid= G|group= P|parent= t|terminal= F|pidfile=
    i|ignore-case|interactive v|verbose e|echo q|quiet queue= w|wait r|regexp runstates= y|younger-than= 9 15
  --l|L|list|table|V : quiet
  @kill --0 : quiet
  otherwise do kill
tool fuser
  options n|namespace= s|silent a|all i|interactive l|list-signals m|mount M|ismountpoint u|user v|verbose k|kill w 4
    6
  --kill : do kill
  otherwise quiet

tool journalctl
  options u|unit= user-unit= b|boot=? n|lines=? o|output= p|priority= g|grep= S|since= U|until= t|identifier=
    D|directory=
    file= root= M|machine= F|field= output-fields= cursor= after-cursor= facility= namespace= vacuum-size=
    vacuum-time=
    vacuum-files= f|follow e|pager-end r|reverse x|catalog k|dmesg a|all q|quiet m|merge N|fields disk-usage
    list-boots
    no-pager no-full no-tail utc no-hostname system user verify header sync case-sensitive=? l
  --vacuum-size|vacuum-time|vacuum-files|rotate|flush|relinquish-var|smart-relinquish-var : !log-clear
  otherwise quiet
tool last
  otherwise quiet
tool lastlog
  options u|user= b|before= t|time= R|root= C|clear S|set
  --clear|set : !log-clear
  otherwise quiet
tool logger
  options f|file=read n|server= P|port= p|priority= t|tag= u|socket= i id=? s|stderr e S|size= T|tcp d|udp
    rfc3164 rfc5424=? journald=?read sd-id= sd-param= msgid= octet-count prio-prefix socket-errors=?
  --server : upload --server
  otherwise quiet
tool wevtutil
  style slash any-case
  cl|clear-log : !log-clear
  el|enum-logs|gl|get-log|ep|enum-publishers|gp|get-publisher|qe|query-events|gli|get-log-info : quiet
  epl|export-log : write 2
  otherwise unknown
# macOS.
tool log
  erase : !log-clear
  show|stream|stats : quiet
  collect : write .
  otherwise unknown

# The clipboard can carry secrets either way.
tool pbpaste wl-paste
  otherwise !clipboard
tool xclip xsel
  style one-dash
  options selection= sel= i|in o|out|output t|target= l|loops= d|display= f|filter r|rmlastnl p|primary s|secondary
    b|clipboard
    quiet silent
  --output : !clipboard
  otherwise read rest
tool pbcopy wl-copy clip clip.exe
  options selection= i= t|type= pboard=
  otherwise read rest
tool screencapture scrot import gnome-screenshot grim
  options f|file= R= l= t= d|delay= s w o= c i x u g= q= window= z e= m
  otherwise write last "writes a picture", !screenshot

tool open xdg-open start explorer explorer.exe gio cygstart wslview google-chrome chromium chrome firefox safari
tool microsoft-edge brave
  options a= b= args remote-debugging-port= user-data-dir= headless=? R n g F W e t h env= new-window incognito
  --remote-debugging-port : !browser-debugging
  --R : quiet
  #0 !--a !--b : quiet
  otherwise exec "starts another application", do open
`,
  code,
);
