// The words by which prompts are understood, as data, in the languages people type.
// Invariant: lists only; a prompt no list knows is a task.
import { lazyPattern } from "../lazy-pattern.js";

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** English verbs that ask for a change, base form. */
export const actionVerbs = set(`
  fix repair resolve patch correct add create implement build rebuild refactor update upgrade downgrade change modify
  delete remove drop move rename write rewrite make generate set setup configure install uninstall migrate convert
  port replace revert undo commit push merge deploy release publish ship edit extend extract split clean format lint
  optimize optimise improve simplify bump enable disable wire hook integrate overhaul redesign restructure reorganize
  reorganise apply run execute start stop kill restart test finish complete continue handle support introduce
  translate tidy insert append prepend swap switch turn put save store import export mock stub deprecate rip bring
  hardcode inline hoist sort dedupe deduplicate stage squash rebase cherry-pick tag bypass ignore skip silence
  overwrite wipe purge reset truncate encrypt decrypt wrap unwrap increase decrease reduce raise lower`);

/** Verbs that ask for words, not for changes. */
export const talkVerbs = set(`
  explain tell describe show list say clarify summarize summarise recommend suggest compare discuss elaborate answer
  help think know see believe remind define outline walk guess estimate confirm`);

/** Verbs that ask for finding out. */
export const researchVerbs = set(`
  research investigate explore dig analyze analyse inspect examine study understand review audit trace diagnose find
  look check search read learn figure determine identify survey evaluate assess profile measure`);

export const interrogatives = set(`
  what what's whats where where's when why how how's which who who's whom whose is isn't are aren't was were does
  doesn't do don't did didn't has have had should shouldn't can can't could couldn't would wouldn't will won't may
  might must am shall`);

const phrases = (text: string): string[] =>
  text
    .split("\n")
    .flatMap((line) => line.split(","))
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** Replies that carry no request of their own. A yes answers what was proposed; the others answer nothing. */
const yes = new Set(
  phrases(`y, yes, yep, yeah, yup, ok, okay, k, kk, sure, of course, approved, approve, go ahead, go for it, do it, just do it,
    ship it, proceed, lgtm, looks good, looks good to me, looks great, sounds good, sounds great, that works, works for me,
    correct, right, exactly, agreed, plan approved, please do, yes do it, make it so, fine, fine by me, all good,
    ja, jawohl, genau, passt, gerne, mach das, mach es, in ordnung, einverstanden, klar, los,
    oui, d accord, vas y, allez y, ça marche, c est bon, parfait, sí, si, vale, de acuerdo, adelante, hazlo, dale, claro,
    sim, pode fazer, pode ir, beleza, isso, certo, va bene, d accordo, procedi, fallo, certo, akkoord, prima, doe maar,
    да, давай, хорошо, ладно, конечно, делай, так, tak, dobrze, zgoda, jasne, śmiało, ano, jo, dobře, joo, kyllä, tee se,
    javisst, kör, gör det, evet, tamam, olur, ναι, εντάξει, כן, בסדר, قبول, نعم, حسنا, تمام, हाँ, हां, ठीक है, जी हाँ,
    ใช่, ตกลง, có, được, đồng ý, vâng, igen, rendben, ya, baik, setuju,
    好, 好的, 好啊, 是, 是的, 可以, 行, 没问题, 同意, 对, はい, ええ, お願いします, いいです, いいですよ, それでお願いします, 네, 예, 좋아요, 좋습니다, 응`),
);
const other = new Set(
  phrases(`n, no, nope, nah, cancel, stop, wait, hold on, never mind, nevermind, not now, done, thanks, thx, thank you, thanks a lot,
    thank you very much, many thanks, ty, great, nice, cool, perfect, good, awesome, excellent, great work, nice work, good job,
    well done, great job, nice one, got it, i see, makes sense, understood, hi, hello, hey, hey there, good morning, please, plz, pls, stp, svp,
    continue, go on, carry on, keep going, keep at it, resume, next, next one, retry, again, try again, move on, and now, then,
    continue please, continue where you left off, pick up where you left off, keep working, continue working,
    nein, danke, danke schön, vielen dank, weiter, mach weiter, weitermachen, weiter so, super, stopp, warte, bitte, hallo, gut,
    non, merci, merci beaucoup, continue, continuez, poursuis, attends, arrête, bonjour, salut, s il te plaît, s il vous plaît,
    gracias, muchas gracias, sigue, continúa, continua, para, espera, hola, por favor, não, obrigado, obrigada, valeu, siga, olá,
    no grazie, grazie, grazie mille, continua, vai avanti, avanti, ferma, aspetta, ciao, per favore, nee, dank je, bedankt, ga door, ga verder, dank u,
    da, net, нет, спасибо, большое спасибо, продолжай, продолжайте, дальше, стоп, подожди, привет, пожалуйста,
    nie, dzięki, dziękuję, kontynuuj, dalej, ne, díky, děkuji, pokračuj, dál, ei, kiitos, jatka, nej, tack, fortsätt, fortsæt, fortsett, takk, tak skal du have,
    hayır, teşekkürler, teşekkür ederim, devam, devam et, όχι, ευχαριστώ, συνέχισε, לא, תודה, תמשיך, המשך, לה, شكرا, لا, استمر, تابع, أكمل,
    नहीं, शुक्रिया, धन्यवाद, जारी रखें, जारी रखो, आगे बढ़ो, ไม่, ขอบคุณ, ทำต่อ, ต่อไป, không, cảm ơn, tiếp tục, nem, köszönöm, folytasd, tidak, terima kasih, lanjut, lanjutkan,
    不, 不是, 不用, 继续, 繼續, 请继续, 請繼續, 继续吧, 谢谢, 謝謝, 停, 等等, 你好, いいえ, 続けて, 続けてください, 続行, ありがとう, ありがとうございます, 次, 止めて, 了解,
    아니요, 아니, 계속, 계속해, 계속해줘, 계속해 줘, 계속해주세요, 계속해 주세요, 감사합니다, 고마워, 잠깐, 안녕하세요`),
);
const longest = 5;

/** Whether the whole of a bare prompt is such replies, one after the other, and whether they amount to a yes. */
export function acknowledgement(bare: string): "yes" | "other" | undefined {
  const words = bare.split(" ");
  if (!bare || words.length > 10) return undefined;
  let agreed = true;
  for (let i = 0; i < words.length; ) {
    let n = Math.min(longest, words.length - i);
    while (n && !yes.has(words.slice(i, i + n).join(" ")) && !other.has(words.slice(i, i + n).join(" "))) n--;
    if (!n) return undefined;
    const said = words.slice(i, i + n).join(" ");
    agreed &&= yes.has(said) || (i > 0 && courtesies.has(said));
    i += n;
  }
  return agreed ? "yes" : "other";
}
const courtesies = new Set(
  phrases("please, pls, plz, bitte, stp, svp, s il te plaît, s il vous plaît, por favor, per favore, пожалуйста"),
);

/** A choice from a menu: "1", "b", "option 2", "2 and 3". */
export const choice =
  /^(?:(?:option|number|choice|variante?|nr|no) )?(?:\d{1,2}|[a-e])(?: (?:and|und|et|y|,) (?:\d{1,2}|[a-e]))*(?: (?:please|bitte))?$/;

/** Words that stand before a verb without changing what is asked. */
export const fillers = set(`
  please pls plz kindly just now also then and so but or ok okay yes no well hey hi great thanks actually instead first
  next finally maybe perhaps go ahead try trying to help me us again simply at least possibly start by afterwards later
  let's lets`);

/** What a task is big with when it means many of them. */
export const things = set(`
  file files module modules component components test tests service services page pages endpoint endpoints package
  packages class classes function functions route routes screen screens caller callers usage usages references
  occurrences bug bugs issue issues error errors warning warnings handler handlers code api apis thing things view views
  model models table tables script scripts project projects repo repos repositories feature features layer layers app
  apps controller controllers method methods query queries import imports job jobs`);

/** Scope in a few words; "all", "every" and "several" need a thing after them. */
export const bigWords = lazyPattern(
  "everything|full|complete|comprehensive|entire|whole|rebuild|overhaul|redesign|rchitect|infrastructure|framework|rewrite|across|scratch|migrate",
  () =>
    /\beverything\b|\b(?:the|this|our|my|its)\s+(?:full|complete)\b(?!\s+(?:stop|path|name|text|screen|width|height|size|url|line|message|button|callback|handler|event|flag|status)\b)|\ba\s+(?:complete|full[- ](?:stack|featured|fledged)|comprehensive)\s+(?!sentence|list|example|line|comment|word|name|path|paragraph|url)[a-z]|\b(?:entire|whole)\s+[a-z]|\b(?:overhaul|redesign|re-?architect)\b|\brebuild\b(?!\s+(?:the\s+|my\s+|our\s+)?(?:docker|image|container|index|cache|docs|project|lockfile)\b)|\b(?:build|create|design|develop|introduce|write|replace|rework|restructure|refactor|change|implement|make)\s+(?:[a-z]+\s+){1,3}(?:architecture|infrastructure|framework)\b(?!\s+(?:docs?|page|section|file|version|diagram|test|name)\b)|\brewrite\s+(?:the|this|our|it)\s+(?:[a-z]+\s+)?(?:app|application|system|backend|frontend|codebase|project|engine|module|service|in)\b|\bacross\s+(?:the|this|our)\s+(?:[a-z]+\s+)?(?:codebase|project|repo|repository|monorepo|board)\b|\bfrom\s+scratch\b|\bmigrate\s+(?:the|this|our|all|everything)\b/,
);
export const manyOf = /\b(?:all|every|multiple|several|many|dozens of)\s+((?:[a-z]+\s+){0,4}[a-z]+)/g;

/** Said of one place: however many there are in it, it is one file's work. */
export const oneFile =
  /\bin\s+(?:this|the|that)\s+(?:file|function|method|class|test|component)\b|\bin\s+[\w./-]+\.[a-z]{1,5}\b/;

export const stopWords: ReadonlySet<string> = new Set(
  `the a an and or but for nor not with without from into onto over under about after before then than that this these
   those there here its it's your yours our ours their them they his her you we're i'm please can could would should will
   shall may might must have has had was were are been being does did doing done just also now still again same more most
   some any all each every other another such only very too out off when where why how what which who whom whose use using
   used new old make made get got let lets need needs want wants like sure way thing things code file files test tests
   work works working line lines one two three first second last next run runs add adds fix fixes change changes update
   instead because since while until maybe really actually quick quickly simple small tiny minor easy fast trivial
   plan research commit push loop docs documentation readme changelog
   problem issue bug error broken fails failing failed function method class variable name value values case cases`
    .trim()
    .split(/\s+/),
);
