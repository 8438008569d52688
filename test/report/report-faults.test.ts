// What a newcomer does wrong, what services do wrong, and what lies in the way: each is told with its remedy.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { asHtml, asMarkdown, bullets, paragraph, reportTable } from "../../src/report/section.js";
import { summarise } from "../../src/report/summary.js";
import { headings, interlock, reportOf, titles, withServices, workplace } from "./report-workplace.js";
import type { Mood } from "./scripted-services.js";

const daily = ["report", "daily", "--config", "report.yaml"];
const bare = () => mkdtempSync(join(tmpdir(), "interlock-report-"));

test("a wrong word is named before a missing configuration", async () => {
  const home = bare();
  const rows: [words: string[], said: RegExp][] = [
    [["--install-schedule", "nonsense"], /unknown scheduler "nonsense"[\s\S]*launchd/],
    [["--install-schedule", "corn"], /did you mean cron/],
    [["--install-schedule", "--at", "25:99"], /--at takes a time such as 19:00, not "25:99"/],
    [["--install-schedule", "cron", "--at", "noon"], /--at takes a time/],
    [["--install-schedule", "cron", "launchd"], /takes no word "launchd"/],
    [["--at", "10:00"], /--at .*--install-schedule/],
    [["--write"], /--write .*--install-schedule/],
    [["cron"], /takes no word "cron"/],
  ];
  for (const [words, said] of rows) {
    const { code, err } = await interlock(home, ["report", "daily", ...words]);
    assert.equal(code, 2, `${words}: ${err}`);
    assert.match(err, said, `${words}`);
    assert.doesNotMatch(err, /there is no configuration/);
  }
  const without = await interlock(home, ["report", "daily", "--install-schedule", "cron"]);
  assert.match(without.err, /there is no configuration.*--config/s);
});

test("wrong words of interlock downloads", async () => {
  const home = bare();
  const env = { DIST_ANALYTICS_KEY: "k" };
  const rows: [words: string[], said: RegExp][] = [
    [["--days", "1e2"], /--days takes a number from 1 to 3660/],
    [["--days", "0x10"], /--days takes a number/],
    [["--days", " 5"], /--days takes a number/],
    [["--days", "5.5"], /--days takes a number/],
    [["--days", "-1"], /--days/],
    [["--days", "3661"], /--days takes a number/],
    [["--app", ""], /--app takes the name of an application/],
    [["--url", "http://"], /--url takes an http or https address/],
    [["--url", "http://["], /--url takes an http or https address/],
    [["--url", "javascript:1"], /--url takes an http or https address/],
    [["today"], /takes no word "today"/],
  ];
  for (const [words, said] of rows) {
    const { code, err } = await interlock(home, ["downloads", ...words], env);
    assert.equal(code, 2, `${words}: ${err}`);
    assert.match(err, said, `${words}`);
  }
});

const moods: [Mood, said: RegExp, figures: boolean][] = [
  ["fine", /^$/, true],
  ["wrong type", /^$/, true],
  ["garbage", /answered with something that is not JSON/, false],
  ["error", /status 500/, false],
  ["busy", /status 429/, false],
  ["forbidden", /refused the key \(status 403\)/, false],
  ["redirecting", /redirects to elsewhere\.example.*address/, false],
  ["cut off", /broke off its answer/, false],
  ["empty", /answered with nothing|not JSON/, false],
  ["silent", /could not be reached|broke off/, false],
  ["no http", /could not be reached|does not speak HTTP/, false],
  ["large", /more than 5 MB/, false],
  ["wrong shape", /sent a row without|sent no rows/, false],
];
for (const [mood, said, figures] of moods)
  test(`a counter that is ${mood}`, () =>
    withServices(mood, async ({ url }) => {
      const home = workplace(url);
      const shown = await interlock(home, ["downloads", "--config", "report.yaml"]);
      assert.equal(shown.code, figures ? 0 : 1, shown.err);
      assert.match(shown.err.trim(), said);
      if (!figures) assert.ok(shown.err.trim().split("\n").length <= 3, shown.err);
      assert.doesNotMatch(shown.out + shown.err, /key-of-|undefined|NaN|\n\s+at /);
      const report = await interlock(home, daily);
      assert.equal(report.code, 0, report.err);
      assert.deepEqual(headings(reportOf(home)), titles);
      assert.doesNotMatch(reportOf(home) + report.err, /key-of-|undefined|NaN|\[object/);
    }));

test("an address whose path belongs to it keeps it, as GitHub Enterprise has one", () =>
  withServices("fine", async ({ url, seen }) => {
    const home = workplace(url, {
      github: { repos: ["acme/notes"], api: `${url}/api/v3` },
      customers: { bugs: { repos: ["acme/notes"], api: `${url}/api/v3/` } },
    });
    await interlock(home, daily);
    const asked = seen.map(({ path }) => path);
    assert.ok(asked.includes("/api/v3/repos/acme/notes"), asked.join("\n"));
    assert.ok(asked.some((path) => path.startsWith("/api/v3/repos/acme/notes/issues?")));
  }));

test("locks: a young one is respected, an old one taken over, one from the future is no lock", () =>
  withServices("fine", async ({ url }) => {
    const minutes: [age: number, made: boolean][] = [
      [0, false],
      [29, false],
      [31, true],
      [60 * 24 * 400, true],
      [-2, false],
      [-60 * 24, true],
    ];
    for (const [age, made] of minutes) {
      const home = workplace(url);
      const lock = join(home, "outputs/.daily-report.lock");
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, "pid"), String(process.pid)); // alive, whatever its age
      const at = Date.now() / 1000 - age * 60;
      utimesSync(lock, at, at);
      const { code, err } = await interlock(home, daily);
      assert.equal(code, made ? 0 : 1, `${age} min: ${err}`);
      if (made) assert.ok(!existsSync(lock), `${age} min: the lock is given back`);
      else assert.match(err, new RegExp(`another report runs.*process ${process.pid}.*remove .*lock`, "s"));
      assert.equal(existsSync(join(home, "outputs/daily_report.md")), made);
    }
  }));

test("a lock that is a file, or has no owner, is a lock as well", () =>
  withServices("fine", async ({ url }) => {
    const home = workplace(url);
    mkdirSync(join(home, "outputs"));
    const lock = join(home, "outputs/.daily-report.lock");
    writeFileSync(lock, "");
    const held = await interlock(home, daily);
    assert.equal(held.code, 1);
    assert.match(held.err, /another report runs/);
    utimesSync(lock, 1, 1);
    assert.equal((await interlock(home, daily)).code, 0);
  }));

test("key files: what is not used says why, with a command that can be pasted", () =>
  withServices("fine", async ({ url }) => {
    const rows: [prepare: (home: string) => string, said: RegExp | undefined][] = [
      [() => "keys.env", undefined],
      [
        (home) => {
          chmodSync(join(home, "keys.env"), 0o640);
          return "keys.env";
        },
        /read by others.*chmod 600 /,
      ],
      [
        (home) => {
          chmodSync(join(home, "keys.env"), 0o604);
          return "keys.env";
        },
        /read by others/,
      ],
      [
        (home) => {
          chmodSync(join(home, "keys.env"), 0o400);
          return "keys.env";
        },
        undefined,
      ],
      [
        (home) => {
          symlinkSync("keys.env", join(home, "link"));
          return "link";
        },
        undefined,
      ],
      [
        (home) => {
          chmodSync(join(home, "keys.env"), 0o644);
          symlinkSync("keys.env", join(home, "link"));
          return "link";
        },
        /read by others/,
      ],
      [
        (home) => {
          symlinkSync("nowhere", join(home, "link"));
          return "link";
        },
        /there is no key file/,
      ],
      [() => "none.env", /there is no key file/],
      [
        (home) => {
          mkdirSync(join(home, "folder"));
          return "folder";
        },
        /is no file|there is no key file/,
      ],
      [
        (home) => {
          writeFileSync(join(home, "my keys.env"), "A=b\n", { mode: 0o644 });
          return "my keys.env";
        },
        /chmod 600 '[^']*my keys\.env'/,
      ],
      [
        (home) => {
          writeFileSync(join(home, "bin.env"), `DIST_ANALYTICS_KEY="a\u0001b"\n`, { mode: 0o600 });
          return "bin.env";
        },
        /DIST_ANALYTICS_KEY .*(?:character|header)/,
      ],
      [
        (home) => {
          writeFileSync(join(home, "empty.env"), "", { mode: 0o600 });
          return "empty.env";
        },
        /no key DIST_ANALYTICS_KEY/,
      ],
    ];
    for (const [i, [prepare, said]] of rows.entries()) {
      const home = workplace(url);
      const config = JSON.parse(readFileSync(join(home, "report.yaml"), "utf8")) as object;
      writeFileSync(join(home, "report.yaml"), JSON.stringify({ ...config, keys: prepare(home) }));
      const shown = await interlock(home, ["downloads", "--config", "report.yaml"]);
      assert.equal(shown.code, said ? 1 : 0, `${i}: ${shown.err}`);
      if (said) assert.match(shown.err, said);
      assert.doesNotMatch(shown.err, /key-of-/);
    }
  }));

test("a key with a line break from the environment is told, not thrown", () =>
  withServices("fine", async ({ url }) => {
    const home = bare();
    for (const key of ["a\nb", "schlüssel–"]) {
      const said = await interlock(home, ["downloads", "--url", url], { DIST_ANALYTICS_KEY: key });
      assert.equal(said.code, 1, said.err);
      assert.match(said.err, /DIST_ANALYTICS_KEY/);
      assert.ok(!said.err.includes(key));
    }
    const pasted = await interlock(home, ["downloads", "--url", url], { DIST_ANALYTICS_KEY: "k\n" });
    assert.equal(pasted.code, 0, "a line break at the end is no part of the key");
  }));

test("where the report can't be written, the folder is named", async () => {
  const home = bare();
  writeFileSync(join(home, "report.yaml"), "title: x\n");
  writeFileSync(join(home, "afile"), "");
  for (const out of ["afile", "afile/below"]) {
    const { code, err } = await interlock(home, [...daily, "--out", out]);
    assert.equal(code, 1, err);
    assert.match(err, /afile.*(?:--out|out:)/s);
  }
  // The last report can't be archived: the new one goes beside it, nothing is overwritten.
  mkdirSync(join(home, "outputs"));
  writeFileSync(join(home, "outputs/reports"), "a file in the way");
  writeFileSync(join(home, "outputs/daily_report.md"), "# Old\n");
  const { code, err } = await interlock(home, daily);
  assert.equal(code, 1, err);
  assert.match(err, /outputs\/reports/);
  assert.equal(readFileSync(join(home, "outputs/daily_report.md"), "utf8"), "# Old\n");
});

test("foreign names are words in Markdown and in HTML", () => {
  const hostile = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://e.example/p.png)",
    "[click](javascript:alert(1))",
    "a | b | c",
    "# heading",
    "~~~",
    "```",
    "---",
    "===",
    "- item",
    "+ item",
    "1. first",
    "1) first",
    "> quote",
    "&lt;b&gt;",
    "\u202egnp.exe",
    "a\nb\n## c",
    "\u001b[31mred",
    "    code",
    "**bold** _it_ `x`",
    "x".repeat(5000),
  ];
  for (const name of hostile) {
    const blocks = [paragraph(name), bullets([name]), reportTable([name, "n"], [[name, 1]])];
    const sections = [
      { title: name, blocks, problems: [name] },
      { title: "Last", blocks: [], problems: [] },
    ];
    const md = asMarkdown({ title: name, made: "now", sections });
    const lines = md.split("\n");
    const shown = JSON.stringify(name.slice(0, 40));
    assert.ok(lines.includes("## 2. Last"), shown);
    assert.equal(lines.filter((line) => /^#/.test(line)).length, 3, shown);
    assert.ok(!lines.some((line) => /^\s*(?:~~~|```|---|===|\+ |\d+[.)] )/.test(line)), shown);
    assert.equal(lines.filter((line) => line.startsWith("- ")).length, 1, shown);
    assert.ok(!lines.some((line) => /^- (?:~~~|```|---|[-+] |\d+[.)] )/.test(line)), shown);
    assert.ok(!/<[a-z!/]/i.test(md), shown);
    assert.ok(!/(?<!\\)\]\(/.test(md), shown);
    for (const line of lines.filter((l) => l.startsWith("| ")))
      assert.equal(line.match(/(?<!\\)\|/g)!.length, 3, `${shown}: ${line}`);
    const html = asHtml({ title: name, made: "now", sections });
    assert.ok(!/<(?:script|img|b)\b/i.test(html), shown);
    assert.ok(!/[\u202e\u001b]/.test(md + html), shown);
  }
});

test("a summary command that fails says why, and garbage stays words", async () => {
  const sh = (script: string) => summarise(["sh", "-c", script], "report", 5_000);
  await assert.rejects(sh("echo 'no such model' >&2; exit 3"), /exit code 3.*no such model/);
  await assert.rejects(sh("kill -TERM $$"), /SIGTERM/);
  await assert.rejects(sh("exit 0"), /wrote nothing/);
  await assert.rejects(sh("printf '\\n \\n'"), /wrote nothing/);
  await assert.rejects(summarise(["no-such-program-here"], "r"), /no-such-program-here.*(?:PATH|installed)/);
  await assert.rejects(summarise(["/tmp"], "r"), /could not be started/);
  assert.deepEqual(await sh("cat > /dev/null; echo one; echo two; echo three"), ["one", "two"]);
  assert.equal((await sh("exec </dev/null; head -c 3000000 /dev/zero | tr '\\0' x; echo")).length, 1);
  assert.equal((await sh("head -c 100 /dev/urandom; echo; echo x")).length > 0, true);
});

test("a schedule runs what was asked for, where nobody is logged in", async () => {
  const home = workplace("http://127.0.0.1:9", { out: "not yet there" });
  const said = (...words: string[]) => interlock(home, [...daily, "--install-schedule", ...words]);
  for (const kind of ["launchd", "systemd", "cron"]) {
    const { out } = await said(kind, "--out", "my reports");
    assert.match(out, /--out/, `${kind}: --out is part of the entry`);
    assert.match(out, /mkdir -p '[^']*my reports'/, `${kind}: the log's folder must be there`);
    const path = process.env["PATH"]!.split(":")[0]!;
    assert.ok(out.includes(path), `${kind}: programs are found as they are here`);
  }
  assert.ok(!existsSync(join(home, "my reports")), "printing makes nothing");
  const written = await said("systemd", "--write");
  assert.equal(written.code, 0, written.err);
  assert.doesNotMatch(written.out, /mkdir/);
  assert.ok(existsSync(join(home, "not yet there")));
  const xdg = await interlock(home, [...daily, "--install-schedule", "systemd"], {
    XDG_CONFIG_HOME: join(home, "xdg"),
  });
  assert.match(xdg.out, /xdg\/systemd\/user/);
  const json = JSON.parse((await said("cron", "--json")).out) as { written: boolean; nextSteps: string[] };
  assert.equal(json.written, false);
  const both = await said("cron", "--write");
  assert.equal(both.code, 0);
  assert.match(both.err, /crontab -e/);
});
