// Words in the state (paths, names of servers) are written as ciphertext; each session has a key of its own beside the
// ledger. Invariant: ledger and snapshot hold no such word in clear. Removing a session's key erases its words and
// changes nothing else. The same word has the same ciphertext within a session, so a patch finds the member it changes.
import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { sha256 } from "../../model/sha256.js";
import { type Io, listDir, readOr, replaceStoreFile, type Stamp, sameStamp, statOr } from "../io.js";
import type { Layout } from "../layout.js";
import { putMember } from "./merge-patch.js";
import { sessionOfSlice } from "./session-archive.js";

interface WordKey {
  /** The session as slices name it; empty for slices of the project. */
  session: string;
  at: string;
  /** 32 hex digits. */
  key: string;
}

const cipher = "~=";
/** Members and values of the code itself, numbers, times, and ids that agents and Interlock make. */
const open =
  /^(?:[A-Za-z]{0,24}|[\d.:-]*|\d{4}-\d\d-\d\dT[\d:.]+Z|~[0-9a-f]{16}|~=[\w/-]+|(?:c:|x)?(?:toolu|call|msg)_\w+|v-\d+|[0-9a-f-]{8,})$/;
const isHidden = (text: string): boolean => text.startsWith(cipher);
const nonceBytes = 8;
const mostKnown = 4_000;

const fileOf = (at: Pick<Layout, "texts">, session: string): string =>
  join(at.texts, `keys-${sha256(session).slice(0, 2)}.jsonl`);
const ownerOf = (slice: string): string => sessionOfSlice(slice) ?? "";

export class HiddenWords {
  readonly #files = new Map<string, { stamp: Stamp | undefined; keys: WordKey[] }>();
  readonly #ciphers = new Map<string, WordCipher>();
  readonly #shown = new WeakMap<object, Json>();

  constructor(
    private readonly io: Io,
    private readonly at: Pick<Layout, "texts">,
  ) {}

  /** The patch as it is written. `state`: as it stands there; members that are in clear keep their names. Makes missing
   * keys. Called under the lock. */
  hide(patch: JsonObject, state: JsonObject, about: { at: string; nonce: string; sync: boolean }): JsonObject {
    const hidden: JsonObject = {};
    for (const slice of Object.keys(patch)) {
      const session = ownerOf(slice);
      let key: WordCipher | undefined;
      const put = (word: string) => (key ??= this.#cipherOf(session) ?? this.#make(session, about)).hide(word);
      putMember(hidden, slice, hiddenIn(patch[slice]!, Object.hasOwn(state, slice) ? state[slice] : undefined, put));
    }
    return hidden;
  }

  /** The state with its words. `session`: only its slices and those of the project; others stay as they are. */
  show(state: JsonObject, session?: string): JsonObject {
    let shown: JsonObject | undefined;
    for (const slice of Object.keys(state)) {
      const value = state[slice]!;
      const owner = ownerOf(slice);
      if (session !== undefined && owner !== "" && owner !== session) continue;
      const words = this.#showSlice(value, owner);
      if (words !== value) putMember((shown ??= { ...state }), slice, words);
    }
    return shown ?? state;
  }

  #showSlice(value: Json, owner: string): Json {
    const held = typeof value === "object" && value !== null;
    const known = held ? this.#shown.get(value) : undefined;
    if (known !== undefined) return known;
    let key: WordCipher | undefined | null = null;
    const word = (text: string) => {
      if (key === null) key = this.#cipherOf(owner);
      return key?.show(text) ?? text;
    };
    const words = shownIn(value, word);
    if (held) this.#shown.set(value, words);
    return words;
  }

  /** Removes the keys that `goes` names; returns how many. Called under the lock. */
  erase(goes: (key: WordKey) => boolean, nonce: string, dry: boolean): number {
    let gone = 0;
    for (const name of listDir(this.io, this.at.texts).filter((one) => /^keys-[0-9a-f]{2}\.jsonl$/.test(one))) {
      const path = join(this.at.texts, name);
      const all = this.#read(path);
      const kept = all.filter((key) => !goes(key));
      gone += all.length - kept.length;
      if (dry || kept.length === all.length) continue;
      if (kept.length) replaceStoreFile(this.io, path, linesOf(kept), nonce, true);
      else this.io.unlinkSync(path);
    }
    return gone;
  }

  #cipherOf(session: string): WordCipher | undefined {
    const key = this.#read(fileOf(this.at, session)).find((one) => one.session === session)?.key;
    if (key === undefined) return undefined;
    const known = this.#ciphers.get(key);
    if (known) return known;
    if (this.#ciphers.size > 256) this.#ciphers.clear();
    const made = new WordCipher(Buffer.from(key, "hex"));
    this.#ciphers.set(key, made);
    return made;
  }

  #make(session: string, { at, nonce, sync }: { at: string; nonce: string; sync: boolean }): WordCipher {
    const path = fileOf(this.at, session);
    const keys = [...this.#read(path), { session, at, key: randomBytes(16).toString("hex") }];
    this.io.mkdirSync(this.at.texts, { recursive: true, mode: 0o700 });
    replaceStoreFile(this.io, path, linesOf(keys), nonce, sync);
    return this.#cipherOf(session)!;
  }

  #read(path: string): WordKey[] {
    const stamp = statOr(this.io, path);
    const known = this.#files.get(path);
    if (known && (known.stamp ? sameStamp(known.stamp, stamp) : !stamp)) return known.keys;
    const keys = (stamp && readOr(this.io, path)?.toString("utf8").split("\n").flatMap(keyIn)) || [];
    this.#files.set(path, { stamp, keys });
    return keys;
  }
}

const linesOf = (keys: readonly WordKey[]): Buffer =>
  Buffer.from(keys.map((key) => `${JSON.stringify(key)}\n`).join(""));

function keyIn(line: string): WordKey[] {
  try {
    const key = JSON.parse(line) as WordKey;
    return /^[0-9a-f]{32}$/.test(key.key) && typeof key.session === "string" ? [key] : [];
  } catch {
    return []; // damaged: its words are gone
  }
}

/** AES-256-CTR under a nonce that is a keyed hash of the word: the same word gives the same text, and a changed text is
 * noticed. */
class WordCipher {
  readonly #encryption: Buffer;
  readonly #hidden = new Map<string, string>();

  constructor(private readonly key: Buffer) {
    this.#encryption = createHmac("sha256", key).update("interlock-word-encryption").digest();
  }

  /** A folder and a name in it are hidden apart: files of one folder then share most of their text. */
  hide(word: string): string {
    const cut = word.lastIndexOf("/");
    return (
      cipher +
      (cut < 0 ? this.#hidePart(word) : `${this.#hidePart(word.slice(0, cut))}/${this.#hidePart(word.slice(cut + 1))}`)
    );
  }

  show(hidden: string): string | undefined {
    const parts = hidden
      .slice(cipher.length)
      .split("/")
      .map((part) => this.#showPart(part));
    return parts.some((part) => part === undefined) ? undefined : parts.join("/");
  }

  #hidePart(word: string): string {
    const known = this.#hidden.get(word);
    if (known) return known;
    const nonce = this.#nonceOf(word);
    const hidden = Buffer.concat([nonce, this.#crypt(nonce, Buffer.from(word))]).toString("base64url");
    if (this.#hidden.size >= mostKnown) this.#hidden.clear();
    this.#hidden.set(word, hidden);
    return hidden;
  }

  #showPart(hidden: string): string | undefined {
    const bytes = Buffer.from(hidden, "base64url");
    const nonce = bytes.subarray(0, nonceBytes);
    if (nonce.length < nonceBytes) return undefined;
    const word = this.#crypt(nonce, bytes.subarray(nonceBytes)).toString("utf8");
    return this.#nonceOf(word).equals(nonce) ? word : undefined;
  }

  /** In counter mode hiding and showing are the same. */
  #crypt(nonce: Buffer, bytes: Buffer): Buffer {
    const counter = Buffer.concat([nonce, Buffer.alloc(16 - nonceBytes)]);
    return createCipheriv("aes-256-ctr", this.#encryption, counter).update(bytes);
  }

  #nonceOf(word: string): Buffer {
    return createHmac("sha256", this.key).update(word).digest().subarray(0, nonceBytes);
  }
}

function hiddenIn(value: Json, state: Json | undefined, put: (word: string) => string): Json {
  if (typeof value === "string") return open.test(value) ? value : put(value);
  if (Array.isArray(value)) return value.map((item) => hiddenIn(item, undefined, put));
  if (!isObject(value)) return value;
  const hidden: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inClear = open.test(key) || (isObject(state) && Object.hasOwn(state, key));
    const name = inClear ? key : put(key);
    const before = isObject(state) && Object.hasOwn(state, name) ? state[name] : undefined;
    putMember(hidden, name, hiddenIn(value[key]!, before, put));
  }
  return hidden;
}

/** The value itself where it holds no hidden word. */
function shownIn(value: Json, word: (text: string) => string): Json {
  if (typeof value === "string") return isHidden(value) ? word(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shownIn(item, word));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const shown: JsonObject = {};
  for (const key of Object.keys(value)) {
    const name = isHidden(key) ? word(key) : key;
    const inner = shownIn(value[key]!, word);
    changed ||= name !== key || inner !== value[key];
    putMember(shown, name, inner);
  }
  return changed ? shown : value;
}
