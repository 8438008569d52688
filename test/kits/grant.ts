// Plays the person who types `interlock allow` in another terminal: grants one refused call of the project it runs in.
import { allow } from "../../src/engine/overrides/grant.js";
import { open } from "../../src/hook/open-project.js";

const { store } = await open(process.cwd(), { env: process.env });
const wish = { reason: "the test is wrong", by: "a person", channel: "terminal", ms: 60_000, now: Date.now() } as const;
const granted = allow(store, process.argv[2]!, wish);
if (!granted.ok) throw new Error(granted.why);
