// The form of active_intents.yaml; schema/active-intents.schema.json is generated from it.
// Invariant: fields nobody knows are kept and mean nothing; a field whose name is nearly a known one is an error.
import * as v from "valibot";
import { intentIdPattern, intentStatuses } from "./intent.js";

const line = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most));
const list = <S extends v.GenericSchema>(item: S, most = 500) => v.nullish(v.pipe(v.array(item), v.maxLength(most)));
const described = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text));

const criterion = v.union([
  line(2_000),
  v.looseObject({
    criterion: line(2_000),
    met: v.optional(v.boolean()),
    evidence: v.optional(v.string()),
    by: v.optional(v.string()),
    at: v.optional(v.string()),
  }),
]);

const id = v.pipe(
  v.string(),
  v.regex(intentIdPattern, "an id is letters, digits, `-`, `_` and `.`, beginning with a letter: INT-001"),
);

export const intentEntry = v.looseObject({
  id: described(id, "unique, for example INT-001; upper and lower case differ"),
  name: v.optional(described(line(300), "one line that says what it is for")),
  status: described(
    v.picklist([...intentStatuses, "COMPLETE"]),
    "files change only under an intent that is IN_PROGRESS; COMPLETED and ARCHIVED are final",
  ),
  owned_scope: described(list(line(1_000)), "patterns of the files it may change; none: nothing may be changed"),
  scope: v.optional(described(v.literal("any"), "instead of owned_scope: every file but the control files")),
  exclusive: v.optional(described(v.boolean(), "false: other intents may change its files too")),
  constraints: described(list(line(2_000)), "rules to follow; children inherit them"),
  acceptance_criteria: described(list(criterion), "what must hold before it is COMPLETED"),
  approval: v.optional(described(v.picklist(["agent", "person"]), "person: only a person takes it up")),
  parent_intent: v.optional(described(id, "its files must be in the parent's scope too; it is completed first")),
  version: v.optional(described(v.pipe(v.number(), v.integer(), v.minValue(0)), "counts changes of behaviour")),
  tags: list(line(100)),
  related_specs: list(v.looseObject({ type: line(100), ref: line(1_000) })),
  created_at: v.optional(v.string()),
  updated_at: v.optional(v.string()),
});

export const activeIntents = v.looseObject({
  active_intents: described(list(intentEntry, 2_000), "the intents of this repository"),
});
