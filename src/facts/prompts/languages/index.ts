// Every language but English, which kind.ts reads more closely. A new language is one file and one line here.
import { arabic } from "./ar.js";
import { bulgarian } from "./bg.js";
import { czech } from "./cs.js";
import { danish } from "./da.js";
import { german } from "./de.js";
import { greek } from "./el.js";
import { spanish } from "./es.js";
import { finnish } from "./fi.js";
import { french } from "./fr.js";
import { hebrew } from "./he.js";
import { hindi } from "./hi.js";
import { hungarian } from "./hu.js";
import { indonesian } from "./id.js";
import { italian } from "./it.js";
import { japanese } from "./ja.js";
import { korean } from "./ko.js";
import type { PromptLanguage } from "./language.js";
import { dutch } from "./nl.js";
import { polish } from "./pl.js";
import { portuguese } from "./pt.js";
import { russian } from "./ru.js";
import { swedish } from "./sv.js";
import { thai } from "./th.js";
import { turkish } from "./tr.js";
import { ukrainian } from "./uk.js";
import { vietnamese } from "./vi.js";
import { chinese } from "./zh.js";

export const otherLanguages: readonly PromptLanguage[] = [
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  russian,
  ukrainian,
  bulgarian,
  polish,
  czech,
  swedish,
  danish,
  finnish,
  hungarian,
  turkish,
  greek,
  indonesian,
  vietnamese,
  thai,
  hindi,
  arabic,
  hebrew,
  chinese,
  japanese,
  korean,
];
