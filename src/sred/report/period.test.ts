// Days, fiscal years and quarters at their edges: midnight, clock changes, zones 14 hours ahead and 12 behind.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addDays,
  claimPeriod,
  dayIn,
  daysBetween,
  fiscalYearOf,
  localTime,
  PeriodError,
  weekday,
  within,
  yearAndQuarter,
} from "./period.js";

const at = (iso: string): number => Date.parse(iso) / 1000;

test("the last day counts until midnight in the claimant's zone", () => {
  const rows: [zone: string, iso: string, inside: boolean][] = [
    ["America/Toronto", "2026-03-31T23:59:59-04:00", true],
    ["America/Toronto", "2026-04-01T00:00:00-04:00", false],
    ["America/Toronto", "2026-04-01T03:59:59Z", true],
    ["America/Toronto", "2026-01-01T04:59:59Z", false],
    ["America/Toronto", "2026-01-01T05:00:00Z", true],
    ["Pacific/Kiritimati", "2026-03-31T09:59:59Z", true],
    ["Pacific/Kiritimati", "2026-03-31T10:00:00Z", false],
    ["Pacific/Kiritimati", "2025-12-31T10:00:00Z", true],
    ["Etc/GMT+12", "2026-04-01T11:59:59Z", true],
    ["Etc/GMT+12", "2026-04-01T12:00:00Z", false],
    ["Etc/GMT+12", "2026-01-01T11:59:59Z", false],
    ["America/St_Johns", "2026-04-01T02:29:59Z", true],
    ["America/St_Johns", "2026-04-01T02:30:00Z", false],
    ["UTC", "2026-03-31T23:30:00Z", true],
  ];
  for (const [zone, iso, inside] of rows)
    assert.equal(within(dayIn(at(iso), zone), { from: "2026-01-01", to: "2026-03-31" }), inside, `${zone} ${iso}`);
});

test("clock changes: the missing and the repeated hour belong to their day", () => {
  const zone = "America/Toronto";
  assert.deepEqual(localTime(at("2026-03-08T06:59:59Z"), zone), { day: "2026-03-08", time: "01:59" });
  assert.deepEqual(localTime(at("2026-03-08T07:00:00Z"), zone), { day: "2026-03-08", time: "03:00" });
  assert.deepEqual(localTime(at("2026-11-01T05:30:00Z"), zone), { day: "2026-11-01", time: "01:30" });
  assert.deepEqual(localTime(at("2026-11-01T06:30:00Z"), zone), { day: "2026-11-01", time: "01:30" });
  assert.deepEqual(localTime(at("2026-11-02T04:59:00Z"), zone), { day: "2026-11-01", time: "23:59" });
  // Clocks that change at midnight: the day begins at 01:00.
  assert.deepEqual(localTime(at("2026-04-23T21:59:59Z"), "Africa/Cairo"), { day: "2026-04-23", time: "23:59" });
  assert.deepEqual(localTime(at("2026-04-23T22:00:00Z"), "Africa/Cairo"), { day: "2026-04-24", time: "01:00" });
  assert.equal(localTime(at("2026-01-01T00:00:00Z"), "UTC").time, "00:00");
});

test("fiscal years that end on any day, the last of February included", () => {
  assert.deepEqual(fiscalYearOf("2026-03-31", "03-31"), { from: "2025-04-01", to: "2026-03-31" });
  assert.deepEqual(fiscalYearOf("2026-04-01", "03-31"), { from: "2026-04-01", to: "2027-03-31" });
  assert.deepEqual(fiscalYearOf("2024-02-29", "02-28"), { from: "2023-03-01", to: "2024-02-29" });
  assert.deepEqual(fiscalYearOf("2025-02-28", "02-29"), { from: "2024-03-01", to: "2025-02-28" });
  assert.deepEqual(fiscalYearOf("2026-12-31", "12-31"), { from: "2026-01-01", to: "2026-12-31" });
});

test("every day of ten fiscal years lies in one quarter, and quarters come in order", () => {
  for (const end of ["12-31", "03-31", "06-30", "02-28", "02-29", "01-31", "09-15", "10-31", "11-30"]) {
    let day = fiscalYearOf("2020-06-01", end).from;
    const last = fiscalYearOf("2029-06-01", end).to;
    let before: { year: number; quarter: number } | undefined;
    for (; day <= last; day = addDays(day, 1)) {
      const now = yearAndQuarter(day, end);
      const span = fiscalYearOf(day, end);
      assert.ok(within(day, span));
      assert.equal(now.year, Number(span.to.slice(0, 4)));
      if (day === span.from) assert.equal(now.quarter, 1, `${end} ${day}`);
      if (day === span.to) assert.equal(now.quarter, 4, `${end} ${day}`);
      if (before && before.year === now.year)
        assert.ok(now.quarter === before.quarter || now.quarter === before.quarter + 1, `${end} ${day}`);
      before = now;
    }
  }
  assert.deepEqual(yearAndQuarter("2026-03-31"), { year: 2026, quarter: 1 });
  assert.deepEqual(yearAndQuarter("2026-04-01"), { year: 2026, quarter: 2 });
  assert.deepEqual(yearAndQuarter("2026-04-01", "03-31"), { year: 2027, quarter: 1 });
});

test("days are counted and named across years", () => {
  assert.equal(addDays("2024-02-28", 2), "2024-03-01");
  assert.equal(daysBetween("2025-12-31", "2026-01-01"), 1);
  assert.equal(weekday("2026-11-16"), 0);
  assert.equal(weekday("1969-12-28"), 6);
});

test("wrong options name what is wanted", () => {
  const wrong: [Parameters<typeof claimPeriod>[0], RegExp][] = [
    [{ to: "2026-03-31" }, /--from is missing/],
    [{ from: "2026-01-01" }, /--to is missing/],
    [{ from: "2026-02-30", to: "2026-03-31" }, /--from wants a day/],
    [{ from: "1 Jan", to: "2026-03-31" }, /--from wants a day/],
    [{ from: "2026-04-01", to: "2026-03-31" }, /is after/],
    [{ from: "2026-01-01", to: "2026-03-31", zone: "Mars/Base" }, /--tz wants/],
    [{ from: "2026-01-01", to: "2026-03-31", fiscalYearEnd: "31-12" }, /--fiscal-year-end wants/],
  ];
  for (const [options, text] of wrong)
    assert.throws(
      () => claimPeriod(options),
      (error) => error instanceof PeriodError && text.test(error.message),
    );
  const period = claimPeriod({ from: "2026-01-01", to: "2026-03-31", zone: "america/toronto", fiscalYearEnd: "03-31" });
  assert.deepEqual(period.fiscalYear, { from: "2025-04-01", to: "2026-03-31" });
  assert.equal(period.zone, "America/Toronto");
});
