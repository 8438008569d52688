// A `git commit` as it was written, so that the same commit can be offered with another message.
// Invariant: what could not be resolved is kept as it was written; nothing is dropped but what makes the message.
import type { CommitCall } from "../../../model/commit-call.js";
import type { CommitHow } from "../../../model/effect.js";
import { shellQuote } from "../../../model/shell-quote.js";
import type { Arg } from "../../analyze/tool.js";
import type { Parsed } from "../../spec/options.js";
import { type Git, inRepository, repository } from "./repo.js";

const makesMessage = new Set([
  ...["message", "file", "template", "reuse-message", "reedit-message", "edit", "no-edit", "trailer"],
]);

/** Editors that leave the message as it is. */
const keepsText = /^(?:\S*\/)?(?:true|:|cat)$/;

export function commitCall(
  git: Git,
  given: Parsed,
  how: CommitHow | undefined,
  message: string | undefined,
): CommitCall {
  const call: CommitCall = { repo: repository(git), head: head(git), options: [], operands: [] };
  if (how) call.how = how;
  for (const item of given.order) {
    if ("operand" in item) call.operands.push(quoted(item.operand));
    else if (!makesMessage.has(item.option.name)) call.options.push(optionText(item.option.name, item.option.value));
  }
  const written = given.options.filter(({ name, value }) => value && (name === "message" || name === "trailer"));
  if (given.has("message")) call.messageWords = written.map(({ name, value }) => asWritten(name, value!));
  if (message !== undefined) call.message = message;
  else unknownMessage(git, given, how, call);
  return call;
}

function unknownMessage(git: Git, given: Parsed, how: CommitHow | undefined, call: CommitCall): void {
  const words = given.options.filter(({ name, value }) => value && (name === "message" || name === "trailer"));
  const trailers = given.values("trailer").flatMap((t) => t.value?.replace(/^([\w-]+)\s*[=:]\s*/, "$1: ") ?? []);
  const opens = opensEditor(git, given);
  const reused = given.value("reuse-message", "reedit-message");
  const [file] = given.values("file");
  if (how === "fixup" || how === "squash") call.message = `${how}! `;
  else if (given.has("message")) {
    call.partial = words.map(({ value }) => value!.value ?? fixedText(value!)).join("\n\n");
    call.unknown = words.some(({ value }) => value!.value === undefined) || !opens ? "word" : "editor";
  } else if (file) {
    call.unknown = file.value === "-" || file.value === "/dev/stdin" ? "input" : "file";
    if (call.unknown === "file") call.file = git.emit.resolve(inRepository(git, file));
  } else if ((reused?.value !== undefined || how === "amend") && !opens) {
    call.unknown = "reused";
    call.reused = reused?.value ?? "HEAD";
  } else call.unknown = "editor";
  if (trailers.length) call.trailers = trailers;
}

function opensEditor(git: Git, given: Parsed): boolean {
  const editor =
    git.call.env["GIT_EDITOR"]?.value ??
    git.settings.findLast((s) => /^core\.editor=/i.test(s.value ?? ""))?.value?.replace(/^[^=]*=/, "");
  if (editor !== undefined && keepsText.test(editor.trim())) return false;
  const last = given.options.findLast(({ name }) => name === "edit" || name === "no-edit");
  if (last) return last.name === "edit";
  return !given.has("message", "file", "reuse-message");
}

/** A word that is not static, as it stands in the command: its fixed lines can still be read. */
const fixedText = (word: Arg): string => word.source.replace(/^"|"$/g, "");

const quoted = (word: Arg): string => (word.value === undefined || word.glob ? word.source : shellQuote(word.value));

/** An option glued to its value is one word. */
const asWritten = (name: string, { source }: Arg): string =>
  source.startsWith("-") ? source : `${name === "message" ? "-m" : `--${name}`} ${source}`;

function optionText(name: string, value: Arg | undefined): string {
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  if (!value) return dashed;
  return name.length === 1 ? `${dashed} ${quoted(value)}` : `${dashed}=${quoted(value)}`;
}

/** `git -C there -c key=value commit`. */
function head(git: Git): string {
  const { directory, gitDirectory, settings } = git;
  const place = gitDirectory
    ? [`--git-dir=${quoted(gitDirectory)}`, `--work-tree=${quoted(directory)}`]
    : directory.value === "."
      ? []
      : ["-C", quoted(directory)];
  const name = /^git-/.test(git.call.name) ? "git" : quoted(git.call.command);
  return [name, ...place, ...settings.flatMap((s) => ["-c", quoted(s)]), "commit"].join(" ");
}
