// A turn does not end while edited code is not verified.
import type { Facts } from "../../../facts/index.js";
import { alternatives, lazyRegExp } from "../../../facts/lazy-pattern.js";
import { runnerOf } from "../../../facts/test-runners.js";
import { at, gate } from "../../../model/gate.js";
import { isMark } from "../../../model/kept-word.js";
import { inert } from "../../../model/text.js";
import { deny, note } from "../../../model/verdict.js";
import { failuresMemory } from "../breaker/failures-memory.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { taskMemory } from "../prompts/task-memory.js";
import { checkCommand } from "./check-command.js";
import { testCommand, testedFiles } from "./test-command.js";
import { workMemory } from "./work-memory.js";

export const verification = gate<undefined, DisciplineOptions>({
  id: "discipline/verification",
  title: "Edited code is verified before the turn ends",
  about:
    "Refuses the end of a turn in which code was edited and not verified since. A verification is a test " +
    "run whose own exit code or summary was seen, or a type check or build where the project has no tests " +
    "or where they passed earlier in the session, for a small task, or before a " +
    "push where there is CI. Documents, images, archives and CI files need none. A turn " +
    "that ends with a question to the user passes, and so does one that has built the project and tells the user " +
    "how to try it. If no test command is known, or a team's lead gave the work, the user is told instead; " +
    "while the breaker refuses changes, the turn may end.",
  remedy: "Run the command the message names, on its own, until it succeeds.",
  window: "From the edit to the next successful run; one turn's end is refused at most `maxStopBlocks` times.",
  reset: "A successful run, or the limit.",
  on: at("turn.end"),
  onError: "pass",
  judge({ event, facts, recall, project, config }) {
    const { unverified, runs, lastEditAt, editedNow, member, noTests } = recall(workMemory);
    const { tripped, half } = recall(failuresMemory);
    if (!unverified.length || !editedNow || event.turn?.backgroundTasks || (tripped && !half)) return;
    // The user is asked something: the work goes on after the answer, and so does what it needs.
    const message = event.turn?.lastMessage ?? "";
    if (handsOver(message)) return;
    // It builds, and the user is told how to look at it.
    if (runs.some((r) => r.ok === true && r.at >= lastEditAt) && showsHow(message)) return;
    // The project's tests say nothing about a file of another kind.
    const known = testCommand(project) !== undefined;
    const reached = config.verify.commands.length || !known ? unverified : testedFiles(project, unverified);
    // Where no file tells how the tests are run, a run of them does that passed here, or belongs to this prompt.
    const { promptAt } = recall(taskMemory);
    const earlier = known
      ? undefined
      : runs.findLast((r) => r.level === "test" && (r.ok === true || (promptAt > 0 && r.at >= promptAt)));
    const command =
      config.verify.commands[0] ??
      (noTests ? checkCommand(project, unverified[0]!) : undefined) ??
      testCommand(project, unverified) ??
      (earlier && onItsOwn(shownAgain(facts, earlier.command), earlier.runner));
    const listed = reached.length ? reached : unverified;
    const more = listed.length - 4;
    const files = `${listed.slice(0, 4).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    // Without a command there is no step that could be named.
    if (!reached.length || !command)
      return note(
        `Edited without verification: ${inert(files, 160)}. No test command is known; name one in ` +
          "interlock.yaml (packs.discipline.verify.commands).",
        "person",
      );
    // A member's work is its lead's to verify, with what the others have done: alone, its tests fail for their reasons.
    if (member)
      return note(`Edited without verification, for the team's lead to verify: ${inert(files, 160)}.`, "person");
    const last = runs.findLast((r) => r.at >= lastEditAt);
    const found = !last
      ? "nothing was run since"
      : last.ok === false
        ? `the last run failed (${last.runner}${last.failed ? `, ${last.failed} failed` : ""})`
        : (last.why ?? `${last.runner} is not enough proof here`);
    return deny({
      what: "the end of the turn",
      why: `edited since the last successful verification: ${files}; ${found}`,
      next:
        noTests && !checkCommand(project, unverified[0]!)
          ? `no test was found: write one and run it, or run the program that uses ${inert(listed[0]!, 80)}`
          : `run \`${inert(command, 160)}\` on its own; if it can't pass, say so to the user with its output`,
    });
  },
});

/** The words of a command that were kept; undefined once they are erased. */
function shownAgain({ kept, world }: Facts, command: string): string | undefined {
  return isMark(command) ? (kept.get(command) ?? world.word?.(command)) : command;
}

/** The part of a chain that runs the tests, with the `cd` before it, without a pipe that hides its exit code. */
function onItsOwn(command: string | undefined, runner: string): string | undefined {
  const parts = command === undefined ? [] : chainParts(command);
  const runs = (part: string) => {
    const [program = "", ...argv] = part.split(/\s+/);
    return part.includes(runner) || runnerOf({ program, argv })?.level === "test";
  };
  const known = parts.findLastIndex(runs);
  const named = known < 0 ? parts.findLastIndex((part) => /\btest|\bspec/i.test(part)) : known;
  const own = withoutPipe(parts[named] ?? parts[0] ?? "");
  const folder = parts.slice(0, Math.max(0, named)).findLast((part) => /^cd\s+\S+$/.test(part));
  return own ? `${folder ? `${folder} && ` : ""}${own}` : undefined;
}

/** The commands of a chain; what stands in quotes belongs to one of them. */
const chainParts = (command: string): string[] =>
  [...command.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\[^])*"|(?<!\|)\|(?!\|)|(?<!&)&(?!&)|[^'"|&;\n])+/g)].map(([part]) =>
    part.trim(),
  );

const withoutPipe = (part: string): string =>
  (/^(?:'[^']*'|"(?:[^"\\]|\\[^])*"|[^'"|])*/.exec(part)?.[0] ?? "").replace(/\s*2>&1\s*$/, "").trim();

const look = lazyRegExp(() =>
  alternatives(
    [
      String.raw`\byou can (?:now |quickly |also )*(?:run|test|try|check|open|start|visit)\b`,
      String.raw`\b(?:run|open|visit|start|reload|refresh)\b.{1,80}\bto (?:see|try|test|check)\b`,
    ],
    "i",
  ),
);

/** The last words tell the user how to see or try the work. */
const showsHow = (message: string): boolean =>
  look().test(
    message
      .trim()
      .slice(-300)
      .split(/\n\s*\n/)
      .at(-1) ?? "",
  );

const tryIt = lazyRegExp(() =>
  alternatives(
    [
      String.raw`\b(?:try|test|check|verify|confirm) (?:it|again|now|this|that|on your|[a-z]+ing)\b`,
      String.raw`\bgive it a (?:try|go|minute)\b|\blet me know\b|\bcan you (?:test|check|try|confirm)\b`,
      String.raw`\bready (?:for (?:you|manual|review|feedback)|to (?:commit|test|try))\b|\bwhenever you\b`,
      String.raw`\bwhen you(?:'re| are)(?: ready)?[.!]`,
      String.raw`\bbefore i (?:continue|go on|proceed)\b`,
      String.raw`\bplease (?:log|sign|try|test|check|open|run|re-?run|restart|reload|refresh` +
        "|verify|confirm|review|send" +
        String.raw`|paste|share|provide|tell|have|take|click|look)\b|\bwaiting for (?:you|your)\b`,
    ],
    "i",
  ),
);

/** A last sentence that asks for something in another language; loading all languages costs more than these words. */
const begs =
  /(?:ください|下さい|お願い|(?:です|ます|でしょう)か[。]?$|请|請|주세요|пожалуйста|por favor|\bbitte\b|s'il (?:te|vous))/iu;

/** A question to the user with numbered answers below it. */
function offersChoice(message: string): boolean {
  const option = /^\s*(?:\d{1,2}[.)]|[-*\u2022]|\(?[a-d][.)])\s+\S/u;
  const asks = "would you|do you|you(?:'d| would) (?:like|prefer)|should (?:i|we)|shall (?:i|we)|want me|next";
  const lines = message.trim().slice(-1_500).split("\n");
  let at = lines.length - 1;
  while (at >= 0 && (option.test(lines[at]!) || lines[at]!.trim() === "")) at--;
  return (
    at >= 0 &&
    at < lines.length - 1 &&
    /[?？]["')\]*_`:]*$/u.test(lines[at]!.trim()) &&
    new RegExp(String.raw`\b(?:${asks})\b[^?\uff1f]*[?\uff1f]`, "iu").test(lines[at]!)
  );
}

/** The last words ask the user something or give them the work to try: it goes on after their answer. */
export function handsOver(message: string): boolean {
  if (offersChoice(message)) return true;
  const end = message.trim().slice(-300);
  const last = end.split(/\n\s*\n/).at(-1) ?? "";
  return (
    /[?？؟]["')\]*_`]*$/u.test(end) || tryIt().test(last) || begs.test(last.split(/[.。!！]\s*(?=\S)|\n/u).at(-1)!)
  );
}
