/** Schedules as people say them, and as the five fields of cron. Pure. */

export const everies = ["day", "weekday", "week", "month", "own"] as const;
export type Every = (typeof everies)[number];

export interface When {
  readonly every: Every;
  /** `06:00`; also where `own` says something else. */
  readonly time: string;
  /** Of `week`: 0 Sunday to 6 Saturday. */
  readonly weekday: string;
  readonly cron: string;
}

const DEFAULT: When = { every: "day", time: "06:00", weekday: "1", cron: "0 6 * * *" };

const PLAIN = /^(\d{1,2}) (\d{1,2}) (\*|1) \* (\*|1-5|[0-6])$/u;

const two = (text: string): string => text.padStart(2, "0");

/** What the form shows of a schedule. */
export function toWhen(cron: string | undefined): When {
  if (cron === undefined) return DEFAULT;
  const [, minute = "", hour = "", day, weekday = ""] = PLAIN.exec(cron.trim()) ?? [];
  const own: When = { ...DEFAULT, every: "own", cron };
  if (day === undefined) return own;
  const at = { ...own, time: `${two(hour)}:${two(minute)}` };
  if (day === "1") return weekday === "*" ? { ...at, every: "month" } : own;
  if (weekday === "*") return { ...at, every: "day" };
  return weekday === "1-5" ? { ...at, every: "weekday" } : { ...at, every: "week", weekday };
}

/** The five fields; undefined for a time that is none. */
export function toCron({ every, time, weekday, cron }: When): string | undefined {
  if (every === "own") return cron.trim();
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(time.trim()) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const at = `${Number(minute)} ${Number(hour)}`;
  const days = {
    day: "* * *",
    weekday: "* * 1-5",
    week: `* * ${/^[0-6]$/u.test(weekday) ? weekday : "1"}`,
    month: "1 * *",
  };
  return `${at} ${days[every]}`;
}
