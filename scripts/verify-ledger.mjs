#!/usr/bin/env node
// An independent verifier of Interlock's record, written from docs/ledger-format.md; it shares no code with the writer.
// Usage: node verify-ledger.mjs <home> <project-id> [--json] [--seed <seed printed by interlock seal>]
// Exit codes: 0 intact, 1 texts are missing or it could not check, 4 tampering.
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const FORMAT = 3;
const sha = (data) => createHash("sha256").update(data).digest("hex");
const PREFIX = /^\{"hash":"([0-9a-f]{64})","mac":"([0-9a-f]{64})","record":$/;
const HEAD = 9 + 64 + 9 + 64 + 11;

/** Texts may be erased while they are read: then the record has moved on, and says so at the second look. */
export function verifyLedger(home, id, options = {}) {
  for (let looks = 1; ; looks++) {
    const { moved, ...found } = lookAt(home, id, options);
    if (looks === 3 || !moved || !(found.texts.altered || found.texts.missing)) return found;
  }
}

function lookAt(home, id, { first = false, seed } = {}) {
  const result = {
    verdict: "intact",
    records: 0,
    segments: 0,
    last: 0,
    firstBad: undefined,
    problems: [],
    warnings: [],
    notices: [],
    accepted: 0,
    texts: { altered: 0, missing: 0, lost: 0 },
  };
  const keyText = existsSync(join(home, "key")) ? readFileSync(join(home, "key"), "latin1") : "";
  const key = /^[0-9a-f]{64}\n$/.test(keyText) ? Buffer.from(keyText.slice(0, 64), "hex") : undefined;
  const nameOf = (bytes) => sha(Buffer.concat([Buffer.from("interlock-key\n"), bytes])).slice(0, 16);
  const sign = (head, data, bytes = key) => createHmac("sha256", bytes).update(head).update(data).digest("hex");
  const project = join(home, "projects", id);
  const ledger = join(project, "ledger");
  const places = [
    join(project, "state.json"),
    join(project, "state.backup.json"),
    join(home, "marks", `${id}.json`),
    join(home, "marks", `${id}.odd.json`),
  ];
  const stamps = () => places.map((path) => stampOf(path)).join(" ");
  let stamp = stamps();
  let files = readFiles();
  // Somebody may be writing: wait for a moment at which the files name the same record.
  for (let tries = 0; tries < 200 && !together(files); tries++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    const now = stamps();
    if (now === stamp && !existsSync(join(project, "lock"))) break;
    stamp = now;
    files = readFiles();
  }
  const reached = files.snapshot.payload?.seq ?? 0;
  const keyOf = keysBySegment();
  const names = existsSync(ledger)
    ? [...new Set(readdirSync(ledger).flatMap((name) => /^(\d{8}\.jsonl)(?:\.br)?$/.exec(name)?.[1] ?? []))].sort()
    : [];
  result.segments = names.length;
  if (!names.length && Object.values(files).every((file) => file.missing)) return { ...result, verdict: "nothing" };
  if (!key) result.problems.push({ what: "there is no usable signing key; signatures cannot be checked" });

  let want = { seq: 1, prev: sha(`interlock-ledger\n${id}\n`) };
  let detour; // where the chain may go on after an authentic line in the wrong place
  let state = {};
  let last;
  let unvouched;
  let torn;
  const basedSegments = new Set(); // segments that need not continue the numbering
  let acceptedUpTo = 0;
  let open = []; // damage no recover record has accepted
  const texts = textCheck(join(project, "texts"));

  reading: for (const name of names) {
    const used = keyOf(Number(name.slice(0, 8)));
    for (const { bytes, whole, damage } of segmentLines(join(ledger, name))) {
      if (first && open.length) break reading;
      if (!whole && name === names.at(-1)) {
        if (together(files) && stamps() !== stamp) break reading;
        torn = { seq: want.seq, segment: name };
        continue;
      }
      // What was appended since the files were read belongs to the next look.
      if (want.seq > reached && !open.length && together(files) && stamps() !== stamp) break reading;
      result.records++;
      const { record, fault } = damage
        ? { fault: damage }
        : whole
          ? decode(bytes, used)
          : { fault: "ends in the middle of a record" };
      if (fault) {
        damaged(name, bytes, fault);
        continue;
      }
      const follows = (spot) =>
        spot && record.seq === spot.seq && (spot.prev === undefined || record.prev === spot.prev);
      const based =
        record.base && record.seq === record.base.seq + 1 && record.prev === record.base.hash && record.seq >= want.seq;
      if (!used || record.key === used.name) unvouched = undefined;
      else
        unvouched ??= {
          seq: want.seq,
          segment: name,
          what: "is signed with another key and nothing after it vouches for it",
        };
      if (!follows(want) && !follows(detour) && !based) {
        damaged(
          name,
          bytes,
          record.seq === want.seq ? "does not follow from the record before it" : `is record ${record.seq}`,
        );
        detour = { seq: record.seq + 1, prev: record.hash };
        continue;
      }
      if (record.base && (record.base.seq >= want.seq || (want.prev && record.base.hash !== want.prev))) {
        const what = `records ${want.seq} to ${record.base.seq} are missing`;
        if (record.type === "repair" && record.base.seq >= want.seq) result.notices.push(`${what} since a power cut`);
        else open.push({ seq: want.seq, segment: name, what, gap: true });
      }
      if (record.type === "tamper") open.push({ seq: record.seq, segment: name, what: "reports tampering", gap: true });
      texts.add(name, record);
      if (record.base) basedSegments.add(Number(name.slice(0, 8)));
      if (record.type === "recover") {
        acceptedUpTo = Number(name.slice(0, 8));
        const accepts = new Set((record.body.accepted ?? []).map((one) => `${one.seq} ${one.digest}`));
        const left = open.filter((one) => !one.gap && !accepts.has(`${one.seq} ${one.digest}`));
        result.accepted += open.length - left.length;
        open = left;
      }
      if (last && last.boot === record.boot && BigInt(record.mono) >= BigInt(last.mono)) {
        const drift =
          Date.parse(record.time) -
          Date.parse(last.time) -
          Number((BigInt(record.mono) - BigInt(last.mono)) / 1000000n);
        if (Math.abs(drift) > 5000) result.notices.push(`clock-jump of ${drift} ms before record ${record.seq}`);
      }
      state = record.base ? record.base.state : state;
      if (state && record.patch) fold(state, record.patch);
      last = record;
      want = { seq: record.seq + 1, prev: record.hash };
      detour = undefined;
    }
  }
  if (unvouched) open.push(unvouched);
  names.forEach((name, i) => {
    const [number, wanted] = [Number(name.slice(0, 8)), i ? Number(names[i - 1].slice(0, 8)) + 1 : 1];
    if (
      number !== wanted &&
      !basedSegments.has(number) &&
      !(acceptedUpTo > 0 && number <= acceptedUpTo) &&
      !(first && open.length)
    )
      result.problems.push({ segment: name, what: `segment ${name} stands where number ${wanted} belongs` });
  });
  result.last = last?.seq ?? 0;
  const known = Math.max(0, ...Object.values(files).map((file) => file.payload?.seq ?? 0));
  const apart = existsSync(join(project, "lock")) || existsSync(join(project, "unclean"));
  if (!(first && open.length)) {
    for (const [name, file] of Object.entries(files)) {
      if (file.flaw && !apart) result.problems.push({ what: `the ${name} is damaged: ${file.flaw}` });
      const underWay = result.last === 1 || files.snapshot.payload?.seq === result.last;
      if (apart && (file.payload ? file.payload.seq === result.last - 1 : file.missing && underWay)) continue;
      if (file.missing) result.problems.push({ what: `the ${name} is missing` });
      else if (file.fault) result.problems.push({ what: `the ${name} ${file.fault}` });
      else if (file.payload.seq < result.last)
        result.problems.push({
          what: `the ${name} stands at record ${file.payload.seq}, the ledger at ${result.last}`,
        });
      else if (file.payload.seq === result.last && last && file.payload.hash !== last.hash)
        result.problems.push({ seq: result.last, what: `the ${name} names another record ${result.last}` });
    }
    if (known > result.last && !open.length)
      open.push({ seq: result.last + 1, what: `records ${result.last + 1} to ${known} are missing from the end` });
    else if (torn && known <= result.last)
      result.notices.push(`unfinished record ${torn.seq} at the end of ${torn.segment}`);
    const held = files.snapshot.payload;
    if (files.snapshot.lost?.length)
      result.problems.push({
        what: `archived sessions are missing or altered: ${files.snapshot.lost.slice(0, 3).join(", ")}`,
      });
    else if (
      held &&
      state &&
      !open.length &&
      held.seq === result.last &&
      stable(files.snapshot.whole) !== stable(state)
    )
      result.problems.push({ seq: result.last, what: "the snapshot holds another state than the ledger folds to" });
  }
  result.firstBad = open[0];
  result.problems.unshift(...open);
  if (!(first && open.length)) aboutTexts(texts.end());
  if (result.problems.length) result.verdict = "tampered";
  else if (result.warnings.length) result.verdict = "findings";
  return { ...result, moved: stamps() !== stamp };

  function aboutTexts({ altered, missing, lost }) {
    result.texts = { altered: altered.length, missing: missing.length, lost: lost.length };
    const about = (list) =>
      list.length === 1 ? `record ${list[0]}` : `${list.length} records, the first is ${list[0]}`;
    if (altered.length) result.problems.push({ seq: altered[0], what: `texts were altered: ${about(altered)}` });
    if (missing.length)
      result.warnings.push({ seq: missing[0], what: `texts are missing and no erasure says so: ${about(missing)}` });
    if (lost.length) result.notices.push(`texts were lost when the machine stopped: ${about(lost)}`);
  }

  function readFiles() {
    const [snapshot, backup, even, odd] = places;
    const held = journal(snapshot);
    return { snapshot: { ...held, ...withArchive(held.payload) }, backup: journal(backup), mark: marks(even, odd) };
  }

  /** The slices of sessions that do not stand in the snapshot itself. */
  function withArchive(payload) {
    if (!payload) return {};
    const whole = { ...payload.state };
    const lost = [];
    for (const [shard, digest] of Object.entries(payload.archive ?? {})) {
      const name = `${shard}-${digest.slice(0, 16)}.json.br`;
      const path = join(project, "sessions", name);
      const bytes = existsSync(path) ? readFileSync(path) : undefined;
      if (!bytes || sha(bytes) !== digest) {
        lost.push(name);
        continue;
      }
      for (const { slices } of Object.values(JSON.parse(brotliDecompressSync(bytes).toString("utf8"))))
        Object.assign(whole, slices);
    }
    return { whole, lost };
  }

  function damaged(segment, bytes, what) {
    open.push({ seq: want.seq, segment, what, digest: sha(bytes) });
    want = { seq: want.seq + 1, prev: undefined };
    state = undefined;
  }

  function decode(bytes, used) {
    const length = bytes.toString("latin1", 0, 9);
    if (!/^[0-9a-f]{8} $/.test(length)) return { fault: "does not begin with its length" };
    if (Number.parseInt(length, 16) !== bytes.length - 9) return { fault: "is torn or glued: its length is wrong" };
    const head = PREFIX.exec(bytes.toString("latin1", 9, 9 + HEAD));
    if (!head || bytes.at(-1) !== 0x7d) return { fault: "is not an envelope of hash, mac and record" };
    const payload = bytes.subarray(9 + HEAD, -1);
    const [, hash, mac] = head;
    if (sha(payload) !== hash) return { fault: "does not match its hash" };
    let record;
    try {
      record = JSON.parse(payload.toString("utf8"));
    } catch {
      return { fault: "is not JSON" };
    }
    if (!(Number.isInteger(record?.v) && record.v >= 0 && record.v <= FORMAT))
      return { fault: `has format ${record?.v}; this verifier knows up to ${FORMAT}` };
    if (record.v === 0) record = { ...record, type: record.kind, time: new Date(record.at).toISOString() };
    if (used?.sealed && record.key !== used.name) return { fault: "is not signed with the key of its segment" };
    if (used && record.key === used.name && sign(`interlock-record\n${id}\n`, hash, used.bytes) !== mac)
      return { fault: "has a wrong signature" };
    return { record: { ...record, hash } };
  }

  /** The key at hand for each segment: the plain one, or the sealed one as far as this machine or the seed reaches. */
  function keysBySegment() {
    const path = join(project, "seal.json");
    const file = existsSync(path) ? signed(readFileSync(path), "seal").payload : undefined;
    const [, number, hex] = /^(\d+)-([0-9a-f]{64})$/.exec(seed ?? "") ?? [];
    if (seed && !hex) throw new Error("the seed is <number>-<64 hex digits>");
    const from = hex ? Number(number) : file?.from;
    const known = hex ? [[from, Buffer.from(hex, "hex")]] : file ? [[file.segment, Buffer.from(file.seal, "hex")]] : [];
    return (segment) => {
      if (from === undefined || segment < from) return key && { bytes: key, name: nameOf(key) };
      if (segment < known[0][0]) return undefined;
      while (known.at(-1)[0] < segment)
        known.push([known.at(-1)[0] + 1, Buffer.from(hkdfSync("sha256", known.at(-1)[1], "", "interlock-seal", 32))]);
      const [, bytes] = known[segment - known[0][0]];
      return { bytes, name: nameOf(bytes), sealed: true };
    };
  }

  /** A snapshot in the first line and an entry in each further one; the last line's mac vouches for all of them. */
  function journal(path) {
    if (!existsSync(path)) return { missing: true };
    if (!key) return { fault: "cannot be checked without the key" };
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf(10) + 1;
    const flaw = end < bytes.length ? "it ends in an unfinished line" : undefined;
    const first = bytes.subarray(0, bytes.indexOf(10) + 1);
    if (end === first.length) return { ...signed(first, "state"), flaw };
    const close = /^,"mac":"([0-9a-f]{64})"\}\n$/.exec(bytes.toString("latin1", end - 75, end));
    if (!close) return { fault: "has a last line that is no entry" };
    if (sign(`interlock-entry\n${id}\n`, sha(bytes.subarray(0, end - 75))) !== close[1])
      return { fault: "has a wrong signature" };
    const { fault, payload } = signed(first, "state");
    if (fault) return { fault };
    for (const line of bytes.toString("utf8", first.length, end - 1).split("\n")) {
      const { seq, hash, patch, time } = JSON.parse(line).entry;
      if (seq !== payload.seq + 1) return { fault: "has lines that do not follow each other" };
      Object.assign(payload, { seq, hash, time });
      if (patch) fold(payload.state, patch);
    }
    return { payload, flaw };
  }

  /** Two files written in turn: the newer one counts, the other names the same record or the one before. */
  function marks(even, odd) {
    const [newer, older] = [even, odd]
      .map((path) => (existsSync(path) ? signed(readFileSync(path), "mark") : { missing: true }))
      .sort((a, b) => (b.payload?.seq ?? -1) - (a.payload?.seq ?? -1));
    if (!newer.payload) return newer.fault ? newer : older;
    const { v, seq, hash } = newer.payload;
    if (older.missing) return { ...newer, flaw: v < 2 ? undefined : "one of its two files is missing" };
    if (older.fault) return { ...newer, flaw: `one of its two files ${older.fault}` };
    const together = older.payload.seq === seq ? older.payload.hash === hash : older.payload.seq === seq - 1;
    return { ...newer, flaw: together ? undefined : "its two files do not belong together" };
  }

  function signed(bytes, kind) {
    if (!key) return { fault: "cannot be checked without the key" };
    const head = /^\{"mac":"([0-9a-f]{64})","payload":$/.exec(bytes.toString("latin1", 0, 84));
    if (!head || bytes.toString("latin1", bytes.length - 2) !== "}\n") return { fault: "is not a signed file" };
    const payload = bytes.subarray(84, -2);
    if (sign(`interlock-${kind}\n${id}\n`, payload) !== head[1]) return { fault: "has a wrong signature" };
    const value = JSON.parse(payload.toString("utf8"));
    if (value.v > FORMAT)
      return {
        fault: `was written by a newer Interlock (format ${value.v}): install agent-interlock >= ${value.needs}`,
      };
    return { payload: value.slices ? { ...value, state: value.slices } : value };
  }
}

/** Texts beside the ledger against the digests in the records, segment by segment; one byte of memory per record. */
function textCheck(folder) {
  const [ALTERED, MISSING, LOST] = [1, 2, 3];
  let fates = Buffer.alloc(1024);
  let segment;
  let records = [];
  let before; // the record before the one being looked at
  let recent = []; // records of the last two minutes whose texts are not as written
  const erased = [];
  const accepted = [];

  const add = (name, record) => {
    if (name !== segment) close();
    segment = name;
    records.push(record);
    const named = record.body?.gone ?? (record.type === "erase" ? [[1, record.seq - 1]] : []);
    const runs = named.map(([from, to]) => [from, Math.min(to, record.seq - 1)]);
    if (record.type === "erase") erased.push(...runs);
    if (record.type === "recover") accepted.push(...runs);
  };

  const close = () => {
    const wanted = records.some((record) => record.texts);
    const { lines, strange } = wanted ? sideLines(join(folder, segment)) : { lines: [], strange: false };
    const numbers = new Set(records.map(({ seq }) => seq));
    const odd = strange || lines.some(({ seq }) => !numbers.has(seq));
    const bySeq = new Map();
    for (const line of lines) bySeq.set(line.seq, [...(bySeq.get(line.seq) ?? []), line]);
    for (const record of records) {
      if (before && before.boot !== record.boot) {
        for (const one of recent) if (near(one, before)) fates[one.seq] = LOST;
        recent = [];
      }
      before = record;
      const bad = Object.entries(record.texts ?? {}).flatMap(([name, digest]) => {
        const others = new Set(Object.keys(record.texts).filter((other) => other !== name));
        const mine = (bySeq.get(record.seq) ?? []).filter((line) => !others.has(line.name));
        if (mine.some((line) => line.name === name && line.time === record.time && fits(line, digest))) return [];
        return [mine.length || odd ? ALTERED : MISSING];
      });
      if (!bad.length) continue;
      if (record.seq >= fates.length) fates = Buffer.concat([fates, Buffer.alloc(Math.max(record.seq, fates.length))]);
      fates[record.seq] = Math.min(...bad);
      recent = [...recent.filter((one) => near(one, record)), record];
    }
    records = [];
  };

  const end = () => {
    close();
    const [gone, excused] = [within(erased), within(accepted)];
    const left = { altered: [], missing: [], lost: [] };
    fates.forEach((fate, seq) => {
      if (!fate || (fate !== LOST && (excused(seq) || (fate === MISSING && gone(seq))))) return;
      left[["", "altered", "missing", "lost"][fate]].push(seq);
    });
    return left;
  };
  return { add, end };
}

const fits = ({ salt, text }, { digest, bytes }) =>
  Buffer.byteLength(text) === bytes &&
  digest.length >= 32 &&
  createHmac("sha256", Buffer.from(salt, "hex")).update(text).digest("hex").startsWith(digest);

/** A power cut takes at most what was written in the last two minutes. */
const near = (one, last) => Date.parse(last.time) - Date.parse(one.time) <= 120_000;

/** Whether a number lies in one of the runs; asked in ascending order. */
function within(runs) {
  runs.sort(([a], [b]) => a - b);
  let [at, reach] = [0, 0];
  return (seq) => {
    for (; at < runs.length && runs[at][0] <= seq; at++) reach = Math.max(reach, runs[at][1]);
    return seq <= reach;
  };
}

/** The lines of a file of texts; strange: some part of it is not what a writer writes. */
function sideLines(path) {
  let bytes;
  try {
    bytes = sideFile(path);
  } catch {
    return { lines: [], strange: true };
  }
  const parts = bytes.toString("latin1").split("\n");
  let strange = parts.pop() !== "";
  const lines = [];
  let highest = 0;
  for (const part of parts) {
    const text = Buffer.from(part, "latin1").toString("utf8");
    let line;
    try {
      const { name, salt, seq, text: content, time } = JSON.parse(text);
      line = { name, salt, seq, text: content, time };
    } catch {}
    const typed = typeof line?.text === "string" && Number.isInteger(line.seq) && /^[0-9a-f]{32}$/.test(line.salt);
    const whole = typed && Buffer.from(JSON.stringify(line)).toString("latin1") === part;
    if (!whole || line.seq < highest) strange = true;
    if (!whole) continue;
    highest = Math.max(highest, line.seq);
    lines.push(line);
  }
  return { lines, strange };
}

/** Plain, or packed: lines with empty salts, a byte 0, the salts. Throws where it can't be unpacked. */
function sideFile(path) {
  if (existsSync(path))
    try {
      return readFileSync(path);
    } catch (error) {
      if (error.code !== "ENOENT") throw error; // packed meanwhile
    }
  if (!existsSync(`${path}.br`)) return Buffer.alloc(0);
  const content = brotliDecompressSync(readFileSync(`${path}.br`));
  const cut = content.indexOf(0);
  if (cut < 1) throw new Error("no lines or no salts");
  let at = cut + 1;
  const text = content
    .toString("latin1", 0, cut)
    .replace(/^(\{"name":"[^"\\]*","salt":")"/gm, (_, head) => `${head}${content.toString("hex", at, (at += 16))}"`);
  if (at !== content.length) throw new Error("salts and lines differ in number");
  return Buffer.from(text, "latin1");
}

/** All three are there, whole, and name the same record. */
const together = ({ snapshot, backup, mark }) =>
  !snapshot.lost?.length &&
  [snapshot, backup, mark].every((file) => file.payload && !file.flaw && file.payload.seq === snapshot.payload.seq);

function stampOf(path) {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}.${stat.size}.${stat.mtimeNs}` : "-";
}

/** A closed segment may be compressed; while both files are there the plain one counts. */
function* segmentLines(path) {
  if (existsSync(path) || !existsSync(`${path}.br`)) return yield* lines(path);
  const packed = readFileSync(`${path}.br`);
  let plain;
  try {
    plain = unpack(packed);
  } catch (error) {
    yield { bytes: packed, whole: true, damage: `is in a compressed segment that is damaged: ${error.message}` };
    return;
  }
  for (const bytes of plain) yield { bytes, whole: true };
}

/** The lines of a compressed segment, without their line feeds. */
function unpack(packed) {
  const cut = packed.indexOf(10) + 1;
  const head = /^interlock-segment br ([1-9]\d*) ([1-9]\d*) ([0-9a-f]{64})\n$/.exec(packed.toString("latin1", 0, cut));
  if (!head) throw new Error("its first line is wrong");
  const content = packed.subarray(cut);
  if (sha(content) !== head[3]) throw new Error("its content does not match its digest");
  let at = 0;
  const next = () => content.toString("hex", at, (at += 32));
  const text = brotliDecompressSync(content.subarray(Number(head[2]))).toString("latin1");
  let last = "";
  const found = text.split("\n").map((line) => {
    const mac = next();
    const record = [...line.matchAll(/[^\x01\x02]+|[\x01\x02]/g)]
      .map(([part]) => (part === "\x01" ? `"${next()}"` : part === "\x02" ? `"${last}"` : part))
      .join("");
    last = sha(Buffer.from(record, "latin1"));
    const body = Buffer.from(`{"hash":"${last}","mac":"${mac}","record":${record}}`, "latin1");
    return Buffer.concat([Buffer.from(`${body.length.toString(16).padStart(8, "0")} `), body]);
  });
  const length = found.reduce((sum, line) => sum + line.length + 1, 0);
  if (at !== Number(head[2]) || length !== Number(head[1])) throw new Error("its lengths are wrong");
  return found;
}

function* lines(path) {
  const fd = openSync(path, "r");
  try {
    let rest = Buffer.alloc(0);
    const chunk = Buffer.alloc(1 << 18);
    for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
      const data = Buffer.concat([rest, chunk.subarray(0, got)]);
      let from = 0;
      for (let at = data.indexOf(10, from); at >= 0; at = data.indexOf(10, from)) {
        yield { bytes: data.subarray(from, at), whole: true };
        from = at + 1;
      }
      rest = data.subarray(from);
    }
    if (rest.length) yield { bytes: rest, whole: false };
  } finally {
    closeSync(fd);
  }
}

const plain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function merge(target, patch) {
  if (!plain(patch)) return patch;
  const members = new Map(plain(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch))
    if (value === null) members.delete(name);
    else members.set(name, merge(members.get(name), value));
  return Object.fromEntries(members);
}

/** Applies a patch to the state itself, without copying the slices it does not name. */
function fold(state, patch) {
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete state[name];
    else
      Object.defineProperty(state, name, {
        value: merge(Object.hasOwn(state, name) ? state[name] : undefined, value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
}

const stable = (value) =>
  JSON.stringify(value, (_, one) =>
    plain(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split(/[\\/]/).pop())) {
  const seedAt = process.argv.indexOf("--seed");
  const seed = seedAt > 0 ? process.argv.splice(seedAt, 2)[1] : undefined;
  const [home, id] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
  if (!home || !id) {
    console.error("usage: node verify-ledger.mjs <home> <project-id> [--json] [--seed <seed>]");
    process.exit(1);
  }
  const found = verifyLedger(home, id, { seed });
  if (process.argv.includes("--json")) console.log(JSON.stringify({ schema: 1, ...found }));
  else if (found.verdict === "nothing") console.log(`no record of ${id} under ${home}`);
  else {
    console.log(`${found.verdict}: ${found.records} records in ${found.segments} segments, last ${found.last}`);
    for (const one of found.problems.slice(0, 20)) console.log(`  ${one.seq ? `record ${one.seq}: ` : ""}${one.what}`);
    for (const one of found.warnings) console.log(`  warning: ${one.what}`);
    for (const notice of found.notices.slice(0, 20)) console.log(`  note: ${notice}`);
  }
  process.exit({ tampered: 4, nothing: 1, findings: 1 }[found.verdict] ?? 0);
}
