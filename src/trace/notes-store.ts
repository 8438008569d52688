// Reads and writes the notes of many commits at once. The caller holds the trace lock when writing.
import { formatNote, type Note, notesRef, parseNote } from "./note.js";
import type { TraceGit } from "./trace-git.js";

export class NotesStore {
  #list: Map<string, string> | undefined;
  #read = new Map<string, Note | undefined>();

  constructor(private readonly git: TraceGit) {}

  /** Commit -> object of its note. */
  async list(): Promise<ReadonlyMap<string, string>> {
    if (this.#list) return this.#list;
    this.#list = new Map();
    const tree = await this.git.text(["ls-tree", "-r", "-z", notesRef]);
    for (const line of tree?.split("\0") ?? []) {
      const found = /^\d+ blob ([0-9a-f]+)\t([0-9a-f/]+)$/.exec(line);
      if (found) this.#list.set(found[2]!.replaceAll("/", ""), found[1]!);
    }
    return this.#list;
  }

  async of(commit: string): Promise<Note | undefined> {
    if (this.#read.has(commit)) return this.#read.get(commit);
    const oid = (await this.list()).get(commit);
    const found = oid ? await this.git.object(oid) : undefined;
    const note = found?.type === "blob" ? parseNote(found.data.toString("utf8")) : undefined;
    this.#read.set(commit, note);
    return note;
  }

  /** All in one commit of the notes' branch. Throws when git refuses. */
  async write(notes: ReadonlyMap<string, Note>, at: number): Promise<void> {
    if (!notes.size) return;
    const head = (await this.git.text(["rev-parse", "-q", "--verify", notesRef]))?.trim();
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
  }
}
