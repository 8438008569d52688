// The daily report and the download figures through the built program, with services scripted on loopback.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { barChart } from "../../src/report/downloads-stats.js";
import { parseKeys } from "../../src/report/keys.js";
import { type Scheduler, scheduleFor, schedulers } from "../../src/report/schedule.js";
import { summarise } from "../../src/report/summary.js";
import { headings, interlock, keyNames, reportOf, titles, withServices, workplace } from "./report-workplace.js";
import type { Mood } from "./scripted-services.js";

test("the report has the eight sections in order, with the figures of every source", () =>
  withServices("fine", async ({ url, seen }) => {
    const summary = ["sh", "-c", "grep -c '^## ' ; echo 'second line' ; echo third"];
    const home = workplace(url, { summary: { command: summary } });
    const said = await interlock(home, ["report", "daily", "--config", "report.yaml", "--json"]);
    assert.equal(said.code, 0, said.err);
    const text = reportOf(home);
    assert.deepEqual(headings(text), titles);
    assert.match(text, /^7$/m); // the summary command got the seven other sections
    assert.match(text, /second line/);
    assert.doesNotMatch(text, /third/);
    assert.match(text, /\| today \| 1 \| 19\.99 \|/);
    assert.match(text, /\| all time \| 3 \| 124\.99 \|/);
    assert.match(text, /GitHub Sponsors: 7, about 25\.00 USD a month/);
    assert.match(text, /today 41/);
    assert.match(text, /\| notes\.example \| 20 \| 8 \|/);
    assert.match(text, /\| acme\/notes \| 123 \| 4 \| 5 \| 12 \| 340 \|/);
    assert.match(text, /Pending emails: 1/);
    assert.match(text, /All 1 addresses answer/);
    assert.match(text, /\| notes \| \d{4}-\d\d-\d\d \| 1 changed \|/);
    const parsed = JSON.parse(said.out) as { problems: string[]; sections: unknown[] };
    assert.deepEqual(parsed.problems, []);
    assert.equal(parsed.sections.length, 8);
    assert.ok(
      seen.some(
        ({ path, authorization }) => path.startsWith("/v1/") && authorization === "Bearer key-of-LEMONSQUEEZY_API_KEY",
      ),
    );
    const html = readFileSync(join(home, "outputs/daily_report.html"), "utf8");
    assert.doesNotMatch(html, /<script/i);
    assert.doesNotMatch(text, /<script/i);
    assert.doesNotMatch(`${said.out}${said.err}${text}${html}`, /key-of-/);
  }));

const bad: [Mood, RegExp][] = [
  ["slow", /did not answer/],
  ["garbage", /not JSON/],
  ["error", /status 500/],
  ["endless", /more than 5 MB|did not answer/],
  ["wrong shape", /sent/],
  ["forbidden", /refused the key/],
];
for (const [mood, told] of bad)
  test(`the report comes out whole when every service is ${mood}`, () =>
    withServices(mood, async ({ url }) => {
      const home = workplace(url, { timeout: mood === "slow" || mood === "endless" ? 2 : 30 });
      const said = await interlock(home, ["report", "daily", "--config", "report.yaml"]);
      assert.equal(said.code, 0, said.err);
      const text = reportOf(home);
      assert.deepEqual(headings(text), titles);
      assert.match(text, told);
      assert.match(text, /\| notes \| \d{4}-\d\d-\d\d \| 1 changed \|/);
      assert.doesNotMatch(text, /\bnull\b|undefined|NaN|\[object/);
    }));

test("services that are down, and a summary that hangs or fails, cost their sections only", async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  const home = workplace(`http://127.0.0.1:${port}`, { summary: { command: ["no-such-program-here"] } });
  const said = await interlock(home, ["report", "daily", "--config", "report.yaml"]);
  assert.equal(said.code, 0, said.err);
  assert.deepEqual(headings(reportOf(home)), titles);
  assert.match(reportOf(home), /ECONNREFUSED/);
  assert.match(reportOf(home), /could not be started/);
});

test("a summary command that hangs is ended, with what it started", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "interlock-report-")), "pid");
  const hanging = ["sh", "-c", `sleep 600 & echo $! > ${file}; wait`];
  await assert.rejects(summarise(hanging, "report", 1000), /did not end within 1 s/);
  const pid = Number(readFileSync(file, "utf8"));
  const isAlive = () => {
    try {
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 20));
});

test("a report with nothing configured still has its eight sections", async () => {
  const home = mkdtempSync(join(tmpdir(), "interlock-report-"));
  writeFileSync(join(home, "report.yaml"), "title: Empty\n");
  assert.equal((await interlock(home, ["report", "daily", "--config", "report.yaml"])).code, 0);
  assert.deepEqual(headings(reportOf(home)), titles);
});

test("keys come from a file of mode 600 or the environment; an open file is refused with the remedy", () =>
  withServices("fine", async ({ url }) => {
    const home = workplace(url);
    chmodSync(join(home, "keys.env"), 0o644);
    await interlock(home, ["report", "daily", "--config", "report.yaml"]);
    assert.match(reportOf(home), /can be read by others.*chmod 600/);
    const env = Object.fromEntries(keyNames.map((name) => [name, "from-the-environment"]));
    await interlock(home, ["report", "daily", "--config", "report.yaml"], env);
    assert.doesNotMatch(reportOf(home), /Not available/);
    assert.deepEqual(
      [...parseKeys("# c\nexport A='x y'\nB = z # c\n\nC=\"q\"\r\nnot a line\nD=$(id)")],
      [
        ["A", "x y"],
        ["B", "z"],
        ["C", "q"],
        ["D", "$(id)"],
      ],
    );
  }));

test("the last report is archived before it is replaced, and nothing archived is overwritten", () =>
  withServices("fine", async ({ url }) => {
    const home = workplace(url);
    const make = () => interlock(home, ["report", "daily", "--config", "report.yaml"]);
    await make();
    const old = "# Old\n\nMade 2026-01-02 19:00 +00:00.\n";
    writeFileSync(join(home, "outputs/daily_report.md"), old);
    await make();
    assert.equal(readFileSync(join(home, "outputs/reports/2026-01-02.md"), "utf8"), old);
    writeFileSync(join(home, "outputs/daily_report.md"), `${old}another\n`);
    await make();
    assert.equal(readFileSync(join(home, "outputs/reports/2026-01-02.md"), "utf8"), old);
    assert.match(readFileSync(join(home, "outputs/reports/2026-01-02-2.md"), "utf8"), /another/);
  }));

test("a second report waits for the first; a lock older than 30 minutes is taken over", () =>
  withServices("fine", async ({ url }) => {
    const home = workplace(url);
    const lock = join(home, "outputs/.daily-report.lock");
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, "pid"), "1");
    const held = await interlock(home, ["report", "daily", "--config", "report.yaml"]);
    assert.equal(held.code, 1);
    assert.match(held.err, /another report runs.*process 1/s);
    assert.ok(!existsSync(join(home, "outputs/daily_report.md")));
    const old = Date.now() / 1000 - 31 * 60;
    utimesSync(lock, old, old);
    const both = await Promise.all([1, 2].map(() => interlock(home, ["report", "daily", "--config", "report.yaml"])));
    assert.ok(both.some(({ code }) => code === 0));
    assert.ok(!existsSync(lock));
    assert.deepEqual(headings(reportOf(home)), titles);
  }));

test("wrong words and wrong configurations get a sentence with the remedy", async () => {
  const home = mkdtempSync(join(tmpdir(), "interlock-report-"));
  const said = (text: string) => {
    writeFileSync(join(home, "report.yaml"), text);
    return interlock(home, ["report", "daily", "--config", "report.yaml"]);
  };
  assert.match((await interlock(home, ["report", "daily"])).err, /there is no configuration.*--config/s);
  assert.match((await interlock(home, ["report"])).err, /say which report/);
  assert.match((await interlock(home, ["report", "dayly"])).err, /did you mean daily/);
  assert.match((await said("helth: []")).err, /unknown key "helth"; did you mean "health"/);
  assert.match((await said("downloads: { url: ftp://x }")).err, /http or https/);
  assert.match((await said("github: { repos: [notes] }")).err, /owner\/name/);
  assert.match((await said("a: [")).err, /not valid YAML/);
  assert.match((await interlock(home, ["downloads", "--days", "0"])).err, /1 to 3660/);
  assert.match((await interlock(home, ["downloads", "--url", "x"])).err, /http/);
  rmSync(join(home, "report.yaml"));
  assert.match((await interlock(home, ["downloads"])).err, /there is no configuration/);
});

test("interlock downloads shows bars, days and JSON", () =>
  withServices("fine", async ({ url, seen }) => {
    const home = workplace(url);
    const env = { DIST_ANALYTICS_KEY: "k" };
    const said = await interlock(home, ["downloads", "--url", url, "--daily", "--days", "3", "--app", "notes"], env);
    assert.equal(said.code, 0, said.err);
    assert.match(said.out, /today 41/);
    assert.match(said.out, /notes +41 +█+/);
    assert.equal([...said.out.matchAll(/^\d{4}-\d\d-\d\d/gm)].length, 3);
    assert.match(seen.at(-1)!.path, /days=3&app=notes/);
    const json = await interlock(home, ["downloads", "--config", "report.yaml", "--json"]);
    assert.equal((JSON.parse(json.out) as { total: number }).total, 41);
    assert.match((await interlock(home, ["downloads", "--url", url])).err, /no key DIST_ANALYTICS_KEY/);
    await interlock(home, ["downloads", "--url", `${url}/counter/`], env);
    assert.match(seen.at(-1)!.path, /^\/counter\/api\/stats\?/, "a counter below a path");
  }));

test("every kind of schedule runs the same command at the same time", async () => {
  const home = workplace("http://127.0.0.1:9");
  for (const kind of schedulers) {
    const said = await interlock(home, [
      "report",
      "daily",
      "--config",
      "report.yaml",
      "--install-schedule",
      kind,
      "--at",
      "07:30",
    ]);
    assert.equal(said.code, 0, said.err);
    assert.match(
      said.out,
      kind === "launchd" ? /<integer>7<[\s\S]*<integer>30</ : kind === "systemd" ? /07:30:00/ : /^30 7 \* \* \* /m,
    );
    assert.match(said.out, /report\W.*daily/s);
  }
  const written = await interlock(home, [
    "report",
    "daily",
    "--config",
    "report.yaml",
    "--install-schedule",
    "systemd",
    "--write",
  ]);
  assert.equal(written.code, 0, written.err);
  const timer = join(home, ".config/systemd/user/interlock-daily-report.timer");
  assert.match(readFileSync(timer, "utf8"), /19:00:00/);
  assert.ok(statSync(timer).isFile());
  const wrong = await interlock(home, ["report", "daily", "--config", "report.yaml", "--install-schedule", "corn"]);
  assert.match(wrong.err, /did you mean cron/);
  const entry = { command: ["/a b/node", "100%"], hour: 1, minute: 2, home, configHome: home, path: "/b%", log: "/l%" };
  const text = (kind: Scheduler) => JSON.stringify(scheduleFor(kind, entry));
  assert.match(text("cron"), /100\\\\%/);
  assert.match(text("systemd"), /100%%/);
});

test("bars are in proportion and fit the width", () => {
  const lines = barChart(
    [
      ["a", 100],
      ["bb", 50],
      ["c", 0],
    ],
    40,
  );
  assert.ok(lines.every((line) => line.length <= 40));
  const bars = lines.map((line) => [...line.matchAll(/█/g)].length);
  assert.ok(Math.abs(bars[0]! / 2 - bars[1]!) <= 1);
  assert.equal(bars[2], 0);
});
