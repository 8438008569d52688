// Programs that start another program in a roundabout way: the dynamic loader, group and architecture changers, profilers.
// Invariant: the program behind them is followed as if it stood alone.

import type { ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksHelpFirst, executes } from "./table.js";

interface Loader {
  names: string;
  options?: string;
  /** Operands before the command. */
  skip?: number;
}

const rows: Loader[] = [
  {
    names:
      "ld.so ld-linux.so ld-linux-x86-64.so.2 ld-linux-x86-64.so ld-linux-aarch64.so.1 ld-linux.so.2 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld64.so.1",
    options: "library-path= preload= audit= argv0= inhibit-rpath= inhibit-cache list verify",
  },
  { names: "setarch uname26", options: "R", skip: 1 },
  { names: "arch", options: "e= d= arch= arm64 x86_64 i386 32 64 c" },
  { names: "runcon", options: "t|type= u|user= r|role= l|range= c|compute", skip: 0 },
  {
    names: "start-stop-daemon daemonize daemon",
    options:
      "x|exec= a|startas= p|pidfile= u|user= c|chuid= d|chdir= o= e= l= n|name= S|start K|stop s|signal= b|background m|make-pidfile q",
  },
  { names: "qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386 box64 box86 rosetta", options: "L= E= cpu= s=" },
  { names: "sandbox-exec", options: "f= n= p= D=" },
  { names: "dtruss ktrace sotruss memusage heaptrack", options: "o|output= d|data= p= n= f=" },
  { names: "newgrp", skip: 99 },
  { names: "cgexec", options: "g= sticky" },
  {
    names: "flatpak-spawn",
    options: "host clear-env latest-version no-network watch-bus env= directory= sandbox forward-fd= unset-env=",
  },
  { names: "faketime", options: "f m p=", skip: 1 },
  { names: "choom", options: "n|adjust= p|pid=" },
  { names: "trickle", options: "d= u= s= w= t= l=" },
  { names: "sem", options: "j|jobs= id= fg wait timeout=" },
  { names: "ssh-agent", options: "a= t= E= c s k d D P=" },
  { names: "torsocks torify proxychains proxychains4 tsocks", options: "f= q" },
];

const loaders = rows.map((row): ToolFamily => {
  const grammar = syntax(row.options ?? "", { posix: true });
  return {
    names: row.names.split(" "),
    lower(call, emit) {
      if (asksHelpFirst(call)) return;
      const given = parse(call.args, grammar);
      for (const file of given.values("output")) emit.write(file, `${call.name} output`);
      for (const program of given.values("exec", "startas"))
        emit.run([program, ...given.operands], `started by ${call.name}`);
      const words = given.has("exec", "startas") ? [] : given.operands.slice(row.skip ?? 0);
      if (words.length) emit.run(words, `run by ${call.name}`);
    },
  };
});

/** sg group -c "command": a shell with another group. */
const sg: ToolFamily = {
  names: ["sg"],
  lower(call, emit) {
    const [first, , ...rest] = call.args;
    const text =
      call.args.find((_, index) => call.args[index - 1]?.value === "-c") ??
      (first && rest.length ? rest[0] : call.args[1]);
    emit.effect({ kind: "privilege", reason: "sg runs with another group" });
    if (text && text.value !== "-c") emit.shell(text, "sg runs it");
  },
};

/** samply record command and its kin; what only reports is quiet. */
const profilers: ToolFamily = {
  names: ["samply", "flamegraph", "py-spy", "rbspy", "coz"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const [verb, ...rest] = call.args;
    if (!/^(stat|record|trace|mem|sched|lock|c2c|top|run|exec)$/.test(verb?.value ?? "")) return;
    const given = parse(
      rest,
      syntax(
        "e|event= o|output= p|pid= t|tid= F|freq= c|count= g C|cpu= call-graph= r|repeat= d|duration= f|format= a",
        { posix: true },
      ),
    );
    for (const file of given.values("output")) emit.write(file, `${call.name} output`);
    if (given.operands.length) emit.run(given.operands, `run by ${call.name}`);
    else executes(call, emit, `${call.name} looks at processes`);
  },
};

/** run-parts runs every program of a directory. */
const runParts: ToolFamily = {
  names: ["run-parts"],
  lower(call, emit) {
    const given = parse(call.args, syntax("a|arg= u|umask= regex= test list report v"));
    if (given.has("test", "list")) return;
    executes(call, emit, "run-parts runs every program of a directory");
    emit.unknown(`run-parts ${given.operands[0]?.source ?? ""}`);
  },
};

export const loaderTools = [...loaders, sg, profilers, runParts];
