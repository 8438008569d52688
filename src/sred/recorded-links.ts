// The SR&ED commits in Interlock's record, with their claims and patch-ids.
import { isObject, type JsonObject } from "../model/json.js";
import type { Store } from "../store/index.js";
import type { CommitLinkRecord } from "./patch-links.js";

/** The results of the act `sred-link`, newest last. */
export function recordedLinks(store: Store): CommitLinkRecord[] {
  const links: CommitLinkRecord[] = [];
  for (const { body } of store.records())
    for (const act of ((body as JsonObject | undefined)?.["acts"] as unknown[] | undefined) ?? []) {
      const link = isObject(act) && act["act"] === "sred-link" ? act["link"] : undefined;
      if (isObject(link) && typeof link["commit"] === "string" && Array.isArray(link["claims"]))
        links.push(link as unknown as CommitLinkRecord);
    }
  return links;
}
