// A lost or damaged door.json, made again from what was registered: the hooks that call the server go on finding it.
// Invariant: a door that can be read is never touched.

import { readDoor } from "../hook/server-address.js";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import { tokenHeader } from "../hosts/claude-code/install/own-entries.js";
import { asString, isObject } from "../model/json.js";
import { draftDoor, writeDoor } from "./new-address.js";

/** The newest registration wins: it was written with the last address there was. */
export function mendDoor(home: string): void {
  if (readDoor(home)) return;
  const installs = Object.values(readManifest(home).installs).sort((a, b) => (a.at < b.at ? 1 : -1));
  for (const handler of installs.flatMap(({ handlers }) => Object.values(handlers))) {
    const headers = isObject(handler["headers"]) ? handler["headers"] : {};
    const token = asString(headers[tokenHeader]);
    const port = Number(/^http:\/\/127\.0\.0\.1:(\d+)\//.exec(asString(handler["url"]) ?? "")?.[1]);
    if (handler["type"] !== "http" || !token || !port) continue;
    writeDoor(home, { ...draftDoor(home), port, token });
    return;
  }
}
