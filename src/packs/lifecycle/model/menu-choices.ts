// Menus shown to the user, and the choice an answer names, in English and in the plain words of other languages. Pure.
// Invariant: an answer is a choice only as a whole: every word is a choice or leaves it as it is ("Ok, save it").

export const choices = ["adjust", "refine", "continue", "save", "exit"] as const;
export type Choice = (typeof choices)[number];

const letters: Readonly<Record<string, Choice>> = { a: "adjust", r: "refine", c: "continue", s: "save", x: "exit" };

const words: Readonly<Record<Choice, string>> = {
  adjust:
    "adjust change changes edit revise anpassen ändern ajustar cambiar ajuster modifier modifica изменить 修改 変更",
  refine: "refine improve discuss more verfeinern refinar affiner mejorar améliorer raffina уточнить 完善 改善",
  continue: `continue proceed next weiter fortfahren fortsetzen continuar siguiente continuer suivant continua
    continuare avanti prosseguir doorgaan verder fortsätt fortsæt fortsett jatka dalej kontynuuj pokračovat
    pokračuj folytat devam lanjut lanjutkan συνέχεια продолжить продолжай дальше продовжити далі продължи המשך
    متابعة استمر ต่อไป जारी 继续 繼續 下一步 続ける 続行 次へ 계속`,
  save: `save speichern sichern guardar salvar enregistrer sauvegarder salva salvare opslaan bewaren spara gem
    lagre tallenna zapisz zapisać uložit ulož mentés kaydet simpan lưu αποθήκευση сохранить сохрани зберегти
    запази שמור حفظ บันทึก सहेजें 保存 储存 儲存 存档 存檔 저장`,
  exit: "exit quit beenden salir quitter esci выход 退出 終了 종료",
};
const named = new Map<string, Choice>(
  choices.flatMap((choice) => words[choice].split(/\s+/).map((word): [string, Choice] => [word, choice])),
);

/** Words around a choice that leave it as it is. */
const around = new Set(
  `yes yep yeah ok okay sure fine great good perfect looks lgtm approve approved please let's lets let us just
  then now and i i'd i'll we we'll would like to want choose my choice is option it this that them these the all
  of everything for as thanks thank you requirements ja jawohl bitte danke jetzt alles und si sí por favor
  gracias oui s'il vous plaît merci sì per grazie sim obrigado tak proszę da да пожалуйста evet
  lütfen はい 네 好的`.split(/\s+/),
);
/** "go on", "let's move on". */
const goingOn = /\b(?:go|carry|move|keep) (?:on|ahead|going)\b/g;
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/gu;
/** "save?", "/save", "c++", "story 3": more than a choice. */
const otherSigns = /[^\p{L}\p{M}\p{P}\s~=`]|[?\uff1f/\\#%@]/u;
/** Polite forms in languages that write no spaces. */
const polite = /^[请請]|(?:吧|してください|して|する|해 ?주세요|하기|해줘)$/gu;

/** A whole answer that is one of the menu's choices: "save", "S", "[S] Save", "Ok, save it.", "Ja, speichern". */
export function choiceIn(answer: string): Choice | undefined {
  const plain = spelledOut(answer.replace(emoji, ""));
  if (plain.length > 60 || otherSigns.test(plain)) return undefined;
  const given = plain.normalize("NFC").toLowerCase().replaceAll("\u2019", "'").replace(goingOn, "continue");
  const parts = (given.match(/\p{L}[\p{L}\p{M}']*/gu) ?? []).map((word) => word.replace(/'$/, "").replace(polite, ""));
  const meant = parts.filter((word) => !around.has(word));
  const [first] = meant;
  if (first === undefined) return undefined;
  const found = meant.map((word, i) => named.get(word) ?? (i === 0 ? letters[word] : undefined));
  const choice = found[0];
  if (!choice || found.includes(undefined)) return undefined;
  // "Save and continue" ends it; "save, refine" contradicts itself.
  return found.every((each) => each === choice || (ends(choice) && ends(each!))) ? choice : undefined;
}

/** "[S]ave" is "Save". */
const spelledOut = (text: string): string =>
  text.replace(/[[(]([arcsx])[\])](?=(\p{L}))/giu, (mark, letter: string, next: string) =>
    letter.toLowerCase() === next.toLowerCase() ? `${mark} ` : letter,
  );

const ends = (choice: Choice): boolean => choice === "save" || choice === "continue" || choice === "exit";

const menuMarks = [
  /\[A\]\**\s*Adjust/i,
  /\[R\]\**\s*Refine/i,
  /\[C\]\**\s*Continue/i,
  /\[S\]\**\s*Save/i,
  /\[X\]\**\s*Exit/i,
  /Your choice:/i,
  /Enter selection/i,
  /Select an option/i,
];
/** The menu in any language: its letters, each with a word. */
const lettered = /\[([ARCSX])\]\**[ \t]*\p{L}/giu;

export const showsMenu = (text: string): boolean =>
  menuMarks.filter((mark) => mark.test(text)).length >= 2 ||
  new Set([...text.matchAll(lettered)].map(([, letter]) => letter!.toUpperCase())).size >= 3;

const mark = String.raw`(?:[[(]?[arcsx][\])][.:]?\s*|[arcsx]\s*[.:=-]\s*)?`;
/** What may follow a choice in an option's label; "Save money" is none. */
const labelled = new RegExp(
  String.raw`^${mark}(${choices.join("|")})(?:$|\s*[.,:;(&\u2013\u2014-]` +
    String.raw`|\s+(?:and|it|this|these|the|them|all|everything|as|now|for|to|with|further` +
    String.raw`|requirements?|stories|changes|draft|document|spec\w*|progress|answers)\b)`,
  "iu",
);
const agreement = /^(?:(?:no|yes|ok|okay|sure|approve|looks good|please)\b[\s,.:;-]*(?:and\s+)?)+(?=\S)/i;

/** The choice an option begins with: "Save and go on to the design". */
function leadingChoice(label: string): Choice | undefined {
  const word = labelled.exec(spelledOut(label.trim()).replace(agreement, ""))?.[1]?.toLowerCase();
  return choices.find((c) => c === word) ?? choiceIn(label);
}

/** Any choice an option speaks of: enough to see that a dialog is the menu. A letter alone may be a grade. */
const spokenOf = (label: string): Choice | undefined =>
  label.replace(/[^\p{L}]/gu, "").length < 2 ? undefined : (leadingChoice(label) ?? wordOf(label));

const wordOf = (label: string): Choice | undefined =>
  (label.toLowerCase().match(/\p{L}[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => named.get(word) ?? [])[0];

/** The choice in an answer of the client's dialog. A chosen option counts in a menu: "S" may be the size of a shirt. */
export function dialogChoice(answer: string, labels: readonly string[]): Choice | undefined {
  if (!labels.includes(answer)) return choiceIn(answer);
  const choice = leadingChoice(answer);
  const isMenu = new Set(labels.flatMap((label) => spokenOf(label) ?? [])).size >= 2;
  return isMenu || (choice === "save" && answer.trim().length > 3) ? choice : undefined;
}
