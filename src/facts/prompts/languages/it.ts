// How people ask in Italian. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const italian: PromptLanguage = {
  tag: "it",
  change: ["aggiung", "rimuov", "crei", "scriv", "sistem", "correg", "elimin", "crea(?!t)"],
  canYou: ["puoi", "potresti", "potete"],
  explain: ["spieg", String.raw`(?<!\p{L})dirmi`, "mostrar"],
  questionWords: ["perché", "dove", "cosa", "che cosa", "quale", "come"],
  please: ["per favore"],
  whole: [String.raw`tutt[oaie]\s+(?:il|la|i|le)`],
  changeNothing: [
    String.raw`non\s+(?:cambiare|modificare|toccare)\s+(?:nulla|niente){except}`,
    String.raw`senza\s+(?:modificare|cambiare|toccare)\s+(?:nulla|niente|il\s+codice){except}`,
  ],
  except: ["altr", "tranne", "in", "i"],
  followsOn: ["anche", "ancora", "inoltre"],
  newTask: ["nuovo compito", "altra cosa"],
  yes: ["va bene", "d accordo", "procedi", "fallo", "certo"],
  replies: [
    "no grazie",
    "grazie",
    "grazie mille",
    "continua",
    "vai avanti",
    "avanti",
    "ferma",
    "aspetta",
    "ciao",
    "per favore",
  ],
  courtesies: ["per favore"],
  commit: { after: ["poi", "e"], verbs: ["committare"] },
  push: { after: ["e"] },
  plainWords: {
    canYou: "puoi potresti potete",
    whole: "tutto tutta tutti tutte",
    changeNothing: "nulla niente senza",
    followsOn: "anche ancora inoltre",
    newTask: "compito cosa",
  },
};

export const italianExamples: LanguageExamples = {
  task: ["Correggi il bug nel parser", "Puoi aggiungere un test?"],
  question: ["Perché fallisce il test?", "Cosa fa questa funzione?", "Come rimuovo un file?"],
  passthrough: ["vai avanti"],
};
