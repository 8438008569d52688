// Reads and writes the notes of many commits at once. The caller holds the trace lock when writing.
import { formatNote, notesRef, parseNote, type TraceNote } from "./note.js";
import type { TraceGit } from "./trace-git.js";

export class NotesStore {
  #tip: string | undefined;
  #list: Map<string, string> | undefined;
  #read = new Map<string, TraceNote | undefined>();

  constructor(private readonly git: TraceGit) {}

  /** Commit -> object of its note. */
  async list(): Promise<ReadonlyMap<string, string>> {
    if (this.#list) return this.#list;
    this.#list = new Map();
    const tip = await this.git.object(`${notesRef}^{commit}`);
    const tree = /^tree (\S+)$/m.exec(tip?.data.toString("latin1") ?? "")?.[1];
    this.#tip = tip?.oid;
    if (tree) await this.#readTree(tree, "", this.#list);
    return this.#list;
  }

  /** Git spreads many notes over folders: ab/cdef... is the note of abcdef... */
  async #readTree(oid: string, prefix: string, list: Map<string, string>): Promise<void> {
    const tree = await this.git.object(oid);
    if (tree?.type !== "tree") return;
    const { data } = tree;
    const hashBytes = oid.length / 2;
    for (let at = 0; at < data.length; ) {
      const end = data.indexOf(0, at);
      const [mode, name = ""] = data.toString("latin1", at, end).split(" ");
      const entry = data.toString("hex", end + 1, end + 1 + hashBytes);
      if (mode === "40000") await this.#readTree(entry, prefix + name, list);
      else if (/^[0-9a-f]+$/.test(name)) list.set(prefix + name, entry);
      at = end + 1 + hashBytes;
    }
  }

  async of(commit: string): Promise<TraceNote | undefined> {
    if (this.#read.has(commit)) return this.#read.get(commit);
    const oid = (await this.list()).get(commit);
    const found = oid ? await this.git.object(oid) : undefined;
    const note = found?.type === "blob" ? parseNote(found.data.toString("utf8")) : undefined;
    this.#read.set(commit, note);
    return note;
  }

  /** All in one commit of the notes' branch. Throws when git refuses. */
  async write(notes: ReadonlyMap<string, TraceNote>, at: number): Promise<void> {
    if (!notes.size) return;
    await this.list();
    const head = this.#tip;
    const parts: Buffer[] = [];
    const add = (text: string) => parts.push(Buffer.from(text));
    const message = `Attribution of ${notes.size} commit${notes.size === 1 ? "" : "s"}\n`;
    add(`commit ${notesRef}\ncommitter Interlock <interlock@localhost> ${Math.floor(at / 1000)} +0000\n`);
    add(`data ${Buffer.byteLength(message)}\n${message}`);
    if (head) add(`from ${head}\n`);
    for (const [commit, note] of notes) {
      const text = Buffer.from(formatNote(note));
      add(`N inline ${commit}\ndata ${text.length}\n`);
      parts.push(text);
      add("\n");
      this.#read.set(commit, note);
    }
    add("\ndone\n");
    const written = await this.git.run(["fast-import", "--quiet", "--done"], Buffer.concat(parts));
    if (!written) throw new Error(`git refused to write ${notesRef}`);
    this.#list = undefined;
    this.git.close(); // its reader may not see the new objects
  }
}
