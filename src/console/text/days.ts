// Days in the time zone of the browser, written as in addresses and date fields: `2026-11-28`.

/** The first and the last day of a range, both included. */
export interface DayRange {
  first: string;
  last: string;
}

const pad = (number: number, digits = 2) => String(number).padStart(digits, "0");

/** The day of a moment (epoch ms). */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** When a day starts, or the day that many days later: epoch ms. Days with a clock change are shorter or longer. */
function startOf(day: string, daysLater = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}

/** The starts of the last `count` days, the last of which contains `at`, and the end of that day. */
export const dayStarts = (count: number, at: number): number[] =>
  Array.from({ length: count + 1 }, (_, index) => startOf(dayOf(at), index + 1 - count));

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: string) => DAY.test(text) && text >= "1970-01-02" && dayOf(startOf(text)) === text;

/** The range of two texts in either order; one of them is enough. Undefined if neither is a day. */
export function rangeOf(from: string, to: string): DayRange | undefined {
  const days = [from, to].filter(isDay).sort();
  const [first] = days;
  const last = days.at(-1);
  return first !== undefined && last !== undefined ? { first, last } : undefined;
}

/** The moments of a range, epoch ms: from `from` on and before `to`. */
export const momentsOf = ({ first, last }: DayRange) => ({ from: startOf(first), to: startOf(last, 1) });

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const withWeekday = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });

/** `Nov 28`, in the form of the user's country. */
export const shortDay = (at: number) => short.format(at);

/** `Sat, Nov 28`, or `Nov 3 – 9` for a range. */
export const rangeText = ({ first, last }: DayRange) =>
  first === last ? withWeekday.format(startOf(first)) : short.formatRange(startOf(first), startOf(last));

const DAY_MS = 86_400_000;
/** Steps between dates, in days and in months. */
const DAY_STEPS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120];
const MONTH_DAYS = 30.4;
const month = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });
const hour = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

/** Dates between two moments to write on an axis, at most `count` or so: days, Mondays, or first days of months. */
export function calendarTicks(from: number, to: number, count: number): { at: number; text: string }[] {
  const days = (to - from) / DAY_MS;
  if (days < 1) return to > from ? [from, to].map((at) => ({ at, text: hour.format(at) })) : [];
  const most = Math.max(1, count);
  const dayStep = DAY_STEPS.find((step) => days / step <= most);
  const monthStep = MONTH_STEPS.find((step) => days / MONTH_DAYS / step <= most) ?? 120;
  const start = new Date(from);
  // 1970-01-05 was a Monday.
  const monday = Math.floor((from / DAY_MS - 4) / 14) * 14 + 4;
  const ticks: number[] = [];
  for (let index = 0; ticks.length <= 2 * most; index++) {
    const at =
      dayStep === undefined
        ? new Date(start.getFullYear(), index * monthStep, 1).getTime()
        : startOf(dayOf((monday + 0.5) * DAY_MS), index * dayStep);
    if (at > to) break;
    if (at >= from) ticks.push(at);
  }
  return ticks.map((at) => ({ at, text: dayStep === undefined ? month.format(at) : short.format(at) }));
}
