// A lost or damaged address file, made again from what was registered, so that registered hooks still find the server.
// Invariant: an address file that can be read is never touched.
import { readAddress, type ServerAddress } from "../hook/server-address.js";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import { tokenHeader } from "../hosts/claude-code/install/own-entries.js";
import { asString, isObject } from "../model/json.js";
import { draftAddress, writeAddress } from "./new-address.js";

/** The address in the newest registration over http: it was written with the last address there was. */
export function registeredAddress(home: string): ServerAddress | undefined {
  const installs = Object.values(readManifest(home).installs).sort((a, b) => (a.at < b.at ? 1 : -1));
  for (const handler of installs.flatMap(({ handlers }) => Object.values(handlers))) {
    const headers = isObject(handler["headers"]) ? handler["headers"] : {};
    const token = asString(headers[tokenHeader]);
    const port = Number(/^http:\/\/127\.0\.0\.1:(\d+)\//.exec(asString(handler["url"]) ?? "")?.[1]);
    if (handler["type"] === "http" && token && port) return { ...draftAddress(home), port, token };
  }
  return undefined;
}

export function restoreAddress(home: string): void {
  if (readAddress(home)) return;
  const address = registeredAddress(home);
  if (address) writeAddress(home, address);
}
