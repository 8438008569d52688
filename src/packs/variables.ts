// The environment variables that gates read. A hook sends them along to the server, which has another environment.
import { registry } from "./registry.js";

export async function gateVariables(): Promise<string[]> {
  const packs = await Promise.all(registry.map((entry) => entry.load()));
  return [...new Set(packs.flatMap((pack) => pack.gates.flatMap((gate) => gate.env ?? [])))].sort();
}
