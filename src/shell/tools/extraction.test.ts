// Commands that extract archives which lie there: each entry is a write, where it really lands.
import { gunzipSync, gzipSync } from "node:zlib";
import { type Member, makeTar, makeZip } from "../../testing/make-archive.js";
import type { Archives, FileState } from "../archives/archive-disk.js";
import { archivesOn } from "../archives/index.js";
import type { ShellContext } from "../index.js";
import { commandTable } from "../testing.js";

const disk = (files: Record<string, Buffer>, there: Record<string, FileState | "folder"> = {}): Archives =>
  archivesOn({
    withBytes(path, use) {
      const bytes = files[path];
      return bytes && use({ size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) });
    },
    inflate: (bytes) => gunzipSync(bytes),
    stateOf(path) {
      const found = there[path];
      return found === "folder" ? { size: 0, modified: 0, folder: true } : found;
    },
    treeFiles: (_folder, tree, paths) =>
      tree === "HEAD"
        ? ["src/a.ts", ".env"]
            .filter((name) => !paths.length || paths.some((path) => name.startsWith(path)))
            .map((name) => ({ name, kind: "file" as const }))
        : undefined,
  });

const plain: Member[] = [
  { name: "top/", type: "5" },
  { name: "top/src/a.ts", content: "1" },
  { name: "top/.claude/settings.json", content: "{}" },
];
const escaping: Member[] = [{ name: "../../home/u/.bashrc" }, { name: "/etc/cron.d/x" }, { name: "ok" }];
const linking: Member[] = [
  { name: "out", type: "2", link: "/home/u/.ssh" },
  { name: "out/authorized_keys", content: "ssh-ed25519 x" },
];
const many: Member[] = [
  ...Array.from({ length: 300 }, (_, index) => ({ name: `src/deep/f${index}.ts` })),
  { name: "src/deep/.git/hooks/pre-commit" },
];
const time = 1_700_000_000;
const files = {
  "/p/a.tar": makeTar(plain),
  "/p/a.tgz": gzipSync(makeTar(plain)),
  "/p/a.zip": makeZip(plain),
  "/p/evil.tar": makeTar(escaping),
  "/p/evil.zip": makeZip(escaping),
  "/p/link.tar": makeTar(linking),
  "/p/link.zip": makeZip(linking),
  "/p/many.tar": makeTar(many),
  "/p/work.tar": makeTar([
    { name: "src/a.ts", content: "old", modified: time },
    { name: "src/b.ts", content: "same", modified: time },
    { name: "src/new.ts", content: "new", modified: time },
  ]),
  "/p/work.zip": makeZip([{ name: "src/a.ts", content: "old" }]),
  "/p/a.tar.xz": Buffer.from("fd377a585a0000", "hex"),
  "/tmp/x.tar": makeTar([{ name: "interlock.yaml" }]),
  "/p/dir.tar": makeTar([{ name: "data", content: "x" }]),
};
const there: Record<string, FileState | "folder"> = {
  "/p/src": "folder",
  "/p/src/a.ts": { size: 3, modified: time + 500, folder: false },
  "/p/src/b.ts": { size: 4, modified: time, folder: false },
  "/p/data": "folder",
};
const onDisk = disk(files, there);
const context: Partial<ShellContext> = { archives: () => onDisk };

const rows = (title: string, table: readonly (readonly [string, readonly string[]])[]) =>
  commandTable(
    title,
    table.map(([command, effects]) => [command, effects, context]),
  );

const settings = "top/.claude/settings.json";
const source = "top/src/a.ts";
const all = ["write top/src/a.ts", `write ${settings}`];

rows("tar extracts what it lists", [
  ["tar xf a.tar", ["read a.tar", ...all]],
  ["tar -xzf a.tgz", ["read a.tgz", ...all]],
  ["gtar --extract --file a.tgz -C out", ["read a.tgz", ...all.map((line) => line.replace(" ", " out/"))]],
  ["tar xf a.tar --strip-components=1", ["read a.tar", "write .claude/settings.json", "write src/a.ts"]],
  ["tar xf a.tar --strip-components=2", ["read a.tar", "write settings.json", "write a.ts"]],
  ["tar xf a.tar --strip-components=9", ["read a.tar"]],
  ["tar xf a.tar --one-top-level", ["read a.tar", ...all.map((line) => line.replace(" ", " a/"))]],
  ["tar xf a.tar --one-top-level=n", ["read a.tar", ...all.map((line) => line.replace(" ", " n/"))]],
  ["tar xf a.tar top/src", ["read a.tar", `write ${source}`]],
  ["tar xf a.tar ./top/src/a.ts", ["read a.tar", `write ${source}`]],
  ["tar xf a.tar --wildcards '*.json'", ["read a.tar", `write ${settings}`]],
  ["tar xf a.tar nothing", ["read a.tar"]],
  ["tar xf a.tar --exclude=.claude", ["read a.tar", `write ${source}`]],
  ["tar xf a.tar --exclude='*.ts'", ["read a.tar", `write ${settings}`]],
  ["tar xf a.tar --exclude='.claud[e]'", ["read a.tar", ...all]],
  ["tar xf a.tar --anchored --exclude=.claude", ["read a.tar", ...all]],
  ["tar xf a.tar --exclude-from=list", ["read a.tar", "read list", ...all]],
  ["tar xOf a.tar", ["read a.tar"]],
  ["tar tf a.tar", ["read a.tar"]],
  ["tar xf a.tar --transform=s,top,.git,", ["read a.tar", "write . recursive"]],
  ["tar xf a.tar -C $DIR", ["read a.tar", "write ? recursive"]],
  ["cd $DIR && tar xf /p/a.tar", ["read a.tar", "write ? recursive", "write /home/u recursive"]],
  ["tar xf $A", ["read ?", "write . recursive"]],
  ["tar xf absent.tar", ["read absent.tar", "write . recursive"]],
  [
    "curl -o b.tar https://e.example/b && tar xf b.tar",
    ["network https://e.example/b", "write b.tar", "read b.tar", "write . recursive"],
  ],
  ["tar xf a.tar.xz", ["read a.tar.xz", "unknown", "write . recursive"]],
  ["tar xf /tmp/x.tar", ["read /tmp/x.tar", "write interlock.yaml"]],
  ["tar xf /tmp/x.tar -C /tmp/y", ["read /tmp/x.tar", "write /tmp/y recursive"]],
  ["tar xf evil.tar -C /tmp/y", ["read evil.tar", "write /tmp/y recursive", "write /home/u/.bashrc"]],
  ["cd sub && tar xf ../a.tar", ["read a.tar", ...all.map((line) => line.replace(" ", " sub/"))]],
]);

rows("archives on standard input", [
  ["tar x < a.tar", ["read a.tar", ...all]],
  ["tar xz < a.tgz", ["read a.tgz", ...all]],
  ["cat a.tar | tar xf -", ["read a.tar", ...all]],
  ["gunzip -c a.tgz | tar x -C out", ["read a.tgz", ...all.map((line) => line.replace(" ", " out/"))]],
  ["git archive HEAD | tar -x -C out", ["write out/src/a.ts", "write out/.env"]],
  ["git archive --prefix=v1/ HEAD src | tar x", ["write v1/src/a.ts"]],
  ["git archive gone | tar x -C out", ["write out recursive"]],
  ["ssh h cat a.tar | tar x", ["network h", "write . recursive"]],
]);

rows("what leads out of the folder", [
  [
    "tar xf evil.tar",
    ["read evil.tar", "write home/u/.bashrc", "write /home/u/.bashrc", "write etc/cron.d/x", "write ok"],
  ],
  ["tar -xPf evil.tar -C a/b", ["read evil.tar", "write home/u/.bashrc", "write /etc/cron.d/x", "write a/b/ok"]],
  ["unzip -o evil.zip", ["read evil.zip", "write home/u/.bashrc", "write etc/cron.d/x", "write ok"]],
  [
    "python3 -m tarfile -e evil.tar sub/x",
    [
      "read evil.tar",
      "write sub/x/home/u/.bashrc",
      "write home/u/.bashrc",
      "write /etc/cron.d/x",
      "write sub/x/etc/cron.d/x",
      "write sub/x/ok",
      // With an unlisted option that takes the next word.
      "read sub/x",
      "write . recursive",
    ],
  ],
  [
    "tar xf link.tar",
    ["read link.tar", "write out recursive", "write out/authorized_keys", "write /home/u/.ssh/authorized_keys"],
  ],
  [
    "tar xf link.tar out && echo x > out/id",
    [
      "read link.tar",
      "write out recursive",
      "write out/authorized_keys",
      "write /home/u/.ssh/authorized_keys",
      "write out/id",
      "write /home/u/.ssh/id",
    ],
  ],
  [
    "unzip link.zip",
    ["read link.zip", "write out recursive", "write out/authorized_keys", "write /home/u/.ssh/authorized_keys"],
  ],
]);

rows("unzip and its kin", [
  ["unzip a.zip", ["read a.zip", ...all]],
  ["unzip -o a.zip -d out", ["read a.zip", ...all.map((line) => line.replace(" ", " out/"))]],
  ["unzip -j a.zip", ["read a.zip", "write a.ts", "write settings.json"]],
  ["unzip a.zip 'top/src/*'", ["read a.zip", `write ${source}`]],
  ["unzip -p a.zip", ["read a.zip"]],
  ["unzip -l a.zip", ["read a.zip"]],
  [
    "python -m zipfile -e a.zip out",
    ["read a.zip", "read out", "write . recursive", ...all.map((line) => line.replace(" ", " out/"))],
  ],
  ["jar xf a.zip", ["read a.zip", ...all]],
  ["jar --extract --file=a.zip top/src", ["read a.zip", `write ${source}`]],
  ["jar tf a.zip", ["read a.zip"]],
  ["jar cf b.jar -C classes .", ["write b.jar", "read classes recursive"]],
  ["7z x a.zip -oout", ["read a.zip", ...all.map((line) => line.replace(" ", " out/"))]],
  ["7z e a.zip", ["read a.zip", "write a.ts", "write settings.json"]],
  ["7z x a.tgz", ["read a.tgz", "write . recursive"]],
  ["bsdtar -xf a.zip", ["read a.zip", ...all]],
]);

rows("what is there already", [
  ["tar xf work.tar", ["read work.tar", "write src/a.ts", "write src/b.ts", "write src/new.ts"]],
  ["tar xkf work.tar", ["read work.tar", "write src/new.ts"]],
  ["tar xf work.tar --skip-old-files", ["read work.tar", "write src/new.ts"]],
  ["unzip -n work.zip", ["read work.zip"]],
  ["tar xf dir.tar", ["read dir.tar", "write data"]],
  ["tar xf dir.tar --recursive-unlink", ["read dir.tar", "delete data recursive", "write data"]],
]);

commandTable("large archives", [
  [
    "tar xf many.tar --strip-components=2",
    [
      "read many.tar",
      "write . recursive",
      "write .git/hooks/pre-commit",
      ...Array.from({ length: 127 }, (_, index) => `write f${index}.ts`),
    ],
    context,
  ],
]);
