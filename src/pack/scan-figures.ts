/** The figures of a scan report, as its files show them. */

import type { CodeSelect } from "../base/shapes/code-select.ts";

/** One code with its counts; null where nothing is counted. */
export interface CodeFigures {
  readonly id: string;
  readonly name: string;
  readonly destination: string | null;
  /** Path; empty for codes in no folder. */
  readonly folder: string;
  readonly type: string;
  readonly shortLink: string | null;
  readonly tags: readonly string[];
  /** ISO. */
  readonly created: string;
  readonly scans: number | null;
  readonly uniqueScans: number | null;
  /** Of the window before; null without one. */
  readonly previousScans: number | null;
  readonly previousUniqueScans: number | null;
  /** Why it is pointed out; undefined when it isn't. */
  readonly flag: string | undefined;
}

/** Codes added up. */
export interface GroupFigures {
  readonly name: string;
  readonly codes: number;
  readonly scans: number;
  /** Sum over the codes: somebody who scanned two counts twice. */
  readonly uniqueScans: number;
  readonly previousScans: number | null;
  readonly previousUniqueScans: number | null;
}

/** A day, country, system or browser, with its scans. */
export interface NamedScans {
  readonly name: string;
  readonly scans: number;
  readonly uniqueScans: number;
}

/** list -> its entries, such as `scans_by_day`. */
export interface CodeDetails {
  readonly code: CodeFigures;
  readonly lists: ReadonlyMap<string, readonly NamedScans[]>;
}

/** The content of a report. */
export interface ScanTotals {
  readonly scans: number;
  readonly codes: number;
  readonly window: string;
  /** The selection may mean short links, which are not counted. */
  readonly withoutLinks: boolean;
}

export interface ScanReport {
  readonly job: string;
  readonly program: string;
  readonly server: string;
  readonly createdAt: Date;
  /** The selection in English words. */
  readonly selection: string;
  readonly select: CodeSelect;
  readonly window: string;
  readonly previousWindow: string | null;
  /** Field names of `columns`. */
  readonly columns: readonly string[];
  /** The kind of group, in the singular: `folder`, `workspace`; null without groups. */
  readonly groupName: string | null;
  readonly total: GroupFigures;
  /** Most scans first. */
  readonly groups: readonly GroupFigures[];
  /** By folder and name; read anew each time. */
  readonly codes: () => Iterable<CodeFigures>;
  /** Most scans first. */
  readonly top: readonly CodeFigures[];
  readonly details: readonly CodeDetails[];
  /** What is pointed out, such as `no scan for 30 days`; null when nothing was asked for. */
  readonly flagRule: string | null;
  readonly flagged: number;
}

/** Difference to the window before; undefined where there is none. */
export function toChange(now: number | null, before: number | null): number | undefined {
  return now === null || before === null ? undefined : now - before;
}

/** `+12 %`, `−40 %`, `new` for something from nothing, a dash for nothing twice; undefined where no window was before. */
export function toChangeText(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null) return undefined;
  if (before === 0) return now === 0 ? "–" : "new";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return "±0 %";
  return percent > 0 ? `+${percent} %` : `−${-percent} %`;
}
