// The running system: power, services, schedules, users, network rules, kernel, processes.
// Invariant: looking (status, list) is quiet; what stops the machine, starts things by itself or ends many processes is a hazard.
import type { Hazard } from "../effects.js";
import { literal, parse, syntax } from "../spec/options.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../tool.js";
import { all, cli } from "./commands.js";
import { asksHelp, isStream } from "./table.js";

const words = (call: Invocation) => call.args.map((arg) => arg.value ?? "");
const danger = (cls: Hazard["class"], level: Hazard["level"], id: string): Hazard => ({ class: cls, level, id });

const power: ToolFamily = {
  names: ["shutdown", "reboot", "halt", "poweroff", "init", "telinit", "kexec", "systemctl-reboot", "pm-suspend"],
  lower(call, emit) {
    if (asksHelp(call) || words(call).some((word) => /^(-c|--wtmp-only|-w|--show)$/.test(word))) return;
    if (/init$/.test(call.name) && !/^[06sS]$/.test(call.args[0]?.value ?? "")) return;
    emit.hazard(danger("system", 3, "shutdown"), `${call.name} stops the machine`);
  },
};

/** Services that guard the machine. */
const protects =
  /^(firewalld|ufw|nftables|ip6?tables|apparmor|selinux-\w+|auditd|fail2ban|falcon-sensor|clamav-\w+|osqueryd|wazuh-agent|sssd)(\.service)?$/;

const services = cli({
  names:
    "systemctl service rc-service launchctl sc sv supervisorctl s6-svc initctl rc-update update-rc.d chkconfig brew-services pm2 monit",
  takes: "H|host= M|machine= p|property= t|type= state= n|lines= o|output= job-mode= s|signal= root=",
  verbs: [
    ...all("system:3", ["reboot|poweroff|halt|kexec|soft-reboot|emergency|rescue|suspend|hibernate"], {
      id: "shutdown",
    }),
    ...all("persistence:2", [
      "enable|reenable|link|preset|set-default|edit|bootstrap|load|submit|add|create|config|startup|save",
    ]),
    {
      path: "stop|kill|mask|disable|unload|bootout|remove|delete",
      does: ({ call, rest, given }, emit) => {
        const verb = given.operands[0]!.value!;
        const guards = rest.some((unit) => protects.test(unit.value ?? ""));
        emit.hazard(
          danger("system", guards ? 3 : 2, guards ? "security-service" : `${call.name}-${verb}`),
          `${call.name} ${verb}`,
        );
      },
    },
    {
      path: "ufw|firewalld|iptables|nftables|apparmor|auditd|fail2ban stop|disable",
      hazard: "system:3",
      id: "security-service",
    },
    ...all("system:2", [
      "stop|kill|mask|disable|isolate|unload|bootout|remove|delete|reset-failed|revert|revoke|daemon-reexec|set-property|set-environment|import-environment",
    ]),
    ...all("system:1", [
      "start|restart|reload|try-restart|reload-or-restart|kickstart|daemon-reload|update|reread|freeze|thaw",
    ]),
    { path: "* start|stop|restart|reload|force-reload", hazard: "system:1", id: "service" },
  ],
});

/** crontab -l shows; a file, `-` or -e replaces; -r removes the whole table. */
const crontab: ToolFamily = {
  names: ["crontab", "fcrontab"],
  lower(call, emit) {
    const given = parse(call.args, syntax("u= l e r i s n= c= T="));
    if (given.has("l", "T") || asksHelp(call)) return;
    if (given.has("r") || given.operands[0]?.value === "/dev/null")
      return emit.hazard(danger("persistence", 3, "crontab-remove"), "crontab -r removes every scheduled job");
    const file = given.operands[0];
    if (file && !isStream(file)) emit.read(file, "crontab installs it");
    const text =
      file && !isStream(file) ? emit.projectFile(file) : call.stdin.kind === "text" ? call.stdin.text : undefined;
    for (const line of text?.split("\n").slice(0, 200) ?? []) {
      const job = /^\s*(?:@\w+|(?:[\d*/,a-z-]+\s+){5})\s*(\S.*)$/i.exec(line)?.[1];
      if (job) emit.shell(literal(job), "crontab runs it by itself");
    }
    emit.hazard(danger("persistence", 2, "crontab"), "crontab installs jobs that start by themselves");
  },
};

const at: ToolFamily = {
  names: ["at", "batch", "atrm", "atq"],
  lower(call, emit) {
    if (call.name === "atq" || words(call).some((word) => /^(-l|-c|-V)$/.test(word))) return;
    if (call.name === "atrm" || words(call).includes("-d") || words(call).includes("-r"))
      return emit.hazard(danger("persistence", 1, "at-remove"), "removes scheduled jobs");
    const file = parse(call.args, syntax("f= q= t= m v b")).value("f");
    if (file) emit.script(file, "at runs it later", "shell");
    else if (call.stdin.kind === "text") emit.shell(literal(call.stdin.text), "at runs it later");
    else if (call.stdin.kind !== "inherit") emit.unknown("at runs later what its input says");
    emit.hazard(danger("persistence", 2, "at"), `${call.name} schedules a job`);
  },
};

const users: ToolFamily = {
  names: [
    "useradd",
    "adduser",
    "userdel",
    "deluser",
    "usermod",
    "groupadd",
    "groupdel",
    "addgroup",
    "delgroup",
    "groupmod",
    "gpasswd",
    "passwd",
    "chpasswd",
    "chage",
    "chsh",
    "chfn",
    "visudo",
    "vipw",
    "vigr",
    "dscl",
    "sysadminctl",
    "pwck",
    "newusers",
    "dseditgroup",
    "pwunconv",
    "faillock",
    "pam-auth-update",
  ],
  lower(call, emit) {
    if (asksHelp(call) || words(call).some((word) => /^(-S|--status|-l|--list|-c|--check|-read|-list)$/.test(word)))
      return;
    const given = words(call);
    // Without a password anybody may log in; locked, nobody can.
    const opens =
      call.name === "passwd" && words(call).some((word) => /^(-\w*[dlu]|--(delete|lock|unlock))$/.test(word));
    // A second name for root.
    const rooted =
      /^user(add|mod)$/.test(call.name) &&
      given.some((word, at) => word === "0" && /^(-u|--uid)$/.test(given[at - 1]!));
    const level = call.name.includes("del") || opens || rooted ? 3 : 2;
    emit.hazard(danger("system", level, "user-account"), `${call.name} changes accounts`);
  },
};

const firewall: ToolFamily = {
  names: [
    "iptables",
    "ip6tables",
    "iptables-restore",
    "ip6tables-restore",
    "nft",
    "ufw",
    "firewall-cmd",
    "pfctl",
    "ebtables",
    "arptables",
    "netsh",
    "ipset",
    "tc",
    "route",
    "ifconfig",
    "ip",
    "ifup",
    "ifdown",
    "nmcli",
    "networksetup",
    "scutil",
    "iw",
    "iwconfig",
    "ethtool",
    "brctl",
    "wg",
    "wg-quick",
    "resolvectl",
    "arp",
    "hostnamectl",
    "timedatectl",
    "localectl",
    "setenforce",
    "semanage",
    "restorecon",
    "aa-disable",
    "apparmor_parser",
    "spctl",
    "csrutil",
    "auditctl",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = words(call);
    const shows =
      given.length === 0 ||
      given.some((word) =>
        /^(-L|--list.*|-S|-s|-nvL|-nL|-vnL|list|show|status|get|sh|ls|-a|-l|-n|-e|-an|-ano|info|--state|--dns|--status|--query.*|dump|-h|-i|--get-.*|query|statistics|-v|version|numbered|verbose|dev|-g|--nwi)$/.test(
          word,
        ),
      );
    const changes =
      given.some((word) =>
        /^(add|del|delete|flush|set|up|down|replace|change|-F|-X|-P|-A|-D|-I|-R|-t|enable|disable|reset|deny|allow|reject|--add.*|--remove.*|--reload|-f|-d|insert|create|destroy|connect|modify|off|on|0|permissive|link|--flush|--master-disable|--global-disable)$/.test(
          word,
        ),
      ) || /restore|^if(up|down)$|^setenforce$|^csrutil$|^aa-disable$|^apparmor_parser$|^auditctl$/.test(call.name);
    if (
      !changes ||
      (shows &&
        !given.some((word) =>
          /^(add|del|delete|flush|set|up|down|-F|-X|-P|-A|-D|-I|enable|disable|reset|off)$/.test(word),
        ))
    )
      return;
    emit.hazard(
      danger(
        "system",
        unguards(call.name, given) ? 3 : 2,
        /^(ip6?tables|nft|ufw|firewall-cmd|pfctl|ebtables|arptables|setenforce|aa-disable|spctl|csrutil)/.test(
          call.name,
        )
          ? "firewall"
          : "network-settings",
      ),
      `${call.name} changes how the machine is reached or guarded`,
    );
  },
};

/** The machine's guard goes away as a whole; one rule more or less is 2. */
function unguards(name: string, given: readonly string[]): boolean {
  const has = (pattern: RegExp) => given.some((word) => pattern.test(word));
  if (/^(ip6?tables|ebtables|arptables)$/.test(name))
    return has(/^(-F|--flush|-X)$/) || (has(/^(-P|--policy)$/) && has(/^ACCEPT$/));
  if (name === "nft") return has(/^flush$/) && has(/^ruleset$/);
  if (name === "ufw") return has(/^(disable|reset)$/);
  if (name === "pfctl") return has(/^-(d|F)$/);
  if (name === "setenforce") return has(/^(0|permissive)$/i);
  if (name === "spctl") return has(/^--(master-disable|global-disable)$/);
  return name === "aa-disable" || (name === "csrutil" && has(/^disable$/));
}

const kernel: ToolFamily = {
  names: [
    "insmod",
    "rmmod",
    "modprobe",
    "sysctl",
    "dmesg",
    "depmod",
    "kmod",
    "lsmod",
    "modinfo",
    "bpftool",
    "bpftrace",
    "update-grub",
    "grub-install",
    "grub-mkconfig",
    "efibootmgr",
    "nvram",
    "bcdedit",
    "bless",
    "dracut",
    "update-initramfs",
    "mkinitcpio",
    "ldconfig",
    "setcap-legacy",
    "gdb",
    "lldb",
    "gcore",
    "ptrace",
    "dtrace",
    "kextload",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = words(call);
    if (/^(lsmod|modinfo|depmod)$/.test(call.name)) return;
    if (call.name === "dmesg" && !given.some((word) => /^(-c|-C|--clear|--read-clear|-n|-D)$/.test(word))) return;
    if (
      call.name === "sysctl" &&
      !given.some((word) => /^(-w|-p|--write|--load|--system)/.test(word) || /=/.test(word))
    )
      return;
    if (/^(nvram|efibootmgr|bcdedit)$/.test(call.name) && given.every((word) => /^(-p|-v|-xp|\/enum)?$/.test(word)))
      return;
    if (/^(gdb|lldb|gcore)$/.test(call.name)) {
      const attach = given.some((word) => /^(-p|--pid.*|attach)$/.test(word)) || call.name === "gcore";
      for (const text of parse(
        call.args,
        syntax("ex= eval-command= x|command= p|pid= batch args o= O= one-line= S= s=", { oneDash: true }),
      ).values("ex", "eval-command", "o", "O", "one-line")) {
        const shell = /^\s*(?:platform\s+shell|shell|!|python\s+import os;?\s*os\.system)\s*(.+)$/.exec(
          text.value ?? "",
        )?.[1];
        if (shell) emit.shell(literal(shell), `${call.name} runs it`);
      }
      if (attach) emit.hazard(danger("credential-read", 2, "debugger-attach"), `${call.name} reads another process`);
      else
        emit.effect({
          kind: "exec",
          program: call.name,
          argv: call.args.map((arg) => arg.value),
          reason: `${call.name} runs a program`,
        });
      return;
    }
    if (call.name === "bpftrace")
      for (const text of parse(call.args, syntax("e= p= c= o= f=")).values("e", "c"))
        emit.program(text, "bpftrace -e", "loose");
    emit.hazard(
      danger("system", /^(insmod|kextload)$/.test(call.name) ? 3 : 2, "kernel"),
      `${call.name} changes the kernel or the boot`,
    );
  },
};

/** kill of one process is ordinary; of all, of init, of the whole group, or by a name is not. */
const kill: ToolFamily = {
  names: ["kill", "pkill", "killall", "xkill", "skill", "killall5", "fuser", "taskkill", "tskill", "slay"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = words(call);
    if (
      given.some((word) => /^(-l|-L|--list|--table|-V)$/.test(word)) ||
      (call.name === "fuser" && !given.some((word) => /^-\w*k/.test(word)))
    )
      return;
    if (given.includes("-0") && call.name === "kill") return;
    const targets = operandsOf(call);
    if (call.name === "killall5" || targets.some((target) => target.value === "-1" || target.value === "1"))
      return emit.hazard(danger("kill", 3, "kill-all"), `${call.name} ends every process`);
    const names = targets.filter((target) => !/^-?\d+$|^%/.test(target.value ?? "x"));
    const guarded = names.find((target) =>
      /^(interlock|agent-interlock|claude|codex|gemini|systemd|init|launchd|sshd|dockerd|WindowServer|Finder|loginwindow|gnome-shell|Xorg|kwin|dbus-daemon)/i.test(
        target.value ?? "",
      ),
    );
    if (guarded)
      return emit.hazard(
        danger(
          "kill",
          /^(interlock|agent-interlock)/i.test(guarded.value!) ? 3 : 2,
          `kill-${guarded.value!.toLowerCase().replace(/[^\w-]/g, "")}`,
        ),
        `${call.name} ${guarded.value}`,
      );
    const wide = given.some((word) => /^(-u|-U|-G|--uid|--euid|-t)/.test(word)) && call.name !== "kill";
    const byName = /^(pkill|killall|skill|taskkill|slay)$/.test(call.name);
    const pattern = targets.map((target) => target.value ?? "").join(" ");
    const everything = wide || /^(\.|\.\*|node|python3?|java|bash|zsh|sh|code)$/.test(pattern);
    // Every process of an account.
    if (byName && (wide ? /^(|\.|\.\*)$/ : /^(\.|\.\*)$/).test(pattern))
      return emit.hazard(danger("kill", 3, "kill-all"), `${call.name} ends every process of a user`);
    emit.hazard(
      danger("kill", byName && everything ? 2 : 1, byName ? "kill-by-name" : "kill-process"),
      `${call.name} ${pattern}`,
    );
  },
};

function operandsOf(call: Invocation): Arg[] {
  const out: Arg[] = [];
  for (let index = 0; index < call.args.length; index++) {
    const value = call.args[index]!.value;
    if (value === "--") return [...out, ...call.args.slice(index + 1)];
    if (/^(-s|-n|--signal|-q|-u|-U|-G|-g|-t|-P|-o|-y|-r)$/.test(value ?? "") && call.name !== "kill") index++;
    else if (call.name === "kill" && /^(-s|-n)$/.test(value ?? "")) index++;
    else if (call.name === "kill" && value === "-1" && index > 0) out.push(call.args[index]!);
    else if (value === undefined || !/^-/.test(value)) out.push(call.args[index]!);
  }
  return out;
}

const history: ToolFamily = {
  names: ["auditd", "journalctl", "last", "lastlog", "logger", "wevtutil", "log"],
  lower(call, emit) {
    if (words(call).some((word) => /^--(vacuum|rotate|flush)/.test(word) || /^(cl|clear-log|erase)$/.test(word)))
      emit.hazard(danger("system", 2, "log-clear"), `${call.name} clears logs`);
  },
};

/** The clipboard can carry secrets either way. */
const clipboard: ToolFamily = {
  names: [
    "pbpaste",
    "wl-paste",
    "xclip",
    "xsel",
    "pbcopy",
    "wl-copy",
    "clip",
    "clip.exe",
    "screencapture",
    "scrot",
    "import",
    "gnome-screenshot",
    "grim",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = words(call);
    const pastes =
      /paste$/.test(call.name) ||
      ((call.name === "xclip" || call.name === "xsel") && given.some((word) => /^(-o|-out|--output)$/.test(word)));
    if (pastes) return emit.hazard(danger("credential-read", 1, "clipboard"), `${call.name} reads the clipboard`);
    if (/^(screencapture|scrot|import|gnome-screenshot|grim)$/.test(call.name)) {
      const file = parse(call.args, syntax("f= file= R= l= t= d= delay= s w o=")).operands.at(-1);
      if (file) emit.write(file, `${call.name} writes a picture`);
      return emit.hazard(danger("credential-read", 1, "screenshot"), `${call.name} sees the screen`);
    }
    for (const file of parse(call.args, syntax("selection= i= t=")).operands) emit.read(file, `${call.name} reads it`);
  },
};

/** Opens a document or an address with whatever is set for it. */
const open: ToolFamily = {
  names: [
    "open",
    "xdg-open",
    "start",
    "explorer",
    "explorer.exe",
    "gio",
    "cygstart",
    "wslview",
    "google-chrome",
    "chromium",
    "chrome",
    "firefox",
    "safari",
    "microsoft-edge",
    "brave",
  ],
  lower(call, emit: Emit) {
    if (asksHelp(call)) return;
    if (words(call).some((word) => /remote-debugging-port/.test(word)))
      return emit.hazard(danger("credential-read", 2, "browser-debugging"), "opens the browser's sessions to programs");
    if (call.args.length === 0 || words(call).includes("-R")) return;
    emit.effect({
      kind: "exec",
      program: call.name,
      argv: call.args.map((arg) => arg.value),
      reason: `${call.name} starts another application`,
    });
    for (const word of parse(call.args, syntax("a= b= args")).operands)
      if (/^https?:/.test(word.value ?? ""))
        emit.effect({ kind: "network", program: call.name, host: word.value, reason: "opens an address" });
  },
};

export const system = [power, services, crontab, at, users, firewall, kernel, kill, history, clipboard, open];
