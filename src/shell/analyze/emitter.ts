// The Emit a tool family gets: path words become effects, texts and words that will run are followed.
// Invariant: what can't be followed (not static, not readable, too deep) becomes `unknown`, with the reason.
import { hazard } from "../../model/hazards.js";
import { lowerProgram } from "../languages/index.js";
import { isTransparent } from "../tools/transparent.js";
import { decodes, downloads } from "./output-sources.js";
import { pathEffects } from "./path-effects.js";
import { baseName, isInside, resolvePath } from "./paths.js";
import { known, type Scope } from "./scope.js";
import { type Around, invoke } from "./simple-command.js";
import type { Arg, Emit, Invocation, Language } from "./tool.js";
import type { Frame, Lowering } from "./walk.js";

const largestScript = 64 * 1024;
const takesPassword = /^(docker|podman|nerdctl|buildah|helm|skopeo|crane|oras)$/;

export function emitter(lowering: Lowering, frame: Frame, call: Invocation, around: Around): Emit {
  const hidden = frame.hidden || !isTransparent(call.name);
  const inner = (scope: Scope): Frame => ({ ...frame, scope, depth: frame.depth + 1, hidden });
  /** What the files hold that this call reads and that the same text wrote before. */
  let copied: { text?: string; from: string[] } | undefined;
  /** The call exchanges data with another machine. */
  let fetched = false;
  const tooDeep = frame.depth > 12;

  const at = (cwd: Arg | undefined, scope: Scope): Scope => {
    if (cwd) scope.moveTo(cwd.value === undefined ? undefined : resolvePath(frame.scope.cwd, cwd.value));
    return scope;
  };

  /** The text of a file below the project, or one this very command wrote. */
  const contents = (file: Arg): { text?: string; from: string[]; path?: string } => {
    const path = file.value === undefined ? undefined : resolvePath(frame.scope.cwd, file.value);
    if (file.process) return { text: file.process.text, from: file.process.from };
    if (path === undefined) return { from: [] };
    const number = /^\/(?:dev\/fd|proc\/(?:self|thread-self)\/fd)\/(\d+)$/.exec(path)?.[1];
    const opened = number === undefined ? undefined : frame.scope.descriptor(number)?.input;
    if (opened) return opened;
    const written = lowering.written.get(path);
    if (written) return { ...written, path };
    const root = lowering.context.root ?? lowering.context.cwd;
    if (!isInside(path, root) && path !== `${lowering.context.home}/.gitconfig`) return { from: [], path };
    const text = lowering.context.readFile?.(path);
    return { text: text !== undefined && text.length <= largestScript ? text : undefined, from: [], path };
  };

  const emit: Emit = {
    home: lowering.context.home,
    read(target, reason, extra) {
      pathEffects(lowering, frame, "read", target, reason, extra);
      const source = lowering.written.get(emit.resolve(target) ?? "");
      if (source) copied = copied ? { from: [...copied.from, ...source.from].slice(0, 16) } : source;
    },
    write(target, reason, extra) {
      pathEffects(lowering, frame, "write", target, reason, extra);
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
      const kept = whole ? [] : (lowering.written.get(path)?.from ?? []);
      lowering.remember(path, {
        text,
        from: [...kept, ...(copied?.from ?? []), ...upstream, ...(fetched ? ["network"] : []), call.name],
      });
    },
    delete: (target, reason, extra) => pathEffects(lowering, frame, "delete", target, reason, extra),
    effect(effect) {
      fetched ||= effect.kind === "network";
      lowering.effect(frame, { ...effect });
    },
    unknown: (reason, extra) => lowering.effect(frame, { kind: "unknown", reason, ...extra }),
    hazard: (hazard, reason, extra) => {
      // `aws ecr get-login-password | docker login --password-stdin`: used, not shown.
      if (hazard.class === "credential-read" && takesPassword.test(frame.pipesTo ?? "")) return;
      lowering.effect(frame, {
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
        lowering.unknown(frame, `${reason}: the text is not static`, text.source);
        if (text.from?.some(downloads)) emit.unknown("downloaded text is executed", { hazard: remoteCode });
        else if (text.from?.some(decodes)) emit.unknown("decoded text is executed", { hazard: decodedCode });
        return;
      }
      const scope = at(options?.cwd, frame.scope.child(options?.positional?.slice(1) ?? []));
      if (options?.positional?.[0]) scope.set("0", { text: options.positional[0] });
      exportAll(scope, around.env);
      lowering.step(frame, text.value, "shell text", reason);
      lowering.text(text.value, options?.setting ? { ...inner(scope), setting: true } : inner(scope));
    },
    run(words, reason, options) {
      if (words.length === 0) return;
      if (tooDeep) {
        lowering.unknown(frame, "commands inside commands, nested too deeply");
        return;
      }
      const scope = at(options?.cwd, frame.scope.fork());
      const env: Record<string, Arg | undefined> = Object.create(around.env);
      Object.assign(env, options?.env);
      const given = options?.extraArgs
        ? [...words, { source: "…", prefix: "", from: call.stdin.kind === "pipe" ? call.stdin.sources : undefined }]
        : words;
      lowering.step(frame, given.map((word) => word.source).join(" "), given[0]!.source, reason);
      invoke(
        lowering,
        given,
        {
          ...inner(scope),
          ...(options?.stdin && { stdin: options.stdin }),
          ...(options?.views && { views: [...(frame.views ?? []), options.views] }),
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
          emit.unknown(`${reason}: a downloaded file`, { hazard: remoteCode, word: file.source } as object);
        else if (from.some(decodes)) emit.unknown(`${reason}: a decoded text`, { hazard: decodedCode });
        else {
          emit.effect({
            kind: "exec",
            reason,
            program: baseName(path ?? file.source),
            argv: args.map((arg) => arg.value),
          });
          lowering.unknown(frame, `${reason}: its text can't be read`, file.source);
        }
        return;
      }
      const spoken = language === "other" || language === "shell" ? languageOf(text, path, language) : language;
      lowering.step(frame, file.source, `${spoken ?? "unknown"} script`, reason);
      if (spoken === "shell") {
        const scope = frame.scope.child(args);
        exportAll(scope, around.env);
        scope.set("0", { text: file });
        lowering.text(text, { ...inner(scope), hidden: true, conditional: frame.conditional });
      } else if (spoken) lowerProgram({ source: file.source, value: text, prefix: text }, spoken, emit);
      else lowering.unknown(frame, `${reason}: not a script this analysis reads`, file.source);
    },
    program(text, reason, language) {
      lowering.step(frame, text.source, `${language} program`, reason);
      if (text.value === undefined && text.from?.some(downloads))
        emit.unknown("downloaded text is executed", { hazard: remoteCode });
      else if (text.value === undefined && text.from?.some(decodes))
        emit.unknown("decoded text is executed", { hazard: decodedCode });
      lowerProgram(text, language, emit);
    },
    remote(text, host, reason, options) {
      emit.effect({ kind: "network", reason, program: call.name, host });
      if (text?.value === undefined) return;
      lowering.step(frame, text.value, `commands on ${host ?? "another machine"}`, reason);
      const scope = frame.scope.child();
      const { cwd, home, contained, views } = options ?? {};
      scope.moveTo(cwd);
      if (home !== undefined) scope.set("HOME", { text: known(home), exported: true });
      lowering.text(text.value, {
        ...inner(scope),
        remote: host ?? "another machine",
        ...(contained && { contained: true }),
        ...(views && { views: [...(frame.views ?? []), views] }),
      });
    },
    projectFile: (file) => contents(file).text,
    resolve: (target) => (target.value === undefined ? undefined : resolvePath(frame.scope.cwd, target.value)),
  };
  return emit;
}

const decodedCode = hazard("decode-and-run");
const remoteCode = hazard("download-and-run");

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
