/** Scans that were read -> the figures in the files. */
import type { Analytics } from "../../api/scan.ts";
import type { ReportJob } from "./job.ts";
import type {
  CodeDetails,
  CodeFigures,
  GroupFigures,
  NamedScans,
  ScanReport,
} from "../../pack/scan-figures.ts";
import type { ScannedCode, Scans } from "../../run/read-scans.ts";
import { toNamedScans } from "./named-scans.ts";

/** How many codes are kept for tables of those with most scans. */
const TOP_KEPT = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Why a code is pointed out: no scan for so long, or too young for that. */
function toFlag(scanned: ScannedCode, days: number | null, nowMs: number): string | undefined {
  if (days === null || scanned.flagScans !== 0) return undefined;
  const isNew = Date.parse(scanned.code.created) > nowMs - days * DAY_MS;
  return isNew ? "new, no scan yet" : `no scan for ${days} days`;
}

/** A code's line. */
function toFigures(scanned: ScannedCode, days: number | null, nowMs: number): CodeFigures {
  const { code, scans, uniqueScans, previousScans, previousUniqueScans } = scanned;
  return {
    id: code.id,
    name: code.name,
    destination: code.destination,
    folder: code.folder?.path ?? "",
    type: code.type,
    shortLink: code.shortLink,
    tags: code.tags,
    created: code.created,
    scans,
    uniqueScans,
    previousScans,
    previousUniqueScans,
    flag: toFlag(scanned, days, nowMs),
  };
}

const EMPTY = { codes: 0, scans: 0, uniqueScans: 0 };

const addUp = (sum: number | null, value: number | null): number | null =>
  value === null ? sum : (sum ?? 0) + value;

function addTo(group: GroupFigures, code: CodeFigures): GroupFigures {
  return {
    name: group.name,
    codes: group.codes + 1,
    scans: group.scans + (code.scans ?? 0),
    uniqueScans: group.uniqueScans + (code.uniqueScans ?? 0),
    previousScans: addUp(group.previousScans, code.previousScans),
    previousUniqueScans: addUp(group.previousUniqueScans, code.previousUniqueScans),
  };
}

const makeGroup = (name: string, isCompared: boolean): GroupFigures => ({
  name,
  ...EMPTY,
  previousScans: isCompared ? 0 : null,
  previousUniqueScans: isCompared ? 0 : null,
});

const byScans = (a: { scans: number | null }, b: { scans: number | null }): number =>
  (b.scans ?? -1) - (a.scans ?? -1);

/** Keeps the codes with most scans, in bounded memory. */
class Top {
  readonly #size: number;
  #codes: CodeFigures[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  add(code: CodeFigures): void {
    this.#codes.push(code);
    if (this.#codes.length > this.#size * 2) this.#cut();
  }

  #cut(): void {
    this.#codes = this.#codes.toSorted(byScans).slice(0, this.#size);
  }

  codes(): readonly CodeFigures[] {
    this.#cut();
    return this.#codes;
  }
}

export interface ReportFacts extends Pick<
  ScanReport,
  "window" | "previousWindow" | "selection" | "server" | "program"
> {
  readonly job: ReportJob;
  readonly scans: Scans;
  readonly nowMs: number;
}

const NO_FOLDER = "(in no folder)";

/** Everything but the details, which are read once the leading codes are known. */
export function toScanReport(facts: ReportFacts): ScanReport {
  const { job, scans, nowMs } = facts;
  const days = job.flag.zeroScansForDays;
  const isCompared = facts.previousWindow !== null;
  const groups = new Map<string, GroupFigures>();
  const top = new Top(Math.max(TOP_KEPT, job.details?.top ?? 0));
  let total = makeGroup("all codes", isCompared);
  let flagged = 0;
  function* codes(): Iterable<CodeFigures> {
    for (const scanned of scans.codes()) yield toFigures(scanned, days, nowMs);
  }
  for (const code of codes()) {
    total = addTo(total, code);
    top.add(code);
    flagged += Number(code.flag !== undefined);
    if (job.groupBy === "code") continue;
    const name = job.groupBy === "workspace" ? "workspace" : code.folder || NO_FOLDER;
    groups.set(name, addTo(groups.get(name) ?? makeGroup(name, isCompared), code));
  }
  return {
    job: job.name,
    program: facts.program,
    server: facts.server,
    createdAt: new Date(nowMs),
    selection: facts.selection,
    select: job.select,
    window: facts.window,
    previousWindow: facts.previousWindow,
    columns: job.columns,
    groupName: job.groupBy === "code" ? null : job.groupBy,
    total,
    groups: [...groups.values()].toSorted(byScans),
    codes,
    top: top.codes(),
    details: [],
    flagRule: days === null ? null : `No scan for ${days} days`,
    flagged,
  };
}

/** Servers count days in UTC: their figure for the day before the first belongs to the first. */
function mergeFirstDay(days: readonly NamedScans[], first: string): NamedScans[] {
  const [early, rest] = [
    days.filter((day) => day.name < first),
    days.filter((day) => day.name >= first),
  ];
  const [start, ...others] = rest;
  if (start === undefined || early.length === 0) return [...days];
  const sum = early.reduce(
    (sum, { scans, uniqueScans }) => ({
      ...sum,
      scans: sum.scans + scans,
      uniqueScans: sum.uniqueScans + uniqueScans,
    }),
    start,
  );
  return [sum, ...others];
}

/** So many days are listed whole: a year. */
const MOST_DAYS = 366;

/** Of longer windows, the days before a code's first scan are left out: a file has room for years of few codes only. */
function fromFirstScan(days: readonly NamedScans[]): readonly NamedScans[] {
  if (days.length <= MOST_DAYS) return days;
  const first = days.findIndex(({ scans }) => scans > 0);
  return first < 0 ? [] : days.slice(first);
}

const toDays = (entries: readonly NamedScans[], first: string): readonly NamedScans[] =>
  fromFirstScan(mergeFirstDay(entries, first));

/** The report with the details of single codes. */
export function addDetails(
  report: ScanReport,
  job: ReportJob,
  found: ReadonlyMap<string, Analytics>,
): ScanReport {
  const include = job.details?.include ?? [];
  const details = report.top.flatMap((code): CodeDetails[] => {
    const analytics = found.get(code.id);
    if (analytics === undefined) return [];
    const lists = include.map((name) => {
      const entries = toNamedScans(analytics[name]);
      const isDays = name === "scans_by_day";
      return [name, isDays ? toDays(entries, report.window.slice(0, 10)) : entries] as const;
    });
    return [{ code, lists: new Map(lists) }];
  });
  return { ...report, details };
}
