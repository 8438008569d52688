// How people ask in Polish. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const polish: PromptLanguage = {
  tag: "pl",
  change: ["napraw", "dodaj", "doda[cć]", "usuń", "usun", "zmień", "zmien", "utwórz"],
  canYou: ["możesz", "mógłbyś", "mogłabyś"],
  explain: ["wyjaśni", "powiedz"],
  questionWords: ["jak", "dlaczego", "gdzie", "co", "kiedy", "który"],
  please: ["proszę"],
  whole: ["cał[yąae]", "wszystkie"],
  changeNothing: [String.raw`nic\s+nie\s+(?:zmieniaj|ruszaj)`],
  except: ["w", "do"],
  followsOn: ["też", "jeszcze", "teraz"],
  newTask: ["nowe zadanie"],
  yes: ["tak", "dobrze", "zgoda", "jasne", "śmiało"],
  replies: ["nie", "dzięki", "dziękuję", "kontynuuj", "dalej"],
  plainWords: {
    canYou: "mozesz",
    whole: "wszystkie",
    changeNothing: "nic",
    followsOn: "jeszcze teraz",
    newTask: "zadanie",
  },
};

export const polishExamples: LanguageExamples = {
  task: ["Napraw błąd w parserze", "Czy możesz dodać test?", "jak mówiłem, usuń plik"],
  question: ["Dlaczego test nie przechodzi?", "Jak usunąć gałąź?"],
  passthrough: ["tak", "dalej", "ok, dzięki"],
};
