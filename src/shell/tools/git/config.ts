// git configuration: keys that make git run programs, and the `config` command that stores them.
// Invariant: a key that executes is followed or named; keys are compared without case, as git does.
import { type Hazard, hazard } from "../../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../../analyze/tool.js";
import { cut, literal } from "../../spec/options.js";
import { type Git, inRepository, options } from "./repo.js";

/** Keys whose value is a command line; `.+` stands for a name the user chose. */
const commandKeys = new RegExp(
  `^(${[
    "core\\.(pager|editor|sshcommand|gitproxy|askpass|alternaterefscommand|fsmonitor)|sequence\\.editor",
    "diff\\.external|diff\\..+\\.(command|textconv)|(diff|merge)tool\\..+\\.(cmd|path)|merge\\..+\\.driver",
    "filter\\..+\\.(clean|smudge|process)|gpg\\.program|gpg\\..+\\.(program|defaultkeycommand)",
    "uploadpack\\.packobjectshook|remote\\..+\\.(uploadpack|receivepack|vcs)",
    "sendemail\\.(sendmailcmd|tocmd|cccmd|headercmd|smtpserver)|(web|help)\\.browser|browser\\..+\\.(cmd|path)",
    "man\\..+\\.(cmd|path)|man\\.viewer|trailer\\..+\\.(command|cmd)|pager\\..+|interactive\\.difffilter|imap\\.tunnel",
    "tar\\..+\\.command|gc\\.recentobjectshook|lfs\\.(customtransfer\\..+\\.path|standalonetransferagent)",
    "lfs\\.extension\\..+\\.(clean|smudge)|credential\\.(.+\\.)?helper|submodule\\..+\\.update",
  ].join("|")})$`,
);
const isCommandKey = (key: string): boolean => commandKeys.test(key);
/** Keys that point git at other code, other hosts or weaker checks. */
const redirectKeys = new RegExp(
  `^(${[
    "core\\.(hookspath|worktree|bare|repositoryformatversion|attributesfile|excludesfile)|include(if\\..+)?\\.path",
    "init\\.templatedir|protocol\\.(.+\\.)?allow|url\\..+\\.(insteadof|pushinsteadof)",
    "http\\.(.+\\.)?(proxy|proxyauthmethod|sslverify|sslcainfo|sslcapath|sslversion|sslbackend|cookiefile)",
    "http\\.(.+\\.)?(extraheader|sslcert|sslkey)|remote\\..+\\.(url|proxy|pushurl)",
    "safe\\.(directory|barerepository)|trace2\\..+|transfer\\.fsckobjects|receive\\.deny.+|user\\.signingkey",
  ].join("|")})$`,
);
const isRedirectKey = (key: string): boolean => redirectKeys.test(key);
const flags = /^(true|false|yes|no|on|off|0|1|)$/i;

export const isExecutingKey = (setting: string): boolean => {
  const key = setting.split("=")[0]!.trim().toLowerCase();
  return isCommandKey(key) || key.startsWith("alias.");
};

/** `-c key=value` of one call: what git will run because of it. */
export function configured(settings: readonly Arg[], verb: string | undefined, emit: Emit): void {
  for (const setting of settings) {
    const text = setting.value ?? setting.prefix;
    const equals = text.indexOf("=");
    const key = (equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase();
    if (setting.value === undefined && equals < 0) {
      emit.unknown("git -c: the key is not static");
      continue;
    }
    const value = cut(setting, equals < 0 ? text.length : equals + 1);
    if (key === "core.hookspath" && verb !== undefined && !noPlace(value))
      emit.unknown(`git takes its hooks from ${value.source}`, {
        hazard: hazard(outside(value) ? "git-hooks-outside" : "git-hooks-inside"),
      });
    else if (/^include(if\..+)?\.path$/.test(key) && !noPlace(value))
      emit.unknown(`git reads more configuration from ${value.source}`, {
        hazard: hazard(passing(value) ? "git-include-temporary" : "git-include"),
      });
    else if (/^protocol\.(ext\.)?allow$/.test(key) && value.value !== "never")
      emit.unknown("git may run commands named in addresses", { hazard: hazard("git-protocol-ext") });
    else if (/^(remote\..+\.(push)?url|url\..+\.(push)?insteadof)$/.test(key) && /^ext::/.test(value.value ?? ""))
      emit.shell(cut(value, 5), `git configuration ${key} runs it`, { setting: true });
    else if (isCommandKey(key)) run(key, value, emit);
    else if (isRedirectKey(key) && verb !== undefined && /^(http\..*(sslverify|proxy)|url\.)/.test(key))
      emit.effect({
        kind: "network",
        program: "git",
        reason: `${key} changes where git connects`,
        hazard: hazard("git-redirect"),
      });
  }
}

function run(key: string, value: Arg, emit: Emit): void {
  if (flags.test(value.value ?? "x")) return;
  if (key.endsWith("helper")) {
    if (/^(cache|store|osxkeychain|manager(-core)?|libsecret|wincred|gh)\b/.test(value.value ?? "")) return;
    if (value.value?.startsWith("!"))
      return emit.shell(cut(value, 1), `git configuration ${key} runs it`, { setting: true });
  }
  const text = value.value?.startsWith("!") ? cut(value, 1) : value;
  const program = text.value?.trim().split(/\s+/)[0] ?? "";
  if (/\//.test(program) && !/^(\/usr(\/local)?)?\/s?bin\//.test(program))
    emit.unknown(`git configuration ${key} runs ${program}`, { hazard: hazard("git-config-exec") });
  emit.shell(text, `git configuration ${key} runs it`, { setting: true });
}

const noPlace = (value: Arg): boolean => value.value === "" || value.value === "/dev/null";
/** A place anybody may write to. */
const passing = (value: Arg): boolean => /^(\/private)?\/(tmp|var\/tmp|dev\/shm)\//.test(value.value ?? value.prefix);
const outside = (value: Arg): boolean => value.value === undefined || /^(\/|~|\.\.)/.test(value.value);

const skippers: Record<string, RegExp> = {
  HUSKY: /^0$/,
  HUSKY_SKIP_HOOKS: /^(1|true)$/,
  LEFTHOOK: /^(0|false)$/,
  SKIP: /./,
  PRE_COMMIT_ALLOW_NO_CONFIG: /^1$/,
  OVERCOMMIT_DISABLE: /./,
};

/** Hooks are by-passed for this call by configuration or environment. */
export function noHooks(call: Invocation, settings: readonly Arg[]): boolean {
  for (const [name, value] of Object.entries(skippers))
    if (Object.hasOwn(call.env, name) && value.test(call.env[name]?.value ?? "")) return true;
  return settings.some((setting) =>
    /^(core\.hookspath|include\.path|commit\.verify)=/i.test(setting.value ?? setting.prefix),
  );
}

/** `git config`: reading is harmless, storing a key that executes is not. */
export function config(git: Git): void {
  const { emit } = git;
  const given = options(
    git,
    "f|file= blob= type= t= default= comment= value= url= global system local worktree get get-all get-regexp",
    "get-urlmatch get-color get-colorbool l|list e|edit unset unset-all add replace-all remove-section",
    "rename-section",
    "z|null name-only show-origin show-scope includes no-includes bool int bool-or-int path expiry-date fixed-value",
    "all",
    "regexp append",
  );
  let words = given.operands;
  let mode = given.has("edit")
    ? "edit"
    : given.has("unset", "unset-all", "remove-section", "rename-section")
      ? "unset"
      : "";
  if (/^(get|list|set|unset|edit|rename-section|remove-section|get-color|get-colorbool)$/.test(words[0]?.value ?? "")) {
    mode = words[0]!.value!;
    words = words.slice(1);
  }
  if (
    given.has("list", "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool") ||
    /^(get|list)/.test(mode)
  )
    return;
  const [key, value] = words[0]?.value?.includes("=") && !words[1] ? split(words[0]) : words;
  if (mode === "" && key && !value) return;
  if (!key && mode !== "edit") return;
  const place = given.value("file") ?? scopeFile(git, given.has("global"), given.has("system"));
  const hazard = key && mode !== "unset" ? storedHazard(key, value) : undefined;
  emit.write(place, `git config changes ${key?.source ?? "the configuration"}`, {
    how: "git-config",
    ...(hazard && { hazard }),
  });
  if (mode === "edit") return;
  const name = key?.value?.toLowerCase();
  if (name?.startsWith("alias.") && value?.value !== undefined) git.call.notes?.set(`git ${name}`, value.value);
  if (value && name && (isCommandKey(name) || name.startsWith("alias.")) && value.value?.startsWith("!"))
    emit.shell(cut(value, 1), `stored as ${key!.value}, git will run it`);
}

const split = (word: Arg): Arg[] => {
  const at = word.value!.indexOf("=");
  return [literal(word.value!.slice(0, at)), cut(word, at + 1)];
};

function scopeFile(git: Git, global: boolean, system: boolean): Arg {
  if (system) return literal("/etc/gitconfig");
  if (global) return git.call.home ? literal(`${git.call.home}/.gitconfig`) : { source: "~/.gitconfig", prefix: "" };
  return git.gitDirectory
    ? { ...git.gitDirectory, value: git.gitDirectory.value && `${git.gitDirectory.value}/config` }
    : inRepository(git, literal(".git/config"));
}

function storedHazard(key: Arg, value: Arg | undefined): Hazard | undefined {
  const name = key.value?.toLowerCase();
  if (name === undefined) return hazard("git-config-unknown-key");
  if (name.startsWith("alias.")) return undefined;
  if (name === "core.hookspath") {
    if (noPlace(value ?? key)) return hazard("hooks-path");
    return hazard(value && outside(value) ? "git-hooks-path-outside" : "git-hooks-path-inside");
  }
  if (/^credential\..*helper$|^credential\.helper$/.test(name))
    return hazard(ownHelper(value) ? "git-credential-helper" : "git-credential-helper-foreign");
  if (isCommandKey(name)) {
    if (flags.test(value?.value ?? "x")) return undefined;
    return hazard(plainTool(value) ? "git-config-exec-plain" : "git-config-exec-stored");
  }
  // The repository no longer finds its work tree, or cannot be read at all.
  if (/^core\.(bare|worktree|repositoryformatversion)$/.test(name))
    return /^(false|no|off|0|1|)$/i.test(value?.value ?? "x") ? undefined : hazard("git-config-corrupts");
  if (/^protocol\.(ext\.)?allow$/.test(name) && value?.value !== "never") return hazard("git-protocol-ext-stored");
  if (/^include(if\..+)?\.path$/.test(name) && value && passing(value)) return hazard("git-include-stored");
  return isRedirectKey(name) ? hazard("git-config-redirect") : undefined;
}

/** Helpers people know, as git would find or run them. */
const ownHelpers = new RegExp(
  `^(${[
    "|cache\\b.*|store\\b.*|osxkeychain|manager(-core)?|libsecret|wincred|netrc|pass|gh",
    "!?(\\S*/bin/)?(gh|glab|aws|gcloud|az|git-credential-[\\w-]+|doctl|hub|codecommit)\\b.*",
    "/usr/\\S*git-credential-\\S+",
  ].join("|")})$`,
);
const ownHelper = (value: Arg | undefined): boolean => ownHelpers.test(value?.value ?? "");

const plainTools = new RegExp(
  `^(${[
    "cat|less|more|delta|diff-so-fancy.*|bat|most|vi|vim|nvim|nano|emacs|code( .*)?|true|gpg2?|ssh( -.*)?|git-lfs.*",
  ].join("|")})$`,
);
const plainTool = (value: Arg | undefined): boolean => plainTools.test(value?.value ?? "");
