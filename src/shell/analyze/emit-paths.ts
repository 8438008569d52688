// Path effects of one tool call, and what the files it writes hold afterwards.
// Invariant: a file written here is remembered with the programs its content comes from.
import { hazard } from "../../model/hazards.js";
import { showsNoValues } from "./hidden-values.js";
import { pathEffects } from "./path-effects.js";
import { resolvePath } from "./paths.js";
import type { Output, RunContext } from "./run-context.js";
import type { Arg, Emit, Invocation } from "./tool.js";
import type { Analyzer } from "./walk.js";

/** One tool call while it is followed. */
export interface EmittingCall {
  analyzer: Analyzer;
  context: RunContext;
  call: Invocation;
  /** Who does what is emitted now: the tool, unless a program it runs does it. */
  by: string | undefined;
  /** The project's own program that runs now: a file on disk, not a text of this command. */
  own?: { path: string; takesArguments: boolean };
  /** Where the running program and the file of it that is read now lie: its modules are looked for there. */
  folders?: readonly string[];
  /** The call exchanges data with another machine. */
  fetched: boolean;
}

/** Noted among the sources of a text: it names the files git sees as changed or new. */
export const changedNames = "changed files";

/** They change a file's name, time or rights, not its content. */
const keepContent = new Set("chmod chown chgrp touch setfacl xattr chattr gchmod gtouch".split(" "));
/** They copy a file as it is. */
const copyContent = new Set("cp mv install ln rsync gcp gmv".split(" "));

export function pathEmitter(state: EmittingCall): Pick<Emit, "read" | "write" | "delete" | "resolve"> {
  const { analyzer, context, call } = state;
  /** What the files hold that this call reads and that the same text wrote before. */
  let copied: Output | undefined;
  /** Of what is read here, only names or counts can be seen. */
  const hidden = () =>
    context.masked === true ||
    showsNoValues(
      call.name,
      call.args.map((arg) => arg.value),
    );
  const by = () => (state.by === undefined ? {} : { by: state.by });
  const resolve = (target: Arg) =>
    target.value === undefined ? undefined : resolvePath(context.scope.cwd, target.value);

  /** The file's content after the call has written it. */
  const contentOf = (path: string): Output => {
    const whole = copyContent.has(call.name);
    const typed = call.name === "tee" && call.stdin.kind === "text" ? call.stdin.text : undefined;
    const upstream = call.stdin.kind === "pipe" || call.stdin.kind === "text" ? (call.stdin.sources ?? []) : [];
    const kept = whole ? [] : (analyzer.written.get(path)?.from ?? []);
    const network = state.fetched ? ["network"] : [];
    return {
      text: whole ? copied?.text : typed,
      from: [...kept, ...(copied?.from ?? []), ...upstream, ...network, call.name],
    };
  };

  return {
    resolve,
    read(target, reason, extra) {
      // What this text wrote there itself is no secret.
      const ownText = analyzer.written.get(resolve(target) ?? "")?.text !== undefined;
      const how = ownText || hidden() ? { how: "use" as const } : {};
      pathEffects(analyzer, context, "read", target, reason, { ...by(), ...how, ...extra });
      const source = analyzer.written.get(resolve(target) ?? "");
      if (source) copied = copied ? { from: [...copied.from, ...source.from].slice(0, 16) } : source;
    },
    write(target, reason, extra) {
      pathEffects(analyzer, context, "write", target, reason, { ...by(), ...extra });
      const path = resolve(target);
      if (path !== undefined && !keepContent.has(call.name)) analyzer.remember(path, contentOf(path));
    },
    delete(target, reason, extra) {
      const changed = target.value === undefined && target.from?.includes(changedNames);
      const found = changed ? { hazard: hazard("delete-changed") } : {};
      pathEffects(analyzer, context, "delete", target, reason, { ...by(), ...found, ...extra });
    },
  };
}
