// Programs that print, wait, compute or look and do nothing else.
// Invariant: nothing here writes a file, starts a program or opens a connection, whatever its arguments; man and ps are
// the exceptions and say so.
import { hazard } from "../../model/hazards.js";
import { tools } from "../spec/interpret.js";

export const harmless = tools(
  "harmless",
  `
tool echo printf pwd sleep usleep true false : test [ whoami logname users who w uname which whereis type seq jot
tool hostname id groups nproc pstree pgrep pidof top uptime free vmstat mpstat pidstat sar iotop htop btop glances tput
tool clear reset stty tty locale getconf cal ncal yes factor expr numfmt uuidgen mcookie tokei cloc scc onefetch
tool neofetch fastfetch screenfetch sw_vers system_profiler lscpu lsmem lshw dmidecode hwinfo sensors acpi nvidia-smi
tool rocm-smi figlet toilet cowsay lolcat fortune banner cmatrix history jobs fg bg wait umask ulimit times help getopt
tool getopts compgen bind complete shopt exit netstat ss lsipc lslocks lsns ipcs getent finger tldr cheat info apropos
tool whatis zoxide fzf gum dialog whiptail notify-send terminal-notifier say espeak spd-say aplay afplay beep sync pv ts
tool errno ascii units dateadd datediff infocmp toe tabs setterm wslpath cygpath systeminfo tasklist where chcp
tool dircolors pkg-config pkgconf dpkg-query dpkg-architecture jps jstat jstack jinfo javap jdeps hostid pinky lslogins
tool lastb systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-escape systemd-path fc-list fc-match
tool llvm-config pg_config python3-config xslt-config getcap getpcaps pmap pwdx slabtop tload prtstat xdpyinfo xrandr
tool xwininfo xprop lsb_release runlevel vercmp isutf8 mdls mdfind vm_stat zdump
  otherwise quiet
# man can be told to run a pager, a browser or a preprocessor.
tool man gman
  options P|pager=shell H|html=?shell browser=shell p|preprocessor=shell C|config-file= M|manpath= S|s|sections=
    L|locale=
    m|systems= e|extension= r|prompt= T|troff-device=? X|gxditview=? E|encoding= R|recode= l|local-file a|all d|debug
    D|default f|whatis k|apropos K|global-apropos w|where|path W|where-cat c|catman i|ignore-case I|match-case regex
    wildcard names-only u|update no-subpages t|troff Z|ditroff 7|ascii no-hyphenation no-justification warnings=?
  --local-file : read rest
  otherwise quiet
tool ps
  otherwise do ps
`,
  {
    /** BSD-style `ps e` shows the environment of every process. */
    ps({ call: { args } }, emit) {
      const shows = args.some(
        (arg, index) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(arg.value ?? "") && !/^-/.test(args[index - 1]?.value ?? ""),
      );
      if (shows) emit.hazard(hazard("environment-dump"), "ps e shows the environment of processes");
    },
  },
);
