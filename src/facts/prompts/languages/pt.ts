// How people ask in Portuguese. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const portuguese: PromptLanguage = {
  tag: "pt",
  change: ["adicion", "remov", "conserte", "corrij", "implement"],
  canYou: ["você pode", "você poderia", "podes", "poderias"],
  explain: ["expli(?:qu|ca)", "mostrar"],
  questionWords: ["como", "por que", "o que", "onde", "qual", "quais", "quem"],
  please: ["por favor"],
  whole: [String.raw`tod[ao]s?\s+(?:el|la|los|las|o|a|os|as)`],
  changeNothing: [
    String.raw`não\s+(?:mude|altere|modifique|edite|mexa\s+em)\s+nada{except}`,
    String.raw`sem\s+(?:alterar|mudar|modificar)\s+(?:nada|o\s+código){except}`,
  ],
  except: ["outr", "além", "exceto", "em"],
  followsOn: ["também", "isso", "ainda"],
  newTask: ["nova tarefa", "outra coisa"],
  yes: ["sim", "pode fazer", "pode ir", "beleza", "isso", "certo"],
  replies: ["não", "obrigado", "obrigada", "valeu", "siga", "olá"],
  courtesies: ["por favor"],
  commit: { after: ["e"] },
  push: { after: ["e"] },
  plainWords: {
    canYou: "podes",
    whole: "toda todo todas todos",
    changeNothing: "nada sem",
    followsOn: "isso ainda",
    newTask: "tarefa coisa",
  },
};

export const portugueseExamples: LanguageExamples = {
  task: ["Corrija o erro no parser", "Você pode adicionar um teste?"],
  question: ["Por que o teste falha?", "O que essa função faz?", "Como remover um arquivo?"],
  passthrough: ["sim", "continua", "obrigado"],
};
