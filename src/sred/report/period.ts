// Calendar days, fiscal years and quarters in the claimant's time zone.
// Invariant: a moment becomes a calendar day by Intl alone, and days are compared as days: the last day counts whole.

/** A calendar day, YYYY-MM-DD: compares as text. */
export type Day = string;

export interface ClaimPeriod {
  from: Day;
  /** Inclusive: everything until midnight in the claimant's zone. */
  to: Day;
  zone: string;
  /** MM-DD; without it the period itself is the fiscal year. */
  fiscalYearEnd?: string;
  /** The fiscal year that holds the last day of the period. */
  fiscalYear: { from: Day; to: Day };
}

/** Bad options; the message names what is wanted. */
export class PeriodError extends Error {}

export interface PeriodOptions {
  from?: string;
  to?: string;
  zone?: string;
  fiscalYearEnd?: string;
}

export function claimPeriod({ from, to, zone, fiscalYearEnd }: PeriodOptions): ClaimPeriod {
  const first = dayOption("from", from);
  const last = dayOption("to", to);
  if (first > last) throw new PeriodError(`--from ${first} is after --to ${last}`);
  const checked = zoneOption(zone);
  const end = fiscalYearEnd === undefined ? undefined : monthDay(fiscalYearEnd);
  return {
    from: first,
    to: last,
    zone: checked,
    ...(end && { fiscalYearEnd: end }),
    fiscalYear: end ? fiscalYearOf(last, end) : { from: first, to: last },
  };
}

export function zoneOption(given: string | undefined): string {
  const zone = given ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new PeriodError(`--tz wants a time zone such as America/Toronto, not "${zone}"`);
  }
}

export function dayOption(name: string, text: string | undefined): Day {
  if (text === undefined) throw new PeriodError(`--${name} is missing: give a day such as 2026-03-31`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isDay(text))
    throw new PeriodError(`--${name} wants a day such as 2026-03-31, not "${text}"`);
  return text;
}

const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** 02-29 means the last day of February. */
function monthDay(text: string): string {
  if (!/^\d{2}-\d{2}$/.test(text) || !isDay(`2024-${text}`))
    throw new PeriodError(`--fiscal-year-end wants a month and a day such as 12-31, not "${text}"`);
  return text;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day and the clock time of a moment in a zone. */
export function localTime(seconds: number, zone: string): { day: Day; time: string } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      ...({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const),
    });
    formats.set(zone, format);
  }
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(seconds * 1000)) parts[type] = value;
  return {
    day: `${parts["year"]!.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`,
    time: `${parts["hour"]}:${parts["minute"]}`,
  };
}

export const dayIn = (seconds: number, zone: string): Day => localTime(seconds, zone).day;

export const within = (day: Day, span: { from: Day; to: Day }): boolean => day >= span.from && day <= span.to;

const utc = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
const dayOf = (number: number): Day => new Date(number * 86_400_000).toISOString().slice(0, 10);

export const addDays = (day: Day, days: number): Day => dayOf(utc(day) + days);
export const daysBetween = (from: Day, to: Day): number => utc(to) - utc(from);
export const earlier = (a: Day, b: Day): Day => [a, b].sort()[0]!;
export const later = (a: Day, b: Day): Day => [a, b].sort()[1]!;
/** 0 is Monday. */
export const weekday = (day: Day): number => (((utc(day) + 3) % 7) + 7) % 7;

/** The fiscal year that holds a day, when years end on MM-DD. */
export function fiscalYearOf(day: Day, end: string): { from: Day; to: Day } {
  const year = Number(day.slice(0, 4));
  const last = yearEnd(year, end) >= day ? year : year + 1;
  return { from: addDays(yearEnd(last - 1, end), 1), to: yearEnd(last, end) };
}

function yearEnd(year: number, end: string): Day {
  const four = String(year).padStart(4, "0");
  return end === "02-29" || end === "02-28" ? addDays(`${four}-03-01`, -1) : `${four}-${end}`;
}

/** Year and quarter of a day: of the fiscal year (named after the year it ends in) or of the calendar year. */
export function yearAndQuarter(day: Day, end?: string): { year: number; quarter: 1 | 2 | 3 | 4 } {
  const span = fiscalYearOf(day, end ?? "12-31");
  const [startMonth, month] = [Number(span.from.slice(5, 7)), Number(day.slice(5, 7))];
  const startDay = Number(span.from.slice(8, 10));
  let months = (month - startMonth + 12) % 12;
  if (Number(day.slice(8, 10)) < startDay && !(months === 0 && day >= span.from && daysBetween(span.from, day) < 31))
    months = (months + 11) % 12;
  return { year: Number(span.to.slice(0, 4)), quarter: (Math.min(3, Math.floor(months / 3)) + 1) as 1 | 2 | 3 | 4 };
}
