// Programs whose arguments openly hold the command they run. Apart from the wrappers themselves, so that a call without
// one does not load them.
// Invariant: every wrapper of the table is here (wrappers.test.ts).

const transparent = new Set(
  (
    "sh bash dash ash zsh ksh eval source . su runuser flock script env genv npx bunx pnpx bwrap nohup " +
    "setsid eatmydata fakeroot unbuffer chronic rtk catchsegv shx linux32 linux64 i386 x86_64 nocache pty " +
    "timeout gtimeout nice gnice ionice chrt taskset numactl stdbuf gstdbuf caffeinate time gtime sudo " +
    "doas pkexec run0 gsudo gosu su-exec setpriv capsh chroot unshare nsenter strace ltrace valgrind " +
    "noglob nocorrect repeat rlwrap xvfb-run dbus-run-session dbus-launch systemd-run systemd-inhibit " +
    "cpulimit prlimit firejail proot entr busybox toybox gobusybox direnv dotenv dotenvx env-cmd with-env " +
    "cross-env cross-env-shell aws-vault envchain chamber asdf mise rbenv pyenv nodenv jenv goenv volta " +
    "fnm nvm rtx"
  ).split(" "),
);

/** The command it runs stands openly in its arguments, so the run needs no effect of its own. */
export const isTransparent = (name: string): boolean => transparent.has(name);
