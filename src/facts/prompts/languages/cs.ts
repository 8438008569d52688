// How people ask in Czech. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const czech: PromptLanguage = {
  tag: "cs",
  change: ["oprav", "přidej", "smaž"],
  canYou: ["můžeš", "mohl bys"],
  explain: ["vysvětl"],
  questionWords: ["jak", "proč", "kde", "co"],
  please: ["prosím"],
  except: ["do"],
  followsOn: ["také", "ještě"],
  yes: ["ano", "jo", "dobře"],
  replies: ["ne", "díky", "děkuji", "pokračuj", "dál"],
};

export const czechExamples: LanguageExamples = {
  task: ["Oprav chybu v parseru"],
  question: ["Proč test selhává?"],
  passthrough: ["ano"],
};
