// Runs compiled test files with Node's own runner, in an order and a grouping that keep every core busy to the end.
// The same tests run whatever the order: only the whole suite is ordered and grouped.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";
import { root } from "./transpile.mjs";

/** Test files that take longest: begun first, so that none of them is left when all others are done. */
const longest = [
  "test/clients/served",
  "test/clients/evasion",
  "test/server/doctor",
  "test/fuzz/",
  "test/concurrency/",
  "test/clients/",
  "test/crash/",
  "test/server/",
  "test/shell/",
  "test/tamper/",
  "test/dashboard/",
  "test/",
];

const filesPerProcess = 24;

/** The exit code. `whole`: these are all test files there are. */
export async function runTests(files, { whole, flags }) {
  process.env.INTERLOCK_TEST = "1";
  delete process.env.NODE_EXTRA_CA_CERTS;
  // For the test processes alone: the programs that they start should not read source maps.
  process.execArgv.push("--enable-source-maps");
  const times = new Map();
  let ended = false;
  let failed = false;
  const events = run({
    files: (whole ? inOrder(inGroups(files)) : files).map((file) => join(root, file)),
    // More than cores: many tests wait, for a server, a client, a time limit. Few: some start hundreds of processes.
    concurrency: Math.min(availableParallelism() + 1, 4),
    timeout: process.env.INTERLOCK_NIGHTLY ? 7_200_000 : 900_000,
    only: flags.includes("--test-only"),
    testNamePatterns: patternIn(flags),
  });
  for (const type of ["test:pass", "test:fail"])
    events.on(type, ({ file, nesting, details, todo }) => {
      if (type === "test:fail" && (todo === undefined || todo === false)) failed = true;
      if (nesting === 0) times.set(file, (times.get(file) ?? 0) + details.duration_ms);
    });
  events.on("end", () => (ended = true));
  const output = events.compose(process.stdout.isTTY ? new spec() : tap);
  for await (const text of output) process.stdout.write(text);
  if (flags.includes("--times")) printTimes(times);
  return ended && !failed ? 0 : 1;
}

/** Starting a process and loading the program takes longer than most tests beside the source: many share a process. */
function inGroups(files) {
  const alone = files.filter((file) => !mayShare(file));
  const shared = files.filter(mayShare);
  const groups = [];
  while (shared.length) {
    const name = `build/group-${groups.length + 1}.test.js`;
    const imports = shared.splice(0, filesPerProcess).map((file) => `import "./${relative("build", file)}";\n`);
    writeFileSync(join(root, name), imports.join("").replaceAll("\\", "/"));
    groups.push(name);
  }
  return [...alone, ...groups];
}

/** Hooks around each test would apply to the tests of all files in the process. */
const mayShare = (file) =>
  /^build[\\/]src[\\/]/.test(file) && !/\b(?:before|after)Each\(/.test(readFileSync(join(root, file), "utf8"));

function inOrder(files) {
  const place = (file) => {
    const at = longest.findIndex((part) => file.replaceAll("\\", "/").startsWith(`build/${part}`));
    return at < 0 ? longest.length : at;
  };
  return files.toSorted((a, b) => place(a) - place(b));
}

function patternIn(flags) {
  const prefix = "--test-name-pattern=";
  return flags.filter((flag) => flag.startsWith(prefix)).map((flag) => flag.slice(prefix.length));
}

function printTimes(times) {
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, 40);
  for (const [file, ms] of slowest) {
    const [seconds, share] = [ms / 1000, (100 * ms) / total].map((n) => n.toFixed(1).padStart(6));
    console.error(`${seconds} s ${share} %  ${relative(root, file)}`);
  }
}
