// How people ask in Dutch. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const dutch: PromptLanguage = {
  tag: "nl",
  change: ["toevoeg", "verwijder", "herstel"],
  canYou: ["kun je", "kunt u", "zou je", "wil je"],
  explain: ["uitleg", "vertel"],
  questionWords: ["hoe", "waarom", "waar", "wat", "welke", "wie"],
  please: ["alsjeblieft", "alstublieft"],
  whole: ["hele"],
  changeNothing: [
    String.raw`(?:verander|wijzig)\s+(?:nog\s+)?niets{except}`,
    String.raw`zonder\s+iets\s+te\s+(?:wijzigen|veranderen)`,
  ],
  except: ["anders", "behalve", "in"],
  followsOn: ["ook", "nog"],
  newTask: ["nieuwe taak"],
  yes: ["ja", "akkoord", "prima", "doe maar"],
  replies: ["nee", "dank je", "bedankt", "ga door", "ga verder", "dank u"],
  commit: { after: ["en"] },
  plainWords: {
    canYou: "kun kunt zou wil",
    whole: "hele",
    changeNothing: "niets zonder",
    followsOn: "ook nog",
    newTask: "taak",
  },
};

export const dutchExamples: LanguageExamples = {
  task: ["Los de fout in de parser op", "Kun je een test toevoegen?"],
  question: ["Waarom faalt de test?"],
  passthrough: ["ga door"],
};
