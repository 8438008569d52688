// How people ask in English: the word lists behind kind.ts and signs.ts, and examples that are their test.
// Invariant: data only. A prompt that no list knows is a task.
import { alternatives, lazyPattern, setOf } from "../../lazy-pattern.js";
import type { LanguageExamples, PromptLanguage } from "./language.js";

/** English verbs that ask for a change, base form. */
export const actionVerbs = setOf(`
  fix repair resolve debug patch correct add create implement build rebuild refactor update upgrade downgrade change
  modify
  delete remove drop move rename write rewrite make generate set setup configure install uninstall migrate convert
  port replace revert undo commit push merge deploy release publish ship edit extend extract split clean format lint
  optimize optimise improve simplify bump enable disable wire hook integrate overhaul redesign restructure reorganize
  reorganise apply run execute start stop kill restart test finish complete continue handle support introduce
  translate tidy insert append prepend swap switch turn put save store import export mock stub deprecate rip bring
  hardcode inline hoist sort dedupe deduplicate stage squash rebase cherry-pick tag bypass ignore skip silence
  overwrite wipe purge reset truncate encrypt decrypt wrap unwrap increase decrease reduce raise lower`);

/** Verbs that ask for words, not for changes. */
export const talkVerbs = setOf(`
  explain tell describe show list say clarify summarize summarise recommend suggest compare discuss elaborate answer
  help think know see believe remind define outline walk guess estimate confirm`);

/** Verbs that ask for finding out. */
export const researchVerbs = setOf(`
  research investigate explore dig analyze analyse inspect examine study understand review audit trace diagnose find
  look check search read learn figure determine identify survey evaluate assess profile measure`);

/** Those of them that ask for a finding before anything is changed; a check or a review often ends in a fix. */
export const investigating = setOf(`
  research investigate explore dig analyze analyse study diagnose trace audit survey evaluate assess`);

export const interrogatives = setOf(`
  what what's whats where where's when why how how's which who who's whom whose is isn't are aren't was were does
  doesn't do don't did didn't has have had should shouldn't can can't could couldn't would wouldn't will won't may
  might must am shall`);

export const english: PromptLanguage = {
  tag: "en",
  yes: [
    ...["y", "yes", "yep", "yeah", "yup", "ok", "okay", "k", "kk", "sure", "of course", "right", "exactly", "correct"],
    ...["approved", "approve", "plan approved", "agreed", "go ahead", "go for it", "proceed", "ship it", "make it so"],
    ...["do it", "just do it", "please do", "yes do it", "fine", "fine by me", "all good", "lgtm", "looks good"],
    ...["looks good to me", "looks great", "sounds good", "sounds great", "that works", "works for me"],
  ],
  replies: [
    ...["n", "no", "nope", "nah", "cancel", "stop", "wait", "hold on", "never mind", "nevermind", "not now", "done"],
    ...["thanks", "thx", "thank you", "thanks a lot", "thank you very much", "many thanks", "ty", "great", "nice"],
    ...["cool", "perfect", "good", "awesome", "excellent", "great work", "nice work", "good job", "well done"],
    ...["great job", "nice one", "got it", "i see", "makes sense", "understood", "hi", "hello", "hey", "hey there"],
    ...["good morning", "please", "plz", "pls", "continue", "go on", "carry on", "keep going", "keep at it", "resume"],
    ...["next", "next one", "retry", "again", "try again", "move on", "and now", "then", "continue please"],
    ...["continue where you left off", "pick up where you left off", "keep working", "continue working"],
  ],
  courtesies: ["please", "pls", "plz"],
  commit: { after: ["and", "then", "also", "please", "to", "you"], verbs: ["commit"], hints: ["commit"] },
  push: { after: ["and", "then", "also", "please", "to"], verbs: ["push"] },
};

/** A choice from a menu: "1", "b", "option 2", "2 and 3". */
export const menuChoice = new RegExp(
  String.raw`^(?:(?:option|number|choice|variante?|nr|no) )?(?:\d{1,2}|[a-e])` +
    String.raw`(?: (?:and|und|et|y|,) (?:\d{1,2}|[a-e]))*(?: (?:please|bitte))?$`,
);

/** Words that stand before a verb without changing what is asked. */
export const fillers = setOf(`
  please pls plz kindly just now also then and so but or ok okay yes no well hey hi great thanks actually instead first
  next finally maybe perhaps go ahead try trying to help me us again simply at least possibly start by afterwards later
  let's lets`);

/** Many of these make a task big. */
export const countedThings = setOf(`
  file files module modules component components test tests service services page pages endpoint endpoints package
  packages class classes function functions route routes screen screens caller callers usage usages references
  occurrences bug bugs issue issues error errors warning warnings handler handlers code api apis thing things view views
  model models table tables script scripts project projects repo repos repositories feature features layer layers app
  apps controller controllers method methods query queries import imports job jobs`);

const notBig =
  "stop|path|name|text|screen|width|height|size|url|line|message|button|callback|handler|event|flag|status";
const building =
  "build|create|design|develop|introduce|write|replace|rework|restructure|refactor|change|implement|make";

/** What is big as a whole; a whole row, iframe or command is not. */
const wholes =
  "code ?base|code|projects?|repo(?:sitor(?:y|ies))?|app(?:lication)?s?|systems?|back ?-?end|front ?-?end|server" +
  "|modules?|packages?|librar(?:y|ies)|stack|suite|architecture|(?:web)?sites?|api|platform|product|services?" +
  "|pipeline" +
  "|layer|ui" +
  "|interface|monorepo|workspace|engine|database|schema|documentation|docs|tool(?:ing|chain)|infrastructure|framework" +
  "|cli|program|game|plugin|extension|dashboard|flow";
const ofWhole = String.raw`(?:[a-z-]+\s+){0,2}(?:${wholes})\b`;
/** Verbs that change everything they are given. */
const sweeping =
  "rewrite|refactor|migrate|convert|port|translate|rebuild|redo|rework|restructure|reorgani[sz]e|redesign" +
  "|moderni[sz]e" +
  "|upgrade|replace|update|fix|implement|change|move|build|create|test|document|reformat|clean up|improve|review";

/** Words of scope. "All", "every" and "several" need one of `countedThings` after them. */
export const bigWords = lazyPattern(
  "everything|full|complete|comprehensive|entire|whole|rebuild|overhaul|redesign|rchitect|infrastructure|framework" +
    "|rewrite|across|scratch|migrate|all |every ",
  () =>
    alternatives([
      String.raw`\b(?:${sweeping}|delete|remove|wipe|drop)\s+(?:[a-z]+\s+)?everything\b`,
      String.raw`\b(?:${sweeping})\s+(?:[a-z]+\s+){0,4}(?:full|complete)\s+${ofWhole}(?!\s+(?:${notBig})\b)`,
      String.raw`\b(?:build|create|design|develop|implement|write|make|want|need)\s+(?:[a-z]+\s+)?a\s+` +
        String.raw`(?:complete|full[- ](?:stack|featured|fledged)|comprehensive)\s+` +
        "(?!sentence|list|example|line|comment|word|name|path|paragraph|url|message|command|error|test|sample)[a-z]",
      String.raw`\b(?:${sweeping})\s+(?:[a-z]+\s+){0,4}(?:entire|whole)\s+${ofWhole}`,
      String.raw`\b(?:refactor|migrate|convert|rewrite|port|rework|restructure|redesign|moderni[sz]e)` +
        String.raw`\s+(?:all|every|each)\s+(?:of\s+)?(?:the\s+|our\s+)?(?!tabs|spaces|quotes|semicolons|comments|strings|typos|names)[a-z]`,
      String.raw`\b(?:overhaul|redesign|re-?architect)\b`,
      String.raw`\brebuild\b(?!\s+(?:the\s+|my\s+|our\s+)?` +
        String.raw`(?:docker|image|container|index|cache|docs|project|lockfile)\b)`,
      String.raw`\b(?:${building})\s+(?:[a-z]+\s+){1,3}(?:architecture|infrastructure|framework)\b` +
        String.raw`(?!\s+(?:docs?|page|section|file|version|diagram|test|name)\b)`,
      String.raw`\brewrite\s+(?:the|this|our|it)\s+(?:[a-z]+\s+)?` +
        String.raw`(?:app|application|system|backend|frontend|codebase|project|engine|module|service|in)\b`,
      String.raw`\bacross\s+(?:the|this|our)\s+(?:[a-z]+\s+)?(?:codebase|project|repo|repository|monorepo|board)\b`,
      String.raw`\b(?:${building}|${sweeping}|start|begin|set)\b[^.?!;\n]{0,60}\bfrom\s+scratch\b`,
      String.raw`\bmigrate\s+(?:the|this|our|all|everything)\b`,
    ]),
);
export const manyOf = /\b(?:all|every|multiple|several|many|dozens of)\s+((?:[a-z]+\s+){0,4}[a-z]+)/g;
/** What a tool lists and mostly fixes itself, and what was only remarked on: many of them are one small task. */
export const mechanical = setOf(`
  lint linter linting eslint tslint biome ruff flake8 pylint clippy rubocop type types typing ts tsc typescript mypy
  pyright compiler compile compilation format formatting prettier spelling typo typos unused import imports console todo
  todos comment comments review nit nits whitespace style deprecation my your recent remaining staged unstaged pending
  local modified uncommitted changed new`);
/** "Run all tests", "make sure all tests pass", "commit all files" are small. */
export const smallBefore = new RegExp(
  String.raw`\b(?:(?:re-?)?run|execute|commit|push|stage|stash|add|revert|undo|list|show|print|pass|format` +
    "|lint|keep|save|move|rename|copy|remove|after|before|for|with|like" +
    String.raw`|sure|that|if|until|once|when|verify|ensure|check|see|read|open|close|ignore|and|log)\s+$`,
);

/** Said of one place: however many there are in it, it is one file's work. */
export const oneFile =
  /\bin\s+(?:this|the|that)\s+(?:file|function|method|class|test|component)\b|\bin\s+[\w./-]+\.[a-z]{1,5}\b/;

/** Words that do not tell one task from another. */
export const stopWords = setOf(`
  the a an and or but for nor not with without from into onto over under about after before then than that this these
  those there here its it's your yours our ours their them they his her you we're i'm please can could would should
  will shall may might must have has had was were are been being does did doing done just also now still again same
  more most some any all each every other another such only very too out off when where why how what which who whom
  whose use using used new old make made get got let lets need needs want wants like sure way thing things code file
  files test tests work works working line lines one two three first second last next run runs add adds fix fixes
  change changes update instead because since while until maybe really actually quick quickly simple small tiny minor
  easy fast trivial plan research commit push loop docs documentation readme changelog problem issue bug error broken
  fails failing failed function method class variable name value values case cases`);

export const englishExamples: LanguageExamples = {
  task: [
    "/custom and delete the old tests",
    "can you fix this?",
    "Can you please fix this?",
    "could you maybe update the code?",
    "would you mind adding a retry?",
    "why don't you just delete it?",
    "How about renaming the field?",
    "do you think you could fix the parser?",
    "I was wondering if you could add a flag",
    "What does this do? Also delete the tests.",
    "What does this do, and then remove it?",
    "Why is it broken (please fix it)?",
    "What is this?\n\nfix it",
    "how does the cache work, can you add a test for it?",
    "y fix it",
    "fix the typo",
    "The login page is broken",
    "s-curve fitting: add a logistic model",
    "ok\n\nadd the flag\n",
    "make it faster",
    "I want you to quickly rename the variable",
    "blorf the zarquon",
    "/usr/bin/foo crashes on start, patch it",
    "fix the bug but don't change any files in vendor",
    "read CONTRIBUTING.md and follow it",
    "```\nTypeError: x is undefined\n```",
    "fix all of it",
    "investigate the leak and fix it",
    "research the API, then implement the client",
  ],
  "big-task": [
    "migrate everything to the new client",
    "fix every bug in the parser",
    "Rewrite the whole backend in Go",
    "refactor all the modules to use the new logger",
    "Overhaul error handling across the codebase",
    "Do this:\n1. add a\n2. add b\n3. add c\n4. add d\n5. add e\n6. add f",
  ],
  "research-only": [
    "investigate why the tests are slow",
    "research how other projects handle retries",
    "look into the memory leak",
    "review the auth module and tell me what you think",
    "Fix nothing yet: do not change any code, tell me what is wrong",
    "Explore the codebase, no edits",
  ],
  question: [
    "what does this function do?",
    "Why does the build fail?",
    "how do I fix this?",
    "How would you implement caching here?",
    "how do I add, remove and update items?",
    "Should we refactor the parser?",
    "What do you think we should change?",
    "is it broken",
    "can you explain how the auth flow works?",
    "tell me about the retry policy",
    "The login page shows an error. Why?",
    "I am wondering how the cache is invalidated",
  ],
  passthrough: ["y", "Yes.", "OK!", "go ahead", "👍", "???", "/compact", "/review the last change", "s+"],
};
