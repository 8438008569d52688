// The words by which prompts are understood, as data, in the languages people type.
// Invariant: lists only; a prompt no list knows is a task.
import { seldom } from "./seldom.js";

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
  research investigate explore analyze analyse inspect examine study understand review audit trace diagnose find
  look check search read learn figure determine identify survey evaluate assess profile measure`);

export const interrogatives = set(`
  what what's whats where where's when why how how's which who who's whom whose is isn't are aren't was were does
  doesn't do don't did didn't has have had should shouldn't can can't could couldn't would wouldn't will won't may
  might must am shall`);

/** Verbs that ask for a change in other languages, as stems looked for in a word or, without spaces, in the text. */
const foreignStems =
  "arregl|corrig|corrij|repar|añad|agreg|crea(?!t)|implement|elimin|borr|cambi|actualiz|refactoriz|escrib|ajout|supprim|modifi|répar|écri[sv]|mets à jour|behebe|behebst|repariere|korrigiere|ergänze|füge|erstell|lösch|entfern|änder|aktualisier|schreib|implementier|refaktorier|adicion|remov|conserte|aggiung|rimuov|crei|scriv|sistem|исправ|почин|добав|созда|удал|измен|обнов|напиш|реализ|перепиш|додай|виправ|створи|düzelt|ekle|oluştur|güncelle|napraw|dodaj|usuń|zmień|utwórz";
/** `plain`: in ASCII alone, where Unicode's letters need not be asked for. */
export const asksForeign = (text: string, plain: boolean): boolean =>
  (plain ? new RegExp(`(?<![a-z])(?:${foreignStems})`) : new RegExp(`(?<!\\p{L})(?:${foreignStems})`, "u")).test(text);
export const asksForeignUnspaced = (text: string): boolean =>
  /修复|修正|修改|改成|添加|增加|新增|创建|建立|实现|删除|移除|更新|重构|编写|写一个|提交|部署|直して|追加|作成|実装|削除|変更|書いて|作って|リファクタ|수정|고쳐|추가|만들어|구현|삭제|변경|작성|แก้ไข|เพิ่ม|สร้าง|ลบ|सुधार|जोड़|बनाओ|हटा|أصلح|أضف|أنشئ|احذف|عدل|תקן|הוסף|צור|מחק/.test(
    text,
  );

const acknowledgements =
  `y yes yep yeah yup n no nope ok okay k kk done continue go-on go-ahead approved approve cancel sure thanks thx
  thank-you ty great nice cool perfect good lgtm proceed stop wait retry again resume next hi hello hey please correct
  right exactly agreed ship-it do-it looks-good sounds-good that-works go-for-it got-it never-mind nevermind
  sí si vale gracias oui merci non d'accord ja nein danke weiter sim não obrigado da net да нет спасибо хорошо продолжай
  好 好的 是 是的 不 不是 继续 谢谢 可以 行 はい いいえ 続けて ありがとう 네 아니요 계속 감사합니다`
    .trim()
    .split(/\s+/)
    .map((w) => w.replaceAll("-", " "));
export const passthroughWords: ReadonlySet<string> = new Set(acknowledgements);

export const approvals: ReadonlySet<string> = new Set([
  "approved",
  "approve",
  "plan approved",
  "go ahead",
  "lgtm",
  "proceed",
  "ship it",
  "do it",
  "yes",
  "ok",
  "okay",
  "looks good",
  "sounds good",
  "that works",
  "go for it",
]);

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
  apps`);

/** Scope in a few words; "all", "every" and "several" need a thing after them. */
export const bigWords = seldom(
  "everything|full|complete|entire|whole|rebuild|overhaul|redesign|rchitect|infrastructure|framework|rewrite|across|scratch|migrate|全部|所有|整个|すべて|全体|전체|모든",
  () =>
    /\beverything\b|\b(?:the|this|our|my|its)\s+(?:full|complete)\b|\b(?:entire|whole)\s+[a-z]|\b(?:rebuild|overhaul|redesign|re-?architect|architecture|infrastructure|framework)\b|\brewrite\s+(?:the|this|our|it)\s+(?:[a-z]+\s+)?(?:app|application|system|backend|frontend|codebase|project|engine|module|service|in)\b|\bacross\s+(?:the|this|our)\s+(?:[a-z]+\s+)?(?:codebase|project|repo|repository|monorepo|board)\b|\bfrom\s+scratch\b|\bmigrate\s+(?:the|this|our|all|everything)\b|全部|所有|整个|すべて|全体|전체|모든/,
);
export const manyOf = /\b(?:all|every|multiple|several|many|dozens of)\s+((?:[a-z]+\s+){0,4}[a-z]+)/g;

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
