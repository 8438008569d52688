// The Emit a tool family gets: path words become effects, texts and words that will run are followed.
// Invariant: what can't be followed (not static, not readable, too deep) becomes `unknown`, with the reason.
import { lowerProgram } from "../languages/index.js";
import { isTransparent } from "../tools/transparent.js";
import { decodes, downloads } from "./output-sources.js";
import { pathEffects } from "./path-effects.js";
import { baseName, isInside, resolvePath } from "./paths.js";
import { known, type Scope } from "./scope.js";
import type { Arg, Emit, Invocation, Language } from "./tool.js";
import type { Analyzer, CallSite, RunContext } from "./walk.js";

const largestScript = 64 * 1024;
const takesPassword = /^(docker|podman|nerdctl|buildah|helm|skopeo|crane|oras)$/;

export function emitter(analyzer: Analyzer, context: RunContext, call: Invocation, site: CallSite): Emit {
  const hidden = context.hidden || !isTransparent(call.name);
  const inner = (scope: Scope): RunContext => ({ ...context, scope, depth: context.depth + 1, hidden });
  /** What the files hold that this call reads and that the same text wrote before. */
  let copied: { text?: string; from: string[] } | undefined;
  /** The call exchanges data with another machine. */
  let fetched = false;
  const tooDeep = context.depth > 12;
  /** Who does what is emitted now: the tool, unless a program it runs does it. */
  let by: string | undefined = call.name;
  const follow = (text: Arg, language: Language): void => {
    by = language === "awk" || language === "sed" ? call.name : undefined;
    lowerProgram(text, language, emit);
    by = call.name;
  };

  const at = (cwd: Arg | undefined, scope: Scope): Scope => {
    if (cwd) scope.moveTo(cwd.value === undefined ? undefined : resolvePath(context.scope.cwd, cwd.value));
    return scope;
  };

  /** The text of a file below the project, or one this very command wrote. */
  const contents = (file: Arg): { text?: string; from: string[]; path?: string } => {
    const path = file.value === undefined ? undefined : resolvePath(context.scope.cwd, file.value);
    if (file.process) return { text: file.process.text, from: file.process.from };
    if (path === undefined) return { from: [] };
    const number = /^\/(?:dev\/fd|proc\/(?:self|thread-self)\/fd)\/(\d+)$/.exec(path)?.[1];
    const opened = number === undefined ? undefined : context.scope.descriptor(number)?.input;
    if (opened) return opened;
    const written = analyzer.written.get(path);
    if (written) return { ...written, path };
    const root = analyzer.options.root ?? analyzer.options.cwd;
    if (!isInside(path, root) && path !== `${analyzer.options.home}/.gitconfig`) return { from: [], path };
    const text = analyzer.options.readFile?.(path);
    return { text: text !== undefined && text.length <= largestScript ? text : undefined, from: [], path };
  };

  const emit: Emit = {
    home: analyzer.options.home,
    read(target, reason, extra) {
      pathEffects(analyzer, context, "read", target, reason, { ...(by && { by }), ...extra });
      const source = analyzer.written.get(emit.resolve(target) ?? "");
      if (source) copied = copied ? { from: [...copied.from, ...source.from].slice(0, 16) } : source;
    },
    write(target, reason, extra) {
      pathEffects(analyzer, context, "write", target, reason, { ...(by && { by }), ...extra });
      const path = emit.resolve(target);
      if (path === undefined) return;
      if (/^(chmod|chown|chgrp|touch|setfacl|xattr|chattr|gchmod|gtouch)$/.test(call.name)) return;
      const whole = /^(cp|mv|install|ln|rsync|gcp|gmv)$/.test(call.name);
      const text = whole
        ? copied?.text
        : call.name === "tee" && call.stdin.kind === "text"
          ? call.stdin.text
          : undefined;
      const upstream = call.stdin.kind === "pipe" || call.stdin.kind === "text" ? (call.stdin.sources ?? []) : [];
      const kept = whole ? [] : (analyzer.written.get(path)?.from ?? []);
      analyzer.remember(path, {
        text,
        from: [...kept, ...(copied?.from ?? []), ...upstream, ...(fetched ? ["network"] : []), call.name],
      });
    },
    delete: (target, reason, extra) =>
      pathEffects(analyzer, context, "delete", target, reason, { ...(by && { by }), ...extra }),
    effect(effect) {
      fetched ||= effect.kind === "network";
      analyzer.effect(context, { ...effect });
    },
    unknown: (reason, extra) => analyzer.effect(context, { kind: "unknown", reason, ...extra }),
    hazard: (hazard, reason, extra) => {
      // `aws ecr get-login-password | docker login --password-stdin`: used, not shown.
      if (hazard.class === "credential-read" && takesPassword.test(context.pipesTo ?? "")) return;
      analyzer.effect(context, {
        kind: "exec",
        reason,
        program: call.name,
        argv: call.args.map((arg) => arg.value),
        hazard,
        ...extra,
      });
    },
    shell(text, reason, options) {
      if (text.value === undefined) {
        analyzer.unknown(context, `${reason}: the text is not static`, text.source);
        if (text.from?.some(downloads)) emit.unknown("downloaded text is executed", { hazard: remoteCode });
        else if (text.from?.some(decodes)) emit.unknown("decoded text is executed", { hazard: decodedCode });
        return;
      }
      const scope = at(options?.cwd, context.scope.child(options?.positional?.slice(1) ?? []));
      if (options?.positional?.[0]) scope.set("0", { text: options.positional[0] });
      exportAll(scope, site.env);
      analyzer.step(context, text.value, "shell text", reason);
      analyzer.text(text.value, options?.setting ? { ...inner(scope), setting: true } : inner(scope));
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
      const given = options?.extraArgs
        ? [...words, { source: "…", prefix: "", from: call.stdin.kind === "pipe" ? call.stdin.sources : undefined }]
        : words;
      analyzer.step(context, given.map((word) => word.source).join(" "), given[0]!.source, reason);
      analyzer.invoke(
        given,
        {
          ...inner(scope),
          ...(options?.stdin && { stdin: options.stdin }),
          ...(options?.views && { views: [...(context.views ?? []), options.views] }),
        },
        {
          env,
          own: options?.env !== undefined,
          source: given.map((word) => word.source).join(" "),
          external: true,
        },
      );
    },
    script(file, reason, language, args = []) {
      const { text, from, path } = contents(file);
      if (text === undefined || tooDeep) {
        if (from.some(downloads))
          emit.unknown(`${reason}: a downloaded file`, { hazard: remoteCode, word: file.source });
        else if (from.some(decodes)) emit.unknown(`${reason}: a decoded text`, { hazard: decodedCode });
        else {
          emit.effect({
            kind: "exec",
            reason,
            program: baseName(path ?? file.source),
            argv: args.map((arg) => arg.value),
          });
          analyzer.unknown(context, `${reason}: its text can't be read`, file.source);
        }
        return;
      }
      const spoken = language === "other" || language === "shell" ? languageOf(text, path, language) : language;
      analyzer.step(context, file.source, `${spoken ?? "unknown"} script`, reason);
      if (spoken === "shell") {
        const scope = context.scope.child(args);
        exportAll(scope, site.env);
        scope.set("0", { text: file });
        analyzer.text(text, { ...inner(scope), hidden: true, conditional: context.conditional });
      } else if (spoken) follow({ source: file.source, value: text, prefix: text }, spoken);
      else analyzer.unknown(context, `${reason}: not a script this analysis reads`, file.source);
    },
    program(text, reason, language) {
      analyzer.step(context, text.source, `${language} program`, reason);
      if (text.value === undefined && text.from?.some(downloads))
        emit.unknown("downloaded text is executed", { hazard: remoteCode });
      else if (text.value === undefined && text.from?.some(decodes))
        emit.unknown("decoded text is executed", { hazard: decodedCode });
      follow(text, language);
    },
    remote(text, host, reason, options) {
      emit.effect({ kind: "network", reason, program: call.name, host });
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
    projectFile: (file) => contents(file).text,
    resolve: (target) => (target.value === undefined ? undefined : resolvePath(context.scope.cwd, target.value)),
  };
  return emit;
}

const decodedCode = { class: "remote-code", level: 3, id: "decode-and-run" } as const;
const remoteCode = { class: "remote-code", level: 3, id: "download-and-run" } as const;

function exportAll(scope: Scope, env: Record<string, Arg | undefined>): void {
  for (const name of Object.keys(env)) {
    const arg = env[name];
    if (arg) scope.set(name, { text: arg, exported: true });
  }
}

function languageOf(text: string, path: string | undefined, given: "shell" | "other"): "shell" | Language | undefined {
  const shebang = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*\/)?([a-z]+)/.exec(text)?.[1];
  if (given === "shell") return "shell";
  if (shebang) return interpreters[shebang];
  const extension = /\.([a-z]+)$/i.exec(path ?? "")?.[1]?.toLowerCase();
  if (extension && extensions[extension]) return extensions[extension];
  // Without a shebang the calling shell runs the file itself; binaries carry bytes no script has.
  return text.includes("\0") || text.includes("\ufffd") ? undefined : "shell";
}

const interpreters: Record<string, "shell" | Language> = {
  sh: "shell",
  bash: "shell",
  dash: "shell",
  ash: "shell",
  ksh: "shell",
  zsh: "shell",
  python: "python",
  node: "node",
  deno: "node",
  bun: "node",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  awk: "awk",
  gawk: "awk",
  sed: "sed",
  pwsh: "powershell",
};
const extensions: Record<string, "shell" | Language> = {
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  py: "python",
  js: "node",
  mjs: "node",
  cjs: "node",
  ts: "node",
  rb: "ruby",
  pl: "perl",
  php: "php",
  awk: "awk",
  ps1: "powershell",
};
