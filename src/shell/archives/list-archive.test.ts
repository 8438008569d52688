import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, gzipSync, inflateRawSync, constants as zlibConstants } from "node:zlib";
import { type Member, makeTar, makeZip, paxRecord, sealed, tarMember } from "../../testing/make-archive.js";
import { temporary } from "../../testing/temporary.js";
import { type ArchiveDisk, type ArchiveListing, archiveBounds, type ByteSource } from "./archive-disk.js";
import { listArchive } from "./list-archive.js";

const inflate: ArchiveDisk["inflate"] = (bytes, form, most) => {
  const options = { maxOutputLength: most, finishFlush: zlibConstants.Z_SYNC_FLUSH };
  try {
    return form === "gzip" ? gunzipSync(bytes, options) : inflateRawSync(bytes, options);
  } catch {
    return undefined; // what the real disk says of damaged bytes
  }
};
const inMemory = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (from, length) => bytes.subarray(Math.max(0, from), Math.max(0, from) + length),
});
const list = (bytes: Buffer, options = {}) => listArchive(inMemory(bytes), inflate, options);
const shown = ({ entries, unlisted }: ArchiveListing = { entries: [], unlisted: "no archive" }): string[] => [
  ...entries.map(({ name, kind, link }) => `${kind} ${name}${link === undefined ? "" : ` -> ${link}`}`),
  ...(unlisted ? [`? ${unlisted}`] : []),
];

const long = `${"folder/".repeat(30)}file.txt`;
const row = (title: string, bytes: Buffer, expected: readonly string[], options = {}) =>
  test(title, () => assert.deepEqual(shown(list(bytes, options)), expected));

const plain: Member[] = [
  { name: "src/", type: "5" },
  { name: "src/a.ts", content: "const a = 1;\n" },
  { name: "link", type: "2", link: "../elsewhere" },
  { name: "same", type: "1", link: "src/a.ts" },
];
const listed = ["folder src/", "file src/a.ts", "symlink link -> ../elsewhere", "hardlink same -> src/a.ts"];

row("a tar archive", makeTar(plain), listed);
row("a tar archive packed by gzip", gzipSync(makeTar(plain)), listed);
row(
  "a tar archive of several gzip members",
  Buffer.concat([gzipSync(makeTar(plain, false)), gzipSync(makeTar([]))]),
  listed,
);
row("a zip archive", makeZip(plain.slice(0, 3)), listed.slice(0, 3));
row("a packed zip archive", makeZip(plain.slice(0, 3), { packed: true }), listed.slice(0, 3));
row(
  "a zip archive behind a program",
  Buffer.concat([Buffer.alloc(5_000, "#"), makeZip(plain.slice(0, 3))]),
  listed.slice(0, 3),
);
row("an empty tar archive", makeTar([]), []);
row("an empty zip archive", makeZip([]), []);
row("no archive", Buffer.from("x\n"), ["? no archive"]);
row("no archive, and long", Buffer.alloc(5_000, "text "), ["? no archive"]);

row("pax names", makeTar([{ name: "h", type: "x", content: paxRecord("path", long) }, { name: "short" }]), [
  `file ${long}`,
]);
row(
  "the long names of GNU tar",
  makeTar([
    { name: "././@LongLink", type: "K", content: `${long}\0` },
    { name: "././@LongLink", type: "L", content: `${long}.link\0` },
    { name: "short", type: "2", link: "cut" },
  ]),
  [`symlink ${long}.link -> ${long}`],
);
row(
  "a size in a pax header moves the next header",
  makeTar([
    { name: "h", type: "x", content: paxRecord("size", "512") },
    { name: "a" },
    { name: "inside" },
    { name: "b" },
  ]),
  ["file a", "file b"],
);

const behindZeros = Buffer.concat([makeTar([{ name: "a" }]), makeTar([{ name: ".claude/settings.json" }])]);
row("what stands behind the end is not extracted", behindZeros, ["file a"]);
row("unless zeros are ignored", behindZeros, ["file a", "file .claude/settings.json"], { ignoreZeros: true });

const damaged = "? parts of the archive are no tar headers";
row("tar goes on behind a damaged header", Buffer.concat([Buffer.alloc(512, "x"), makeTar([{ name: "a" }])]), [
  "file a",
  damaged,
]);
const header = (write: (header: Buffer) => void): Buffer => {
  const [made] = tarMember({ name: "a" });
  write(made!);
  return sealed(made!);
};
const negative = header((made) => made.fill(0xff, 124, 136));
const huge = header((made) => made.fill(0x7f, 125, 136).writeUInt8(0x80, 124));
row("a negative size", Buffer.concat([negative, makeTar([{ name: "b" }])]), ["file b", damaged]);
row("a size beyond all numbers", Buffer.concat([huge, makeTar([{ name: "b" }])]), ["file b", damaged]);
row(
  "a size beyond the end",
  Buffer.concat([header((made) => made.write("77777777777", 124)), makeTar([{ name: "b" }])]),
  ["file a", "? the archive ends too early"],
);
row(
  "a folder with a body is read in two ways",
  header((made) => made.write("5", 156) && made.write("00000001000", 124)),
  ["folder a", damaged],
);
row("a wrong count in a zip archive", makeZip(plain.slice(0, 2), { count: 7 }), [
  ...listed.slice(0, 2),
  "? the archive's own count of entries is wrong",
]);

for (const [packer, beginning] of [
  ["xz", "fd377a585a00"],
  ["bzip2", "425a6839"],
  ["zstd", "28b52ffd"],
  ["7z", "377abcaf271c"],
  ["rar", "526172211a07"],
] as const)
  row(`packed by ${packer}`, Buffer.concat([Buffer.from(beginning, "hex"), Buffer.alloc(600, 7)]), [
    `? an archive packed by ${packer} is not listed`,
  ]);

row("damaged gzip", Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(100, 0xff)]), [
  "? the archive is damaged, or too large to be listed",
]);
row("a gzip bomb", gzipSync(Buffer.alloc(archiveBounds.unpacked + 1)), [
  "? the archive is damaged, or too large to be listed",
]);

test("of a large packed archive the beginning is listed, and that there is more", () => {
  const large = Buffer.concat([
    makeTar([{ name: "a" }], false),
    makeTar([{ name: "b", content: "x".repeat(5 << 20) }]),
  ]);
  assert.deepEqual(shown(list(gzipSync(large, { level: 0 }))), [
    "file a",
    "file b",
    "? the archive is too large to be listed",
  ]);
});

test("a large archive that is not packed costs a look at each header", () => {
  const holes = header((made) => made.write("00010000000", 124));
  const front = Buffer.concat([holes, Buffer.alloc(16 << 10)]);
  let read = 0;
  const source: ByteSource = {
    size: 2_000 * (512 + 0o10000000),
    read(from, length) {
      read += length;
      const at = from % (512 + 0o10000000);
      return front.subarray(at, at + length);
    },
  };
  assert.equal(listArchive(source, inflate)?.entries.length, 2_000);
  assert.ok(read < 32 << 20, `${read} bytes`);
});

test("an endless archive ends", () => {
  const one = tarMember({ name: "a" })[0]!;
  const source: ByteSource = {
    size: Number.MAX_SAFE_INTEGER,
    read: (_from, length) => Buffer.alloc(Math.min(length, 1 << 20), one),
  };
  const { entries, unlisted } = listArchive(source, inflate)!;
  assert.ok(entries.length <= archiveBounds.entries);
  assert.equal(unlisted, "the archive has too many entries");
});

test("archives of the system's tar, in every format", () => {
  const folder = temporary("archives");
  mkdirSync(join(folder, "in", "d".repeat(90)), { recursive: true });
  writeFileSync(join(folder, "in", "d".repeat(90), "e".repeat(90)), "x");
  writeFileSync(join(folder, "in", "plain.txt"), "y".repeat(3_000));
  symlinkSync("plain.txt", join(folder, "in", "link"));
  const expected = [
    "file in/plain.txt",
    "folder in/",
    `file in/${"d".repeat(90)}/${"e".repeat(90)}`,
    `folder in/${"d".repeat(90)}/`,
    "symlink in/link -> plain.txt",
  ].sort();
  for (const format of ["gnu", "pax", "ustar"])
    for (const flag of ["", "z"]) {
      const file = join(folder, `${format}${flag}.tar`);
      execFileSync("tar", [`-c${flag}f`, file, `--format=${format}`, "in"], { cwd: folder });
      assert.deepEqual(shown(list(readFileSync(file))).sort(), expected, `${format} ${flag}`);
    }
});

/** Small and seeded, so that a failure can be had again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("no bytes make the readers throw, run on or name more entries than there is room for", () => {
  const rounds = process.env["INTERLOCK_NIGHTLY"] ? 20_000 : 1_500;
  for (let seed = 1; seed <= rounds; seed++) {
    const roll = random(seed);
    const members = Array.from(
      { length: 1 + roll(6) },
      (_, index): Member => ({
        name: ["a", "../b", "/etc/c", `${"x/".repeat(roll(40))}y`, ".git/hooks/d", ""][roll(6)]! + index,
        type: "0125xgLKS7D"[roll(11)]!,
        link: ["", "a0", "..", "/", "b1"][roll(5)]!,
        content: roll(3) ? "x".repeat(roll(2_000)) : paxRecord("size", String(roll(1_000_000) - 10)),
      }),
    );
    const made = roll(2)
      ? makeTar(members)
      : makeZip(members, { packed: roll(2) === 0, count: roll(3) ? members.length : roll(65_536) });
    for (let change = roll(12); change > 0; change--) {
      const at = roll(made.length);
      made[at] = [0, 0xff, 0x80, 0x30, 0x37, roll(256)][roll(6)]!;
      // A header whose sum is right again is read on.
      if (roll(2)) {
        const start = at - (at % 512);
        if (start + 512 <= made.length) sealed(made.subarray(start, start + 512));
      }
    }
    const cut = made.subarray(0, roll(4) ? made.length : roll(made.length));
    const given = roll(5) ? cut : gzipSync(cut).subarray(0, roll(3) ? undefined : roll(400));
    let reads = 0;
    const source: ByteSource = {
      size: given.length,
      read(from, length) {
        reads++;
        assert.ok(Number.isSafeInteger(from) && from >= 0 && length >= 0, `seed ${seed}: read(${from}, ${length})`);
        return given.subarray(from, from + length);
      },
    };
    const { entries } = listArchive(source, inflate, { ignoreZeros: roll(2) === 0 }) ?? { entries: [] };
    assert.ok(reads <= given.length / 100 + 200, `seed ${seed}: ${reads} reads`);
    assert.ok(entries.length <= 65_536, `seed ${seed}`);
  }
});
