// Terminal multiplexers and process runners: commands handed to them run all the same.
// Invariant: text typed into a pane or given to a runner is followed as shell text.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal, parse, syntax } from "../spec/options.js";
import { shellText } from "./programs.js";
import { runScript, scriptsOf } from "./scripts.js";

export const terminals = tools(
  "terminals",
  `
tool tmux
  style posix
  options L= S= f=script c=shell T= 2 u v V C l D N
  otherwise do tmux
tool screen byobu
  style posix
  options S= c= e= h= p= s= t= T= L Logfile=write d D r x R m X A a i U q O ls list wipe v l n f fn
  stuff --X : do typed
  screen|exec --X : run rest
  quit|kill --X : !session-kill({name}-quit)
  hardcopy|title|select|detach|windows|number|echo|resize|log|logfile|width|next|prev --X : quiet
  --X : unknown
  --ls|list|wipe : quiet
  --r|x !--m : quiet
  otherwise run rest
tool zellij
  style command
  options n|name= d|direction= cwd= c|close-on-exit f|floating i|in-place session= start-suspended l|layout= config=
    config-dir= data-dir= max-panes= debug height= width= x= y= pinned= stacked
  run|r : run rest in --cwd
  action|ac write-chars : shell 1 "types it into a pane"
  action|ac new-pane : do pane
  kill-session|k|delete-session|d : !session-kill({path})
  kill-all-sessions|ka|delete-all-sessions|da : !session-kill-all({path})
  action|ac|attach|a|list-sessions|ls|list-aliases|la|edit|e|options|setup|convert-config|pipe|plugin|p|watch|web :
    quiet
  otherwise unknown
tool dtach abduco
  style posix
  options a A c n N P p e= E r= z l f q v C
  --a|l #1 : quiet
  otherwise run 2+

# What runs several commands, or one again and again.
tool concurrently conc
  options n|names= c|prefix-colors= k|kill-others kill-others-on-fail kill-signal= l|prefix-length= t|timestamp-format=
    p|prefix= m|max-processes= s|success= r|raw no-color hide= g|group timings P|passthrough-arguments i|handle-input
    default-input-target= restart-tries= restart-after= name-separator= teardown=shell pad-prefix shell= cwd=
  otherwise do texts
tool start-server-and-test server-test start-test
  options expect=
  otherwise do texts
tool hyperfine
  options w|warmup= m|min-runs= M|max-runs= r|runs= s|setup=shell p|prepare=shell c|cleanup=shell C|conclude=shell
    P|parameter-scan= D|parameter-step-size= L|parameter-list= S|shell= N i|ignore-failure=? style= sort= u|time-unit=
    export-json=write export-markdown=write export-csv=write export-asciidoc=write export-orgmode=write
    show-output output= input= reference=shell n|command-name= max-benchmarks=
  otherwise shell rest
tool gum
  style command
  options s|spinner= title= show-output show-error show-stdout show-stderr a|align= timeout= spinner.foreground=
    title.foreground=
  spin : run rest
  choose|confirm|filter|format|input|join|style|write|file|table|pager|log : quiet
  otherwise unknown
tool npm-run-all npm-run-all2 run-s run-p
  options s|serial|sequential p|parallel c|continue-on-error l|print-label n|print-name r|race max-parallel=
    npm-path= aggregate-output silent
  otherwise do scripts
tool nodemon ts-node-dev tsnd
  options e|ext= x|exec=shell w|watch= i|ignore= d|delay= s|signal= C|on-change-only L|legacy-watch V|verbose q|quiet
    config= cwd= r|require= P|project= T|transpile-only respawn inspect=? exitcrash ignore-watch= debounce= I|no-stdin
    exec-file= poll clear notify= deps rs exit-child cls
  --exec : quiet
  otherwise do node
tool forever
  options c|command= l|logFile=write o|outFile=write e|errFile=write m|max= p|path= s|silent w|watch d|debug a|append
    pidFile=write sourceDir= workingDir= minUptime= spinSleepTime= uid= id= killSignal= watchDirectory= watchIgnore=
    f|fifo v|verbose plain colors
  stop|stopall|list|logs|cleanlogs|columns|config|set|clear : quiet
  start|restart|restartall : do node
  otherwise do node
tool watchexec
  style posix
  options w|watch= W|watch-non-recursive= F|watch-file=read e|exts= i|ignore= f|filter= j|filter-prog= d|debounce=
    s|signal= stop-signal= stop-timeout= timeout= shell= E|env= workdir= delay-run= poll= ignore-file=read
    filter-file=read project-origin= fs-events= emit-events-to= map-signal= socket= o|on-busy-update= completions=
    c|clear=? r|restart n p|postpone q|quiet v|verbose no-vcs-ignore no-project-ignore no-global-ignore
    no-default-ignore no-discover-ignore ignore-nothing once exit-on-error wrap-process=? notify color= timings
    no-meta print-events only-emit-events N
  otherwise run rest
tool onchange
  options i|initial e|exclude= k|kill d|delay= j|jobs= a|add c|change u|unlink f|filter= p|poll= o|outpipe=shell
    await-write-finish= exclude-path= color no-exclude
  otherwise do behindDashes
tool chokidar
  options c|command=shell d|debounce= t|throttle= s|follow-symlinks i|ignore= p|polling poll-interval=
    poll-interval-binary= initial verbose silent concurrent
  otherwise quiet
tool reflex
  style posix
  options r|regex= R|inverse-regex= g|glob= G|inverse-glob= c|config=script d|decoration= s|start-service
    shutdown-timeout= only-files only-dirs sequential all substitute= v|verbose
  otherwise run rest
tool retry
  style posix
  options t|times|tries= d|delay= m|min= M|max= s|sleep= u|until= w|while= f|fail=shell e q v
  otherwise run rest
tool tini dumb-init
  style posix
  options p= e= r|rewrite= s g w v c|single-child
  otherwise run rest
tool air
  options c= build.cmd=shell build.bin=shell d
  #0 : exec "runs the project again and again"
  init : write ./.air.toml
  otherwise exec "runs the project again and again"
tool wait-on
  options c|config= d|delay= i|interval= l|log r|reverse s|simultaneous= t|timeout= tcpTimeout= httpTimeout= v|verbose
    w|window=
  otherwise quiet
`,
  {
    tmux({ rest }, emit) {
      for (const group of separated(rest)) tmuxCommand(group, emit);
    },
    typed({ rest: [text] }, emit) {
      if (text) emit.shell({ ...text, value: text.value?.replace(/\\n|\^M|\n$/g, "") }, "typed into a screen window");
    },
    pane({ given, rest }, emit) {
      const words = rest.filter((word, at) => word.value !== "--" || at > rest.findIndex((one) => one.value === "--"));
      const at = words.findIndex((word) => !word.value?.startsWith("-"));
      if (at >= 0) emit.run(words.slice(at), "zellij starts it", { cwd: given.value("cwd") });
    },
    texts({ call, rest }, emit) {
      for (const text of rest) {
        const script = /^(?:npm|pnpm|yarn|bun|node):(\S+)$/.exec(text.value ?? "")?.[1];
        if (script) runScript(literal(script), [], undefined, call, emit);
        else if (!/^https?:|^\d+$/.test(text.value ?? "")) emit.shell(text, `${call.name} runs it`);
      }
    },
    scripts({ call, rest }, emit) {
      for (const name of rest) {
        const pattern = name.value?.includes("*") ? name.value : undefined;
        const scripts = pattern ? scriptsOf(emit.projectFile(literal("package.json"))) : undefined;
        const fits = (text: string) =>
          new RegExp(`^${pattern!.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*")}$`).test(text);
        const names = scripts ? Object.keys(scripts).filter(fits).map(literal) : [name];
        // `npm-run-all "build -- --prod"`: the first word is the script.
        for (const one of names)
          runScript(one.value ? literal(one.value.split(/\s/)[0]!) : one, [], undefined, call, emit);
      }
    },
    node({ call, rest: [script, ...args] }, emit) {
      if (script) emit.script(script, `${call.name} runs it`, "node", args);
    },
    behindDashes({ call, rest }: Use, emit) {
      const at = call.args.findIndex((arg) => arg.value === "--");
      const words = at >= 0 ? call.args.slice(at + 1) : rest.slice(1);
      if (words.length) emit.run(words, `${call.name} runs it`);
    },
  },
);

/** Several tmux commands are separated by a word ";". */
function separated(words: readonly Arg[]): Arg[][] {
  const groups: Arg[][] = [[]];
  for (const word of words) {
    if (word.value === ";") groups.push([]);
    else groups.at(-1)!.push(word);
  }
  return groups.filter((group) => group.length > 0);
}

const starts = new Set(
  (
    "new new-session neww new-window splitw split-window respawn-pane respawnp respawn-window respawnw popup " +
    "display-popup"
  ).split(" "),
);
/** Sub-commands that show, arrange or set; what begins so. */
const arranges = new RegExp(
  `^(${[
    "list|ls|show|display|attach|at|a|detach|has|select|rename|resize|swap|move|join|break|last|next|prev|previous",
    "capture|set|bind|unbind|start|info|switch|copy-mode|clock|lock|refresh|rotate|choose|clear|paste|delete-buffer",
    "wait|link|unlink|find|command-prompt|confirm|suspend|server-access|save|load|customize|send-prefix",
  ].join("|")})`,
);
const keyNames = /^(Enter|C-[a-z]|Escape|Space|Tab|BSpace|Up|Down|Left|Right|KPEnter)$/i;
const paneSyntax = syntax("t= s= n= c= e= F= x= y= l= p= f= b= r= T= N= w= d D A P h v Z K k", { posix: true });
const keySyntax = syntax("t= N= l H R X M K F");

function tmuxCommand([verb, ...words]: Arg[], emit: Emit): void {
  const name = verb?.value ?? "";
  const given = parse(words, paneSyntax);
  if (starts.has(name)) {
    const cwd = given.value("c");
    if (given.operands.length) emit.shell(shellText(given.operands), `tmux ${name}`, cwd ? { cwd } : {});
  } else if (/^(run|run-shell|if|if-shell|pipe-pane|pipep)$/.test(name)) {
    const [text, ...commands] = given.operands;
    if (text) emit.shell(text, `tmux ${name}`);
    if (/^if/.test(name)) for (const command of commands) emit.unknown(`tmux runs its command ${command.source}`);
  } else if (/^(send|send-keys)$/.test(name)) {
    const keys = parse(words, keySyntax).operands.filter((word) => !keyNames.test(word.value ?? ""));
    if (keys.length) emit.shell(shellText(keys), "typed into a tmux pane");
  } else if (name === "kill-server") emit.hazard(hazard("session-kill-all", "tmux-kill-server"), "tmux kill-server");
  else if (/^(kill-session|kill-pane|kill-window|killp|killw)$/.test(name))
    emit.hazard(hazard("session-kill", `tmux-${name}`), `tmux ${name}`);
  else if (/^(source|source-file)$/.test(name))
    for (const file of given.operands) emit.unknown(`tmux reads commands from ${file.source}`);
  else if (!arranges.test(name)) emit.unknown(`no table knows what tmux ${verb?.source ?? ""} does`);
}
