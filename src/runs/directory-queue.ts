// The queue as folders of interop/: requests -> claimed -> done by atomic rename, answers in responses/.
// Invariant: a response is created by link, so it is written once, whole; a request that has one is never handed out
// again.
import { randomBytes } from "node:crypto";
import {
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { asString, isObject } from "../model/json.js";
import { sha256 } from "../model/sha256.js";
import { readBounded } from "../project/bounded-read.js";
import { isRequestId, isRunId } from "./ids.js";
import { isFree, type Lease, leaseName, parseLease } from "./lease-name.js";
import { type QueueEntry, QueueError, type RequestClaim, type RequestQueue } from "./queue.js";
import { parseResponse } from "./response.js";
import {
  assertValid,
  type InteropRequest,
  type InteropResponse,
  interopLimits,
  requestSchema,
  responseSchema,
} from "./schemas.js";

export interface DirectoryQueueOptions {
  leaseMs?: number;
  maxAttempts?: number;
}

export const interopFolders = ["requests", "claimed", "done", "responses", "slots", "turn"] as const;
type Folder = (typeof interopFolders)[number];

export class DirectoryQueue implements RequestQueue {
  readonly #root: string;
  readonly #leaseMs: number;
  readonly #maxAttempts: number;
  /** File name -> rank, so that every request is looked into once. */
  #ranks = new Map<string, number>();

  constructor(project: string, options: DirectoryQueueOptions = {}) {
    this.#root = join(project, "interop");
    this.#leaseMs = options.leaseMs ?? 60_000;
    this.#maxAttempts = options.maxAttempts ?? 3;
    mkdirSync(this.#root, { recursive: true });
    for (const folder of ["", ...interopFolders]) this.#makeReal(folder);
  }

  async enqueue(request: InteropRequest): Promise<void> {
    assertValid(requestSchema, request, "the request");
    const id = request.request_id;
    const taken = (await this.list()).some((entry) => entry.id === id) || this.#answered(id);
    if (taken || !this.#create("requests", `${id}.json`, `${JSON.stringify(request, null, 2)}\n`))
      throw new QueueError(`request ${id} exists already`, "choose another id, or leave it out");
  }

  async claim({ id }: { id?: string } = {}): Promise<RequestClaim | undefined> {
    return this.#takeOver(id) ?? this.#takeNew(id);
  }

  async renew(claim: RequestClaim): Promise<boolean> {
    const expiresAt = Date.now() + this.#leaseMs;
    const name = leaseName(claim.id, claim.attempt, expiresAt);
    if (!this.#move("claimed", claim.token, "claimed", name)) return false;
    claim.token = name;
    claim.expiresAt = expiresAt;
    return true;
  }

  async complete(claim: RequestClaim, response: InteropResponse): Promise<boolean> {
    assertValid(responseSchema, response, "the response");
    if (!this.#at("claimed", claim.token)) return false;
    const first = this.#create("responses", `${claim.id}.json`, `${JSON.stringify(response, null, 2)}\n`);
    this.#finish("claimed", claim.token, claim.id);
    return first;
  }

  async retry(claim: RequestClaim, delayMs: number): Promise<boolean> {
    return this.#move(
      "claimed",
      claim.token,
      "claimed",
      leaseName(claim.id, claim.attempt, Date.now() + delayMs, false),
    );
  }

  async admit(parentRunId: string, requestId: string, limit: number): Promise<boolean> {
    if (!isRunId(parentRunId)) return false;
    const folder = join(this.#root, "slots", parentRunId);
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < limit; n++) {
      if (this.#create("slots", join(parentRunId, String(n)), requestId)) return true;
      if (readFileSync(join(folder, String(n)), "utf8") === requestId) return true;
    }
    return false;
  }

  async response(id: string): Promise<InteropResponse | undefined> {
    if (!isRequestId(id) || !this.#answered(id)) return undefined;
    const text = readBounded(join(this.#root, "responses", `${id}.json`), interopLimits.responseBytes, noFollow);
    return parseResponse(text.toString("utf8")).response;
  }

  async list(): Promise<QueueEntry[]> {
    const waiting = this.#names("requests").map((name) => ({ id: idOf(name), state: "waiting" as const, attempt: 0 }));
    const claimed = this.#leases().map(({ lease: { id, attempt, pid, expiresAt } }) => ({
      id,
      state: pid === 0 ? ("retrying" as const) : ("claimed" as const),
      attempt,
      ...(pid > 0 && { ownerPid: pid }),
      expiresAt,
    }));
    const done = this.#names("done").map((name) => ({ id: idOf(name), state: "done" as const, attempt: 0 }));
    return [...waiting, ...claimed, ...done].map((entry) => ({ ...entry, answered: this.#answered(entry.id) }));
  }

  /** Requests whose worker died, was too slow, or gave them back. */
  #takeOver(wanted: string | undefined): RequestClaim | undefined {
    const now = Date.now();
    for (const { name, lease } of this.#leases()) {
      if ((wanted !== undefined && lease.id !== wanted) || !isFree(lease, now)) continue;
      // The worker may have died between answering and closing.
      if (this.#answered(lease.id)) this.#finish("claimed", name, lease.id);
      else {
        const claim = this.#claimed("claimed", name, lease.id, lease.attempt + 1);
        if (claim) return claim;
      }
    }
    return undefined;
  }

  #takeNew(wanted: string | undefined): RequestClaim | undefined {
    const names = this.#names("requests").filter((name) => wanted === undefined || idOf(name) === wanted);
    const ranked = names.map((name) => ({ name, rank: this.#rank(name) }));
    for (const { name } of ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))) {
      const id = idOf(name);
      if (this.#answered(id)) this.#finish("requests", name, id);
      else {
        const claim = this.#claimed("requests", name, id, 1);
        if (claim) return claim;
      }
    }
    return undefined;
  }

  #claimed(from: Folder, name: string, id: string, attempt: number): RequestClaim | undefined {
    const expiresAt = Date.now() + this.#leaseMs;
    const token = leaseName(id, attempt, expiresAt);
    if (!this.#move(from, name, "claimed", token)) return undefined;
    this.#ranks.delete(name);
    return { id, attempt, exhausted: attempt > this.#maxAttempts, token, expiresAt, ...this.#content(token) };
  }

  #content(token: string): { text: string } | { unreadable: string } {
    try {
      return {
        text: readBounded(join(this.#root, "claimed", token), interopLimits.requestBytes, noFollow).toString("utf8"),
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const known: Record<string, string> = {
        ELOOP: "it is a symbolic link",
        EFBIG: `it is larger than ${interopLimits.requestBytes} bytes`,
        EINVAL: "it is no regular file",
        EISDIR: "it is a folder",
        ENXIO: "it is no regular file",
      };
      return { unreadable: known[code ?? ""] ?? `it can't be read (${code})` };
    }
  }

  #rank(name: string): number {
    const known = this.#ranks.get(name);
    if (known !== undefined) return known;
    const rank = priorityIn(join(this.#root, "requests", name));
    if (this.#ranks.size > 10_000) this.#ranks.clear();
    this.#ranks.set(name, rank);
    return rank;
  }

  #leases(): { name: string; lease: Lease }[] {
    return this.#names("claimed").flatMap((name) => {
      const lease = parseLease(name);
      return lease ? [{ name, lease }] : [];
    });
  }

  #names(folder: Folder): string[] {
    return readdirSync(join(this.#root, folder))
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort();
  }

  #at(folder: Folder, name: string): boolean {
    return lstatSync(join(this.#root, folder, name), { throwIfNoEntry: false }) !== undefined;
  }

  #answered(id: string): boolean {
    return this.#at("responses", `${id}.json`);
  }

  #finish(from: Folder, name: string, id: string): void {
    const again = this.#at("done", `${id}.json`) ? `${id}.again-${randomBytes(4).toString("hex")}.json` : `${id}.json`;
    this.#move(from, name, "done", again);
  }

  /** False: somebody else was quicker. */
  #move(from: Folder, name: string, to: Folder, as: string): boolean {
    try {
      renameSync(join(this.#root, from, name), join(this.#root, to, as));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  }

  /** Whole or not at all, and only if there is none. */
  #create(folder: Folder, name: string, text: string): boolean {
    const temporary = join(this.#root, folder, `.${randomBytes(8).toString("hex")}.tmp`);
    writeFileSync(temporary, text, { flag: "wx", flush: true } as object);
    try {
      linkSync(temporary, join(this.#root, folder, name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** A link in place of a folder would send answers elsewhere. */
  #makeReal(folder: string): void {
    const path = join(this.#root, folder);
    mkdirSync(path, { recursive: true });
    if (!lstatSync(path).isDirectory())
      throw new QueueError(`${join("interop", folder)} is no folder of its own`, "replace the link by a real folder");
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;

/** A file whose name is no id still gets an answer, under a made-up one. */
const idOf = (name: string): string => {
  const stem = name.replace(/\.json$/, "");
  return isRequestId(stem) ? stem : `bad-${sha256(stem).slice(0, 12)}`;
};

/** 0 first. What can't be read comes in the middle, as any other. */
function priorityIn(path: string): number {
  try {
    const value: unknown = JSON.parse(readBounded(path, interopLimits.requestBytes, noFollow).toString("utf8"));
    const said = isObject(value) ? asString(value["priority"]) : undefined;
    return said === "high" ? 0 : said === "low" ? 2 : 1;
  } catch {
    return 1;
  }
}
