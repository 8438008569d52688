// What git says about a large work tree, asked once per event: gates that prove something and the look share it.
import { indexSize, largeIndex, lookByStatusNow, type StatusLook } from "../project/tree-status.js";
import type { Facts } from "./index.js";

/** Undefined for other repositories, in small trees, where single questions are cheaper, and when git is too slow. */
export function largeTreeStatus(facts: Facts, repo: string): StatusLook | undefined {
  const { gitDir, root } = facts.world.project;
  if (repo !== root) return undefined;
  return facts.once("large tree status", () => {
    if (!gitDir || indexSize(gitDir) <= largeIndex) return undefined;
    const look = lookByStatusNow(root, gitDir, 5_000);
    asked.set(facts, look);
    return look;
  });
}

const asked = new WeakMap<Facts, StatusLook | undefined>();

/** Only what was asked already. */
export const knownTreeStatus = (facts: Facts): StatusLook | undefined => asked.get(facts);
