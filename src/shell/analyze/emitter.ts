// The Emit a tool gets: path words become effects, texts and words that will run are followed.
// Invariant: what can't be followed (not static, not readable, too deep) becomes `unknown`, with the reason.
import type { Command } from "unbash";
import type { CommitCall } from "../../model/commit-call.js";
import { type HazardId, hazardName, hazard as makeHazard } from "../../model/hazards.js";
import { scriptLanguage } from "../languages/by-name.js";
import { analyzeProgram } from "../languages/index.js";
import { isTransparent } from "../tools/transparent.js";
import { type EmittingCall, pathEmitter } from "./emit-paths.js";
import { fileContents } from "./file-contents.js";
import { decodes, downloads } from "./output-sources.js";
import { baseName, isInside, resolvePath } from "./paths.js";
import type { CallSite, RunContext } from "./run-context.js";
import { known, type ShellScope } from "./scope.js";
import type { Arg, Emit, Invocation, Language } from "./tool.js";
import { unpacker } from "./unpacking.js";
import type { Analyzer } from "./walk.js";

const deepest = 12;
/** Programs that take a password on standard input: it is used there, not shown. */
const takesPassword = new Set("docker podman nerdctl buildah helm skopeo crane oras".split(" "));

/** Secrets that a tool asks a store for, and prints. */
const isStoredSecret: ReadonlySet<HazardId> = new Set<HazardId>([
  "kubectl-secret",
  "kubeconfig",
  "cloud-credential",
  "service-token",
  "secret-read",
  "secret-decrypt",
  "password-read",
  "npm-token",
  "rclone-config",
  "app-settings",
]);

/** What a program does with the variables it was started with. */
const usesVariables: ReadonlySet<HazardId> = new Set<HazardId>(["env-secret", "env-dump"]);

/** Programs that pass on what they are given, so that it is seen in the end. */
const passesOn = new Set("cat tee jq yq base64 head tail grep sed awk tr cut sort rev xxd less more column".split(" "));

/** What the call prints reaches the agent. */
const isShown = ({ visible, ends, pipesTo, masked, remote }: RunContext): boolean =>
  remote === undefined && !masked && (visible || (ends === true && passesOn.has(pipesTo ?? "")));

export function emitter(analyzer: Analyzer, context: RunContext, call: Invocation, site: CallSite): Emit {
  const state: EmittingCall = { analyzer, context, call, by: call.name, fetched: false };
  const emit: Emit = {
    home: analyzer.options.home,
    ...pathEmitter(state),
    ...unpacker(state, () => emit),
    effect(effect) {
      state.fetched ||= effect.kind === "network";
      const { own } = state;
      // A program of the project may use its key where it sends it; where an argument names the place, nobody knows it.
      const placed = own && effect.kind === "network" && (effect.host !== undefined || !own.takesArguments);
      analyzer.effect(
        context,
        placed && effect.program === undefined ? { ...effect, program: own.path } : { ...effect },
      );
    },
    commitCall(commit) {
      if (context.remote !== undefined) return;
      const at = site.node && placeOf(site.node);
      analyzer.analysis.commitCalls.push(at ? { ...commit, at } : commit);
    },
    unknown: (reason, extra) => analyzer.effect(context, { kind: "unknown", reason, ...extra }),
    tooMuch: (reason) =>
      analyzer.effect(context, { kind: "unknown", reason, ...(!state.own && { hazard: programTooLong }) }),
    hazard(given, reason, extra) {
      // `aws ecr get-login-password | docker login --password-stdin`
      if (given.class === "credential-read" && takesPassword.has(context.pipesTo ?? "")) return;
      const argv = call.args.map((arg) => arg.value);
      const shown = isStoredSecret.has(given.id) && isShown(context);
      const hazard = shown ? makeHazard("secret-shown", hazardName(given)) : given;
      const program = state.own && usesVariables.has(given.id) ? state.own.path : call.name;
      analyzer.effect(context, { kind: "exec", reason, program, argv, hazard, ...extra });
    },
    projectFile(file, least) {
      const { text, pieces } = fileContents(analyzer, context, file);
      return text ?? (least && pieces);
    },
    projectFolders(folder) {
      const path = folder.value === undefined ? undefined : resolvePath(context.scope.cwd, folder.value);
      const { root, cwd, foldersIn } = analyzer.options;
      return path !== undefined && isInside(path, root ?? cwd) ? (foldersIn?.(path) ?? []) : [];
    },
    ...followers(state, site, () => emit),
  };
  return emit;
}

/** The words of the command in its text, without assignments in front and redirections behind. */
function placeOf(node: Command): CommitCall["at"] {
  const from = node.name!.pos;
  const to = node.args.at(-1)?.end ?? node.name!.end;
  const cuts: [number, number][] = [];
  for (const redirection of node.redirects) {
    if (redirection.type !== "HereDoc" && redirection.type !== "HereString") continue;
    if (redirection.pos >= to) cuts.push([redirection.pos, redirection.end]);
    if (redirection.type === "HereDoc")
      cuts.push([redirection.body.pos, redirection.closing?.end ?? redirection.body.end]);
  }
  return { from, to, cuts };
}

/** What runs because of the call: shell text, commands, scripts, programs of other languages, commands elsewhere. */
function followers(
  state: EmittingCall,
  site: CallSite,
  self: () => Emit,
): Pick<Emit, "shell" | "run" | "script" | "module" | "program" | "remote"> {
  const { analyzer, context, call } = state;
  const hidden = context.hidden || !isTransparent(call.name);
  const inner = (scope: ShellScope, ofScript = false): RunContext => ({
    ...context,
    scope,
    depth: context.depth + 1,
    hidden,
    ...(ofScript && { budget: context.budget.forScript() }),
  });
  const tooDeep = context.depth > deepest;

  const at = (cwd: Arg | undefined, scope: ShellScope): ShellScope => {
    if (cwd) scope.moveTo(cwd.value === undefined ? undefined : resolvePath(context.scope.cwd, cwd.value));
    return scope;
  };

  const follow = (text: Arg, language: Language): void => {
    if (analyzer.spend(context, 4 + ((text.value?.length ?? 0) >> 6))) return;
    const before = state.by;
    // awk and sed are filters with a program: what it writes is written by the tool.
    state.by = language === "awk" || language === "sed" ? call.name : undefined;
    analyzeProgram(text, language, self());
    state.by = before;
  };

  return {
    shell(text, reason, options) {
      if (text.value === undefined) {
        analyzer.unknown(context, `${reason}: the text is not static`, text.source);
        warnOrigin(text, self());
        return;
      }
      const scope = at(options?.cwd, context.scope.child(options?.positional?.slice(1) ?? []));
      if (options?.positional?.[0]) scope.set("0", { text: options.positional[0] });
      exportAll(scope, site.env);
      analyzer.step(context, text.value, "shell text", reason);
      const around = inner(scope, options?.ofProject);
      analyzer.text(text.value, options?.setting ? { ...around, setting: true } : around);
    },

    run(words, reason, options) {
      if (words.length === 0) return;
      if (tooDeep) {
        analyzer.unknown(context, "commands inside commands, nested too deeply");
        return;
      }
      const scope = at(options?.cwd, context.scope.fork());
      const env: Record<string, Arg | undefined> = Object.create(site.env);
      Object.assign(env, options?.env);
      const from = call.stdin.kind === "pipe" ? call.stdin.sources : undefined;
      const given = options?.extraArgs ? [...words, { source: "…", prefix: "", from }] : words;
      const source = given.map((word) => word.source).join(" ");
      analyzer.step(context, source, given[0]!.source, reason);
      const around: RunContext = {
        ...inner(scope),
        ...(options?.stdin && { stdin: options.stdin }),
        ...(options?.views && { views: [...(context.views ?? []), options.views] }),
      };
      analyzer.invoke(given, around, { env, own: options?.env !== undefined, source, external: true });
    },

    script(file, reason, language, args = []) {
      const { text, from, path } = fileContents(analyzer, context, file);
      if (text === undefined || tooDeep) {
        unreadable(state, file, from, path, reason, args, self());
        return;
      }
      const spoken = language === "other" ? scriptLanguage(text, path) : language;
      analyzer.step(context, file.source, `${spoken ?? "unknown"} script`, reason);
      if (spoken === "shell") {
        const scope = context.scope.child(args);
        exportAll(scope, site.env);
        scope.set("0", { text: file });
        const onDisk = path !== undefined && !analyzer.written.has(path);
        analyzer.text(text, { ...inner(scope, onDisk), hidden: true, conditional: context.conditional });
      } else if (spoken) {
        const { own, folders } = state;
        if (path !== undefined && !analyzer.written.has(path))
          state.own = { path, takesArguments: takesArguments(text) };
        if (path !== undefined) state.folders = [folderOf(path)];
        follow({ source: file.source, value: text, prefix: text }, spoken);
        state.own = own;
        state.folders = folders;
      } else analyzer.unknown(context, `${reason}: not a script this analysis reads`, file.source);
    },

    module(files, language) {
      const { modules } = analyzer;
      const folders = state.folders ?? (context.scope.cwd === undefined ? [] : [context.scope.cwd]);
      if (modules.size >= mostModules.count || folders.length > mostModules.depth) return undefined;
      if (analyzer.moduleText >= mostModules.text) return undefined;
      const found = moduleFile(analyzer, context, files, folders);
      if (!found || modules.has(found.path)) return found?.text;
      const { path, text } = found;
      modules.add(path);
      analyzer.moduleText += text.length;
      analyzer.step(context, path, `${language} module`, "the program loads it");
      const { own } = state;
      if (!analyzer.written.has(path))
        state.own = { path: own?.path ?? path, takesArguments: own?.takesArguments || takesArguments(text) };
      state.folders = [...folders, folderOf(path)];
      follow({ source: path, value: text, prefix: text }, language);
      state.own = own;
      state.folders = folders;
      return text;
    },

    program(text, reason, language) {
      analyzer.step(context, text.source, `${language} program`, reason);
      if (text.value === undefined) warnOrigin(text, self());
      // What the program fetched before is most likely what it evaluates.
      if (text.value === undefined && state.fetched && !state.own && !text.from?.length)
        analyzer.effect(context, { kind: "unknown", reason: "downloaded text is evaluated", hazard: remoteCode });
      follow(text, language);
    },

    remote(text, host, reason, options) {
      self().effect({ kind: "network", reason, program: call.name, host });
      if (text?.value === undefined) return;
      analyzer.step(context, text.value, `commands on ${host ?? "another machine"}`, reason);
      const scope = context.scope.child();
      const { cwd, home, contained, views } = options ?? {};
      scope.moveTo(cwd);
      if (home !== undefined) scope.set("HOME", { text: known(home), exported: true });
      analyzer.text(text.value, {
        ...inner(scope),
        remote: host ?? "another machine",
        ...(contained && { contained: true }),
        ...(views && { views: [...(context.views ?? []), views] }),
      });
    },
  };
}

/** Modules of one program that are followed, in all. */
const mostModules = { count: 24, text: 64 * 1024, depth: 8 };

const takesArguments = (text: string): boolean => /\bargv\b|\bARGV\b|argparse|parseArgs/.test(text);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** The file itself comes first, then the program that loads it: Python looks there for modules without a dot. */
function moduleFile(
  analyzer: Analyzer,
  context: RunContext,
  files: readonly string[],
  folders: readonly string[],
): { path: string; text: string } | undefined {
  for (const folder of new Set([folders.at(-1), folders[0]]))
    for (const file of files) {
      const path = folder === undefined ? undefined : resolvePath(folder, file);
      const text = path && fileContents(analyzer, context, { source: file, value: path, prefix: path }).text;
      if (path && text !== undefined) return { path, text };
    }
  return undefined;
}

const programTooLong = makeHazard("too-long-to-judge");
const decodedCode = makeHazard("decode-and-run");
const remoteCode = makeHazard("download-and-run");

/** Text that is not known here but comes from a download or a decoder. */
function warnOrigin({ from }: Arg, emit: Emit): void {
  if (from?.some(downloads)) emit.unknown("downloaded text is executed", { hazard: remoteCode });
  else if (from?.some(decodes)) emit.unknown("decoded text is executed", { hazard: decodedCode });
}

const compilers = new Set("go rustc gcc g++ cc c++ clang clang++ zig swiftc ghc nim crystal dmd".split(" "));
const isSource = (path: string): boolean => /\.(?:go|rs|c|cc|cpp|cxx|h|hpp|zig|swift|hs|nim|cr|d)$/.test(path);

/** A script whose text can't be had. */
function unreadable(
  { analyzer, context }: EmittingCall,
  file: Arg,
  from: readonly string[],
  path: string | undefined,
  reason: string,
  args: readonly Arg[],
  emit: Emit,
): void {
  if (from.some(downloads))
    return emit.unknown(`${reason}: a downloaded file`, { hazard: remoteCode, word: file.source });
  if (from.some(decodes)) return emit.unknown(`${reason}: a decoded text`, { hazard: decodedCode });
  const program = baseName(path ?? file.source);
  emit.effect({ kind: "exec", reason, program, argv: args.map((arg) => arg.value) });
  // As `go run` would: what a compiler has just made of the project's own sources.
  if (from.some((name) => compilers.has(name)) && ![...analyzer.written.keys()].some(isSource)) return;
  analyzer.unknown(context, `${reason}: its text can't be read`, file.source);
}

function exportAll(scope: ShellScope, env: Record<string, Arg | undefined>): void {
  for (const name of Object.keys(env)) {
    const arg = env[name];
    if (arg) scope.set(name, { text: arg, exported: true });
  }
}
