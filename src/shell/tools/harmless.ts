// Programs that print, wait, compute or look and do nothing else.
// Invariant: nothing here writes a file, starts a program or opens a connection, whatever its arguments.

import type { ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksHelp } from "./table.js";

const silent: ToolFamily = {
  names:
    `echo printf pwd sleep usleep true false : test [ whoami logname users who w uname which whereis type seq jot hostname id groups nproc pstree pgrep pidof top uptime free vmstat mpstat pidstat sar iotop htop btop glances tput clear reset stty tty
    locale getconf cal ncal yes factor expr numfmt uuidgen mcookie tokei cloc scc onefetch neofetch fastfetch screenfetch sw_vers system_profiler lscpu lsmem lshw dmidecode hwinfo sensors acpi nvidia-smi rocm-smi
    figlet toilet cowsay lolcat fortune banner cmatrix history jobs fg bg wait umask ulimit times help getopt getopts compgen bind complete shopt exit
    netstat ss lsipc lslocks lsns ipcs getent finger tldr cheat info apropos whatis zoxide fzf gum dialog whiptail notify-send terminal-notifier say espeak spd-say aplay afplay beep
    sync pv ts errno ascii units dateadd datediff infocmp toe tabs setterm wslpath cygpath systeminfo tasklist where chcp
    dircolors pkg-config pkgconf dpkg-query dpkg-architecture jps jstat jstack jinfo javap jdeps hostid pinky lslogins lastb systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-escape systemd-path fc-list fc-match llvm-config pg_config python3-config xslt-config getcap getpcaps pmap pwdx slabtop tload prtstat
    xdpyinfo xrandr xwininfo xprop lsb_release runlevel vercmp isutf8 mdls mdfind vm_stat zdump`.split(/\s+/),
  lower: () => undefined,
};

/** man can be told to run a pager, a browser or a preprocessor. */
const man: ToolFamily = {
  names: ["man", "gman"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "P|pager= H|html=? browser= p|preprocessor= C|config-file= M|manpath= S|sections= L|locale= m= e= r|prompt= T=? X=? l",
      ),
    );
    for (const program of given.values("pager", "browser", "html", "preprocessor")) emit.shell(program, "man runs it");
    for (const file of given.has("l") ? given.operands : []) emit.read(file, "man shows it");
  },
};

/** BSD-style `ps e` shows the environment of every process. */
const ps: ToolFamily = {
  names: ["ps"],
  lower(call, emit) {
    if (
      call.args.some(
        (arg, index) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(arg.value ?? "") && !/^-/.test(call.args[index - 1]?.value ?? ""),
      )
    )
      emit.hazard(
        { class: "credential-read", level: 2, id: "environment-dump" },
        "ps e shows the environment of processes",
      );
  },
};

export const harmless = [silent, man, ps];
