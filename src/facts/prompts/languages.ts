// How prompts ask in languages other than English: for a change, for words, for leaving everything alone. Data and tests over it.
// Invariant: pure; `text` is one lower-case sentence or the whole prose, and no answer here means no opinion.
import { isPlain, lazyRegExp, setOf } from "../lazy-pattern.js";

/** The same text without accents on Latin letters: "arréglalo" and "arreglalo" are one request. */
const folded = (text: string): string => text.normalize("NFD").replace(/(?<=\p{Script=Latin})\p{M}+/gu, "");

const either = (pattern: RegExp, text: string): boolean => pattern.test(text) || pattern.test(folded(text));

/** Stems of verbs that ask for a change, looked for at the start of a word. */
const actions = lazyRegExp(
  () =>
    /(?<!\p{L})(?:arregl|corrig|corrij|correg|repar|añad|agreg|crea(?!t)|implement|elimin|borr|cambi|actualiz|refactoriz|escrib|renombr|ajout|supprim|modifi|répar|écri[sv]|renomm|remplac|mets à jour|behebe|beheben|behebst|repariere|korrigiere|ergänze|füge|hinzufüg|erstell|lösch|entfern|änder|aktualisier|schreib|implementier|refaktorier|benenn|umbenenn|fixe[nt]?(?!\p{L})|updaten|adicion|remov|conserte|aggiung|rimuov|crei|scriv|sistem|toevoeg|verwijder|herstel|исправ|почин|добав|созда|удал|измен|обнов|напиш|реализ|перепиш|переимен|додай|виправ|створи|поправи|düzelt|ekle|oluştur|güncelle|sil(?:in)?(?!\p{L})|napraw|dodaj|doda[cć]|usuń|usun|zmień|zmien|utwórz|oprav|přidej|smaž|korjaa|lisää|poista|rätta|lägg till|ta bort|ret(?!\p{L})|tilføj|javíts|töröl|perbaiki|tambah|hapus|διόρθωσ|πρόσθεσ|σβήσ|διέγραψ)/iu,
);
const actionsUnspaced = lazyRegExp(
  () =>
    /修复|修復|修正|修改|改成|添加|增加|新增|加一[个個]|加个|创建|建立|实现|實現|删除|刪除|移除|更新|重构|重構|编写|写一个|提交|部署|直して|追加|作成|実装|削除|変更|書いて|作って|リファクタ|fix\s*して|수정|고쳐|추가|만들어|구현|삭제|변경|작성|แก้|เพิ่ม|สร้าง|ลบ|सुधार|जोड़|बनाओ|हटा|ठीक कर|أصلح|إصلاح|أضف|إضافة|أنشئ|احذف|حذف|عدل|תקן|הוסף|צור|מחק|sửa|thêm|xóa|xoá/u,
);

/** "can you": what follows is asked for, unless it is words. */
const toYou = lazyRegExp(
  () =>
    /(?<!\p{L})(?:kannst du|könntest du|können sie|könnten sie|würdest du|würden sie|magst du|kun je|kunt u|zou je|wil je|peux[- ]tu|tu peux|tu pourrais|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous|vous pouvez|puedes|podrías|podéis|puede usted|podría usted|você pode|você poderia|podes|poderias|puoi|potresti|potete|możesz|mógłbyś|mogłabyś|можешь|можете|мог бы ты|могли бы вы|не мог(?:ли)? бы|můžeš|mohl bys|kan du|skulle du kunna|voitko|voisitko|μπορείς|μπορείτε|תוכל|bisa kamu|bisakah kamu)(?!\p{L})|(?:abilir|ebilir) mi(?:sin|siniz)|يمكنك|تستطيع|你能|您能|你可以|您可以|能不能|能否|可以帮|可不可以|帮我|幫我|てもらえ|ていただけ|てくれ(?:る|ます|ない)|줄 수 있|주시겠|줄래|आप.*सकते/iu,
);
/** By which plain text shows that it may ask so. */
export const foreignYou = setOf(
  "kannst du konntest konnen sie wurdest magst kun kunt zou wil peux tu pourrais pouvez pourriez vous puedes podrias podes puoi potresti potete mozesz kan voitko voisitko bisa misin misiniz",
);
const words = lazyRegExp(
  () =>
    /erklär|erläuter|(?<!\p{L})sag(?:en|st|t|e)?(?!\p{L})|zeig|beschreib|expli(?:qu|ca)|(?<!\p{L})dire|(?<!\p{L})dis(?!\p{L})|(?<!\p{L})decir|(?<!\p{L})dime|montr|mostrar|spieg|(?<!\p{L})dirmi|uitleg|vertel|wyjaśni|powiedz|объясн|поясн|расска|скаж|покаж|vysvětl|förklara|berätta|selit|kerro|açıkla|anlat|söyle|εξήγ|הסבר|解释|解釋|说明|說明|告诉|告訴|説明|教えて|설명|알려|اشرح|شرح|समझा|बता|giải thích|jelaskan/iu,
);

/** Words a question starts with, where a mark at its end may be missing. */
const asking = lazyRegExp(
  () =>
    /^[¿\s]*(?:(?:wie|was|warum|wieso|weshalb|wo|wann|welche[rsnm]?|wer|wozu|comment|pourquoi|où|quand|quels?|quelles?|qui|que|quoi|qu'est|combien|cómo|por qué|qué|dónde|cuándo|cuáles|cuál|quién|como|por que|o que|onde|qual|quais|quem|perché|dove|cosa|che cosa|quale|come|hoe|waarom|waar|wat|welke|как|почему|зачем|что|где|когда|какой|какая|какие|какое|кто|чем|jak|dlaczego|gdzie|co|kiedy|który|proč|kde|miksi|miten|mitä|missä|hur|varför|vad|vilken|nasıl|neden|niçin|nerede|hangi|γιατί|πώς|πως|τι|πού|чому|як|де|що|miért|hogyan|mengapa|bagaimana|apa)(?!\p{L})|为什么|為什麼|怎么|怎麼|如何|什么|哪|なぜ|どうして|どうやって|どう|何|왜|어떻게|무엇|لماذا|كيف|ماذا|أين|هل(?!\s*(?:يمكنك|تستطيع))|क्यों|कैसे|क्या(?!\s+आप)|למה|איך|מה|איפה|tại sao|làm sao|làm thế nào)/iu,
);
const askingAnywhere = lazyRegExp(
  () =>
    /什么意思|是什么|什么用|为什么|怎么(?:样|回事)|是什麼|[吗嗎呢]$|(?:です|ます|でしょう|の)か$|何ですか|나요$|까요$|입니까$/u,
);
const please = lazyRegExp(
  () =>
    /请|請|帮我|幫我|ください|下さい|お願い|て欲しい|주세요|해 ?줘|주십시오|bitte|s'il te|s'il vous|por favor|per favore|alsjeblieft|alstublieft|пожалуйста|proszę|prosím|lütfen|من فضلك|कृपया|vui lòng|tolong/iu,
);

export const asksInWords = (text: string): boolean => {
  const bare = text.replace(/[\s.。!！?？؟]+$/u, "");
  return asking().test(bare) || askingAnywhere().test(bare) || /\p{Script=Greek}[^;]*;\s*$/u.test(text);
};

/** Unspaced and right-to-left scripts mix with English words; their own verbs are sure signs wherever they stand. */
export function asksForChangeUnspaced(text: string): boolean {
  if (asksInWords(text) && !please().test(text) && !either(toYou(), text)) return false;
  if (either(toYou(), text)) return !either(words(), text);
  return actionsUnspaced().test(text);
}

export function asksForChange(text: string): boolean {
  if (asking().test(text) && !please().test(text)) {
    if (/[?？؟]\s*$/u.test(text)) return false;
    const [, ...rest] = text.split(/\s*[,:;—–]\s*/u);
    return rest.some((clause) => either(actions(), clause));
  }
  return either(actions(), text);
}

export const asksForTalk = (text: string): boolean => either(words(), text);

const whole = lazyRegExp(
  () =>
    /(?<!\p{L})(?:ganze[nrsm]?|gesamte[nrsm]?|komplette[nrsm]?|tou(?:te|t|s)\s+(?:la|le|les|notre)|entièr\p{L}*|tod[ao]s?\s+(?:el|la|los|las|o|a|os|as)|tutt[oaie]\s+(?:il|la|i|le)|hele|весь|всю|всё(?!\s+ещё)|все(?!\s+ещ[её])|целиком|cał[yąae]|wszystkie|hela|koko|bütün|tüm)(?!\p{L})|(?<!\p{L})toute?\s+l'|全部|所有|整个|整個|すべて|全体|전체|모든|كل |جميع|पूरे|पूरा|सभी|toàn bộ/iu,
);

/** Of the whole of something; English has its own list. */
export const saysWhole = (text: string): boolean => mayHold(text, wholes) && whole().test(text);
const wholes = setOf(
  "ganze ganzen ganzer ganzes ganzem gesamte gesamten gesamter gesamtes komplette kompletten tout toute tous toda todo todas todos tutto tutta tutti tutte hele hela koko wszystkie",
);

const more =
  "(?!\\s*(?:ander|sonst|weiter|außer|d'autre|autre|sauf|m[áa]s|otr|excepto|outr|além|exceto|altr|tranne|anders|behalve|друг|кроме|больше|en|dans|in|im|am|an|à|em|w|в|do|på|i)(?!\\p{L}))";

/** That nothing at all is to be changed; "nothing else" and "nothing in vendor" are not that. */
const forbids = lazyRegExp(
  () =>
    new RegExp(
      [
        `(?:änder|veränder|bearbeit|schreib|fass)e?\\s+(?:(?:noch|bitte|aber)\\s+)*nichts(?!\\p{L})${more}`,
        `nichts\\s+(?:ändern|verändern|anfassen|bearbeiten|schreiben)`,
        `ohne\\s+(?:(?:den|etwas|irgendetwas|code|am)\\s+)*zu\\s+(?:ver)?ändern|ohne\\s+änderungen|keine\\s+änderungen${more}`,
        `ne\\s+(?:modifie|change|touche)[zs]?\\s+(?:encore\\s+)?(?:à\\s+)?rien${more}|sans\\s+(?:rien|toucher|modifier\\s+le\\s+code|changer\\s+le\\s+code)|aucune\\s+modification${more}`,
        `no\\s+(?:cambies|modifiques|toques|edites)\\s+nada${more}|sin\\s+(?:cambiar|modificar|tocar)\\s+(?:nada|(?:el\\s+)?código)${more}`,
        `não\\s+(?:mude|altere|modifique|edite|mexa\\s+em)\\s+nada${more}|sem\\s+(?:alterar|mudar|modificar)\\s+(?:nada|o\\s+código)${more}`,
        `non\\s+(?:cambiare|modificare|toccare)\\s+(?:nulla|niente)${more}|senza\\s+(?:modificare|cambiare|toccare)\\s+(?:nulla|niente|il\\s+codice)${more}`,
        `(?:verander|wijzig)\\s+(?:nog\\s+)?niets${more}|zonder\\s+iets\\s+te\\s+(?:wijzigen|veranderen)`,
        `(?<!больше\\s)ничего\\s+не\\s+(?:меня|изменя|трога|прав|исправля|редактиру)|не\\s+(?:меняй|трогай|изменяй)\\s+код(?!\\p{L})${more}`,
        `nic\\s+nie\\s+(?:zmieniaj|ruszaj)|hiçbir\\s+şeyi\\s+değiştirme`,
        `(?:不要|不用|别|請勿|请勿)(?:修改|改动|更改|编辑|改|動|动)(?:任何)?(?:代码|程式碼|文件|东西|内容)?(?=[。.,，!！、\\s]|$)`,
        `(?:何も|コード[はを])(?:変更|修正|編集)?(?:は|を)?し?ないで|(?:^|[。、\\s])変更[はを]?(?:しないで|せずに|不要)`,
        `(?:아무것도|코드[는를])\\s*(?:수정|변경)하지\\s*(?:말|마)`,
      ].join("|"),
      "iu",
    ),
);

const nothing = setOf("nichts ohne keine rien sans aucune nada sin sem nulla niente senza niets zonder nic");
const mayHold = (text: string, words: ReadonlySet<string>): boolean =>
  !isPlain(text) || (text.match(/\w+/g) ?? []).some((w) => words.has(w));

export const forbidsChange = (prose: string): boolean => mayHold(prose, nothing) && forbids().test(prose);

const on = lazyRegExp(
  () =>
    /(?<!\p{L})(?:dafür|davon|damit|dazu|auch|noch|jetzt|außerdem|nochmal|aussi|ça|cela|encore|maintenant|también|eso|además|ahora|todavía|anche|ancora|inoltre|também|isso|ainda|ook|nog|тоже|также|это|ещё|еще|теперь|снова|też|jeszcze|teraz|také|ještě|också|myös|vielä|bunu|hala)(?!\p{L})|^(?:也|再|还|還)|这个|它|それ|これ|さらに|まだ|이것|그것|아직/iu,
);
const away = lazyRegExp(
  () =>
    /(?:neue|andere) aufgabe|nouvelle tâche|autre chose|nueva tarea|otra (?:tarea|cosa)|nova tarefa|outra coisa|nuovo compito|altra cosa|nieuwe taak|(?:новая|другая) задача|nowe zadanie|新(?:的)?任务|新任務|另一个任务|別のタスク|新しいタスク|새(?:로운)? 작업/iu,
);

/** Goes on with the task at hand, or leaves it, by its own words. */
export const goesOn = (text: string): boolean => mayHold(text, ons) && on().test(text);
export const leavesTask = (text: string): boolean => mayHold(text, aways) && away().test(text);
const ons = setOf(
  "davon damit dazu auch noch jetzt nochmal aussi cela encore maintenant eso ahora anche ancora inoltre isso ainda ook nog jeszcze teraz bunu hala",
);
const aways = setOf("aufgabe chose tarea cosa tarefa coisa compito taak zadanie");
