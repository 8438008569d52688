// `interlock intent scope`: what agents asked for, and a person's decision.
// Invariant: only a person decides; a request is decided once.
import { addIntentScope } from "../../../intents/document.js";
import { UsageError, unknownWord } from "../args.js";
import { person } from "../confirm.js";
import { printJson } from "../current-project.js";
import { green, shown } from "../paint.js";
import { stateWithWords } from "../state-write.js";
import { say } from "../wrap.js";
import { answered, answerRefusal, type IntentHere, intentUsage, personsChange } from "./intent-here.js";
import { changeIntents, decideRequest, requestsIn } from "./intent-store.js";
import { requestLine } from "./intent-views.js";

export function decideScope(here: IntentHere): number {
  const [verb = "list", id, ...patterns] = here.words;
  const state = stateWithWords(here.opened.store);
  const requests = requestsIn(state);
  if (verb === "list") {
    if (here.values.json) printJson({ requests });
    else say(requests.map((r) => requestLine(r, here.now)).join("\n") || "Nobody asked for more scope.");
    return 0;
  }
  if (verb === "add") {
    if (id === undefined || !patterns.length)
      throw new UsageError(`say which intent and which patterns\n${intentUsage}`);
    const body = { command: "scope add", intent: id, patterns };
    const said = `${green(id)} may change ${patterns.join(", ")} too.`;
    return personsChange(here, body, (text) => addIntentScope(text ?? "", id, patterns, here.now), said);
  }
  if (verb !== "approve" && verb !== "refuse")
    throw unknownWord("unknown: scope", verb, ["list", "approve", "refuse", "add"], intentUsage);
  const request = requests.find((r) => r.id === id);
  if (!request)
    return answerRefusal(here, `there is no request "${shown(id ?? "", 40)}"; list them: interlock intent scope list`);
  if (request.decided) return answerRefusal(here, `${request.id} was ${request.decided} already`);
  const by = person(here.values.json);
  if (by === undefined) return 1;
  const decided = verb === "approve" ? "approved" : "refused";
  const body = { command: `scope ${verb}`, request: request.id, intent: request.intent, paths: request.paths, by };
  const refused = changeIntents(here.opened.store, here.root, {
    body,
    ...(verb === "approve" && {
      edit: (text: string | undefined) => addIntentScope(text ?? "", request.intent, request.paths, here.now),
    }),
    next: (newest) => decideRequest(newest, request.id, decided, by),
  });
  if (refused !== undefined) return answerRefusal(here, refused);
  return answered(here, `${request.id} ${decided}: ${request.intent}, ${shown(request.paths.join(", "), 120)}.`, body);
}
