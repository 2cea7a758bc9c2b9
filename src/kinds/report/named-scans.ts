/**
 * The lists of scan analytics, whose elements the document doesn't show
 * (docs/spec/api.md section 2.7).
 */
import { isRecord } from "../../base/is-record.ts";
import type { NamedScans } from "../../pack/scan-figures.ts";

type Entry = Readonly<Record<string, unknown>>;

const toCount = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

const isUnique = (field: string): boolean => field.includes("unique");

/** Our own fields first; else the first text is the name, the first number the scans. */
function fromEntry(entry: Entry): NamedScans {
  const fields = Object.entries(entry);
  const texts = fields.filter(
    ([, value]) => typeof value === "string" && toCount(value) === undefined,
  );
  const counts = fields.flatMap(([field, value]) => {
    const count = toCount(value);
    return count === undefined || /(?:^|_)id$/u.test(field) ? [] : [{ field, count }];
  });
  const name = entry["name"] ?? entry["date"] ?? texts[0]?.[1];
  const scans = toCount(entry["scans"]) ?? counts.find(({ field }) => !isUnique(field))?.count;
  return {
    name: typeof name === "string" ? name : "",
    scans: scans ?? 0,
    uniqueScans: counts.find(({ field }) => isUnique(field))?.count ?? 0,
  };
}

const fromPair = ([name, count]: readonly unknown[]): NamedScans[] =>
  typeof name === "string" ? [{ name, scans: toCount(count) ?? 0, uniqueScans: 0 }] : [];

/** A list of objects, of pairs, or one object of name and number. Empty for anything else. */
export function toNamedScans(list: unknown): NamedScans[] {
  if (isRecord(list)) return Object.entries(list).flatMap(fromPair);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (Array.isArray(entry)) return fromPair(entry);
    return isRecord(entry) ? [fromEntry(entry)] : [];
  });
}
