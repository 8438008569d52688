// The project of a recorded session, as far as the transcript tells what was in its files at each moment.
// Invariant: the disk is never asked about content, and git never at all: both have moved on since.
import { dirname, resolve } from "node:path";
import type { Project } from "../model/gate.js";
import { asNumber, asString, isObject, type JsonObject } from "../model/json.js";
import { type Followed, realPath } from "../project/canonical-path.js";
import type { CallStep, Step } from "./steps.js";

const writers = new Set(["Write", "Edit", "MultiEdit"]);

export class ReplayProject implements Project {
  readonly root: string;
  readonly id = "look";
  readonly #texts = new Map<string, string>();
  /** Folders with a known file in them, however deep. */
  readonly #folders = new Set<string>();
  readonly #real = new Map<string, string>();

  constructor(
    root: string,
    steps: readonly Step[],
    private readonly followed: Followed,
  ) {
    this.root = realPath(root || "/", followed);
    this.#start(steps);
  }

  read(path: string): string | undefined {
    return this.#texts.get(this.#key(path));
  }

  exists(path: string): boolean {
    const key = this.#key(path);
    return this.#texts.has(key) || this.#folders.has(key);
  }

  list(path: string): string[] {
    const folder = `${this.#key(path)}/`;
    const names = [...this.#texts.keys()].filter((key) => key.startsWith(folder));
    return [...new Set(names.map((key) => key.slice(folder.length).split("/", 1)[0]!))].slice(0, 1000);
  }

  /** Before a call is judged: what its own result says the file held then. */
  expect(call: CallStep): void {
    const path = pathOf(call);
    if (path === undefined || !writers.has(call.tool) || !call.result || call.result.error) return;
    const before = textBefore(call);
    if (before === null) this.#texts.delete(this.#key(path));
    else if (before !== undefined && !same(before, this.read(path))) this.#put(this.#key(path), before);
    else if (before === undefined) this.#assume(call, path);
  }

  /** After a call: what it left behind. */
  apply(call: CallStep): void {
    const path = pathOf(call);
    if (path === undefined || !call.result || call.result.error) return;
    const key = this.#key(path);
    if (call.tool === "Read" || call.tool === "NotebookRead") {
      const shown = wholeFile(call);
      if (shown !== undefined && !same(shown, this.#texts.get(key))) this.#put(key, shown);
      else if (!this.#texts.has(key)) this.#put(key, call.result.text);
    } else if (call.tool === "Write") {
      this.#put(key, asString(call.input["content"]) ?? "");
    } else if (writers.has(call.tool)) {
      this.#put(key, edited(this.#texts.get(key) ?? "", editsOf(call)));
    }
  }

  show(path: string, content: string): void {
    const key = this.#key(path);
    if (!this.#texts.has(key)) this.#put(key, content);
  }

  #put(key: string, text: string): void {
    this.#texts.set(key, text);
    for (let folder = dirname(key); !this.#folders.has(folder); folder = dirname(folder)) this.#folders.add(folder);
  }

  /** An edit that succeeded found its old text, whatever else the file held. */
  #assume(call: CallStep, path: string): void {
    const old = editsOf(call).map((edit) => edit.old);
    const now = this.read(path);
    if (!old.length || old.every((text) => text === "" || now?.includes(text))) return;
    this.#put(this.#key(path), [now ?? "", ...old].join("\n"));
  }

  /** The first thing the session learns of a file is what it was at the start. */
  #start(steps: readonly Step[]): void {
    const known = new Set<string>();
    for (const step of steps) {
      if (step.kind !== "call" || !step.result || step.result.error) continue;
      const path = pathOf(step);
      if (path === undefined) continue;
      const key = this.#key(path);
      if (known.has(key)) continue;
      const text = step.tool === "Read" ? wholeFile(step) : writers.has(step.tool) ? textBefore(step) : undefined;
      if (text === undefined && !writers.has(step.tool)) continue;
      known.add(key);
      if (typeof text === "string") this.#put(key, text);
    }
  }

  #key(path: string): string {
    let real = this.#real.get(path);
    if (real === undefined) this.#real.set(path, (real = realPath(resolve(this.root, path), this.followed)));
    return real;
  }
}

const pathOf = ({ input }: CallStep): string | undefined =>
  asString(input["file_path"]) ?? asString(input["notebook_path"]);

const detailsOf = ({ result }: CallStep): JsonObject => (isObject(result?.details) ? result.details : {});

/** The file before a write: null where there was none, undefined where the transcript does not tell. */
function textBefore(call: CallStep): string | null | undefined {
  const details = detailsOf(call);
  if (details["type"] === "create") return null;
  return asString(details["originalFile"]);
}

/** What a Read showed, if that was all of the file. */
function wholeFile(call: CallStep): string | undefined {
  const file = detailsOf(call)["file"];
  if (!isObject(file)) return undefined;
  const [start, lines, total] = ["startLine", "numLines", "totalLines"].map((name) => asNumber(file[name]));
  const whole = (start === undefined || start <= 1) && (total === undefined || lines === total);
  return whole ? asString(file["content"]) : undefined;
}

/** Equal but for line ends, which the client translates. */
function same(a: string, b: string | undefined): boolean {
  if (a === b) return true;
  if (b === undefined || Math.abs(a.length - b.length) > a.length / 10 + 2) return false;
  return a.replaceAll("\r\n", "\n").trimEnd() === b.replaceAll("\r\n", "\n").trimEnd();
}

function editsOf({ input }: CallStep): { old: string; new: string; all: boolean }[] {
  const list = Array.isArray(input["edits"]) ? input["edits"] : [input];
  return list.filter(isObject).map((edit) => ({
    old: asString(edit["old_string"]) ?? "",
    new: asString(edit["new_string"]) ?? "",
    all: edit["replace_all"] === true,
  }));
}

function edited(text: string, edits: readonly { old: string; new: string; all: boolean }[]): string {
  let now = text;
  for (const edit of edits) {
    if (edit.old === "") now = now === "" ? edit.new : now;
    else if (edit.all) now = now.split(edit.old).join(edit.new);
    else now = now.replace(edit.old, () => edit.new);
  }
  return now;
}
