// `interlock kit` with the real Claude Code in a network namespace where only the scripted model exists.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { loopbackClientEnv } from "../../src/live/claude.js";
import { confine, isolation } from "../../src/live/isolate.js";
import { type Script, startModel } from "../../src/live/model.js";
import { toldIn } from "../../src/live/stream.js";
import type { Installed } from "./installed.js";
import { binary } from "./workplace.js";

export interface KitSessionResult {
  run_id: string;
  status: string;
  exit_code: number;
  paths: { capsule: string; manifest: string };
}

/** `ports`: what of loopback the client may reach besides the model. */
export async function kitSession(place: Installed, args: readonly string[], scripts: Script[], ports: number[] = []) {
  const model = await startModel(scripts);
  const confined = await confine([process.execPath, place.script, "kit", "--json", ...args], {
    cwd: place.project,
    env: {
      PATH: `${place.path("../bin")}:${dirname(binary)}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: place.home,
      INTERLOCK_KIT_CLAUDE: binary,
      ...loopbackClientEnv(model.port),
    },
    ports: [model.port, ...ports],
    way: isolation(),
  });
  try {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    confined.child.stdout!.on("data", (part: Buffer) => out.push(part));
    confined.child.stderr!.on("data", (part: Buffer) => err.push(part));
    await new Promise((resolve) => confined.child.on("close", resolve));
    const stderr = Buffer.concat(err).toString("utf8");
    const text = Buffer.concat(out).toString("utf8");
    assert.ok(text, stderr);
    /** The first message of each conversation, as the model got it. */
    const prompts = model.requests
      .filter((request) => request.step === 0)
      .map(({ marker, messages }) => ({ marker, text: JSON.stringify(messages[0]?.content ?? "") }));
    return { result: JSON.parse(text) as KitSessionResult, told: toldIn(model.requests).told, stderr, prompts };
  } finally {
    await confined.end();
    await model.close();
  }
}

/** The last words of a phase. */
export const capsuleText = (goal: string, status: string): string => `All done.
===CAPSULE===
Goal: ${goal}
What happened: the phase was done as the rules say
Current status: ${status}
Next action requested (exactly one): go on with the next phase
Evidence pointers: the manifest
If blocked: not blocked
===/CAPSULE===`;
