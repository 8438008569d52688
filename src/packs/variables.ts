// The variables of the agent's environment that gates of any pack ask for: what has to travel to a server that does not live in it.
import { registry } from "./registry.js";

export async function gateVariables(): Promise<string[]> {
  const packs = await Promise.all(registry.map(async (entry) => (await entry.load()).default));
  return [...new Set(packs.flatMap((pack) => pack.gates.flatMap((gate) => gate.env ?? [])))].sort();
}
