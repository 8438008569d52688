// Programs that start another program in a roundabout way: the dynamic loader, daemons, emulators, profilers.
// Invariant: the program behind them is followed as if it stood alone.
import { tools } from "../spec/interpret.js";

export const loaderTools = tools(
  "loaders",
  `
tool ld.so ld-linux.so{,.2} ld-linux-x86-64.so{,.2} ld-linux-aarch64.so.1 ld-musl-{x86_64,aarch64}.so.1 ld64.so.1
  style posix
  options library-path= preload= audit= argv0= inhibit-rpath= glibc-hwcaps-mask= glibc-hwcaps-prepend= inhibit-cache
    list verify list-tunables list-diagnostics
  --list|verify|list-tunables|list-diagnostics : quiet
  otherwise run rest
tool setarch
  style command
  help first
  options R|addr-no-randomize F|fdpic-funcptrs I|short-inode L|addr-compat-layout S|whole-seconds T|sticky-timeouts
    X|read-implies-exec Z|mmap-page-zero 3|3gb 4gb uname-2.6 B|32bit v|verbose list
  otherwise run 2+
tool uname26
  style posix
  options R|addr-no-randomize v|verbose
  otherwise run rest
tool arch
  style posix one-dash
  options e= d= arch= arm64 arm64e x86_64 x86_64h i386 32 64 c h
  otherwise run rest
tool runcon
  style posix
  options t|type= u|user= r|role= l|range= c|compute
  otherwise run rest
tool start-stop-daemon daemonize daemon
  style posix
  options x|exec= a|startas= p|pidfile= u|user= c|chuid= d|chdir= o= e= l= n|name= S|start K|stop T|status H s|signal=
    b|background m|make-pidfile q|quiet g|group= R|retry= k|umask= N|nicelevel= r|chroot= t|test v|verbose oknodo
  --stop|status|test : quiet
  --exec|startas : do start
  otherwise run rest
tool qemu-{x86_64,aarch64,arm,i386} box64 box86 rosetta
  style posix one-dash
  options L= E= U= cpu= s= B= R= d= D= g= p= 0= seed= strace singlestep
  otherwise run rest
tool sandbox-exec
  style posix
  options f= n= p= D=
  otherwise run rest
tool dtruss ktrace sotruss memusage heaptrack
  style posix
  options o|output=write d|data= p= n= f= F|from= T|to= e|exit b= t= u|unbuffered
  otherwise run rest
tool newgrp
  otherwise shell stdin "starts a shell that runs its input"
tool sg
  options c=shell
  always privilege
  - : shell 2
  otherwise shell 2
tool cgexec
  style posix
  options g= sticky
  otherwise run rest
tool flatpak-spawn
  style posix
  options host clear-env latest-version no-network watch-bus env= directory= sandbox forward-fd= unset-env= app-path=
    sandbox-expose= sandbox-expose-ro= sandbox-flag= expose-pids share-pids v|verbose
  otherwise run rest in --directory
tool faketime
  style posix
  options f m p= exclude-monotonic date-prog=
  otherwise run 2+
tool choom
  style posix
  options n|adjust= p|pid=
  otherwise run rest
tool trickle
  style posix
  options d= u= s= w= t= l= L= n= P= v h V
  otherwise run rest
tool sem
  style posix
  options j|jobs= id= fg bg wait timeout= u|ungroup
  otherwise run rest
tool ssh-agent
  style posix
  options a= t= E= O= c s k d D P=
  otherwise run rest
tool torsocks torify proxychains proxychains4 tsocks
  style posix
  options f= q|quiet i|isolate u|user= p|pass= a|address= P|port= d|debug
  otherwise run rest

# Profilers: what records runs a command, or looks at a process that runs already.
tool samply py-spy rbspy coz
  style command
  help first
  options e|event= o|output=write p|pid= t|threads F|freq= r|rate= c|count= g|gil C|cpu= call-graph= d|duration=
    f|format= a|all n|native s|subprocesses P|port= no-open save-only idle function nonblocking profile-name=
    iteration-count= raw-file=write silent force-version= on-cpu flame-min-width= N|no-drop-root
  record|run|trace|exec|stat|top #1+ : run rest
  record|run|trace|exec|stat|top : exec "looks at processes"
  load|dump|report|snapshot|plot|list|setup|completions : quiet
  otherwise unknown
tool flamegraph
  style posix
  options o|output=write p|pid= F|freq= c|cmd= root no-inline image-width= palette= title= subtitle= perfdata=read
    post-process=shell reverse inverted verbose open flamechart deterministic
  #0 : exec "looks at processes"
  otherwise run rest

tool run-parts
  options a|arg= u|umask= regex= test list report v|verbose d|debug reverse exit-on-error lsbsysinit new-session
  --test|list : quiet
  otherwise exec "runs every program of a directory", unknown "runs every program of a directory"
`,
  {
    start({ call, given, rest }, emit) {
      for (const program of given.values("exec", "startas")) emit.run([program, ...rest], `started by ${call.name}`);
    },
  },
);
