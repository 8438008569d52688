import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import type { HookEntry } from "../settings/settings.js";
import { driftOf } from "./entry-drift.js";
import { ourHandler, type Registration } from "./own-entries.js";

const command = { node: "/n/node", script: "/n/dist/interlock.cjs" };
const base: Registration = { command, timeoutSeconds: 30, clientVersion: "2.1.325", home: "/h" };
const doors: Record<string, Registration> = {
  http: { ...base, served: { shim: "/h/bin/interlock.sh", url: "http://127.0.0.1:1", token: "t", env: ["A"] } },
  shim: { ...base, served: { shim: "/h/bin/interlock.sh", env: ["A"] } },
  command: base,
};
const events = ["PreToolUse", "ConfigChange", "Stop", "SessionStart"];
const wanted = (door: string) => Object.fromEntries(events.map((event) => [event, ourHandler(event, doors[door]!)]));

function drift(door: string, change: (entries: HookEntry[]) => void, clientKnown = true): string {
  const entries = Object.entries(structuredClone(wanted(door))).map(
    ([event, handler]): HookEntry => ({ event, group: 0, index: 0, handler }),
  );
  change(entries);
  return driftOf(entries, wanted(door), clientKnown).join("; ");
}

const call = (change: (handler: JsonObject) => void) => (entries: HookEntry[]) => change(entries[0]!.handler);

const changed: [string, string, (entries: HookEntry[]) => void, RegExp][] = [
  ["narrowed by a matcher", "http", ([e]) => void (e!.matcher = "Bash"), /PreToolUse is asked about for "Bash" only/],
  ["narrowed by a condition", "command", call((h) => (h["if"] = "Bash(git *)")), /if is "Bash\(git \*\)", nothing/],
  ["too late to count", "command", call((h) => (h["async"] = true)), /async is true, nothing belongs there/],
  ["no time to answer", "shim", call((h) => (h["timeout"] = 1)), /timeout is 1 instead of 30/],
  ["the client's own time", "http", call((h) => delete h["timeout"]), /timeout is missing, 30 belongs there/],
  [
    "open when it fails",
    "http",
    ([, e]) => delete e!.handler["onFailure"],
    /ConfigChange: onFailure is missing, "block"/,
  ],
  ["another event's address", "http", call((h) => (h["url"] = String(h["url"]).replace("Pre", "Post"))), /url is /],
  ["another secret", "http", call((h) => (h["headers"] = { "x-interlock-token": "SECRET" })), /headers are others/],
  ["another event", "command", call((h) => (h["args"] as string[]).splice(4, 1, "Stop")), /--event Stop/],
  ["another record", "command", call((h) => (h["args"] as string[]).splice(6, 1, "/x")), /--home \/x" instead of/],
  ["another shim", "shim", call((h) => (h["args"] as string[]).splice(0, 1, "/x/interlock.sh")), /runs "\/bin\/sh \/x/],
  [
    "another door",
    "http",
    (e) => void (e[0]!.handler = wanted("command")["PreToolUse"]!),
    /comes by command instead of http/,
  ],
  ["twice", "http", (e) => void e.push({ ...e[0]!, index: 1 }), /PreToolUse is registered 2 times/],
  [
    "of an older version",
    "http",
    (e) => void e.push({ ...e[0]!, event: "Setup" }),
    /Setup is registered and no longer/,
  ],
];
for (const [name, door, change, said] of changed)
  test(`drift: ${name}`, () => {
    assert.match(drift(door, change), said);
    assert.doesNotMatch(drift(door, change), /SECRET/);
  });

const same: [string, string, (entries: HookEntry[]) => void, boolean?][] = [
  ...Object.keys(doors).map((door): [string, string, () => void] => [`as written, by ${door}`, door, () => {}]),
  [
    "another Node and another copy of the program",
    "command",
    call((h) =>
      Object.assign(h, { command: "/o/node", args: ["/o/interlock.cjs", ...(h["args"] as string[]).slice(1)] }),
    ),
  ],
  [
    "the shell form",
    "command",
    call((h) =>
      Object.assign(h, {
        command: "/n/node /n/dist/interlock.cjs hook claude-code --event PreToolUse --home /h",
        args: undefined,
      }),
    ),
  ],
  ["a message for the person", "shim", call((h) => (h["statusMessage"] = "judging"))],
  ["a matcher that means everything", "http", ([e]) => void (e!.matcher = "*")],
  ["a client whose version is not known", "command", call((h) => delete h["onFailure"]), false],
  ["an event that is not registered: said elsewhere", "http", (e) => void e.shift()],
];
for (const [name, door, change, known] of same)
  test(`no drift: ${name}`, () => assert.equal(drift(door, change, known), ""));
