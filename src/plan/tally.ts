import type { Problem } from "../base/errors.ts";
import type { RowsJob } from "../job/job.ts";
import type { BadRow, PlannedRow } from "../state/row.ts";
import { BadCodes } from "./bad-codes.ts";
import type { RowAction } from "./compare.ts";
import { toSecondsAtLimit } from "./cost.ts";
import { toLevel } from "../api/design.ts";
import { toStaticPayload } from "../api/payload.ts";
import type { GoneRow } from "./gone-row.ts";
import { growsForLogo, toLarger, toLargerPath } from "./payload.ts";
import { toLinkPath, toSlugOf } from "./link-path.ts";
import { isStronger } from "./smaller.ts";

/** How many problems a person reads; the rest is counted. All of them go to `failed-rows.csv`. */
const PROBLEMS_KEPT = 1000;

const RENAMED_KEPT = 100;

export interface PlanGroup {
  readonly name: string;
  readonly rows: number;
  /**
   * Labels that its rows ask for, where each row says how many; overs and spare cells come on top, and
   * are in `sheetLabels` of the plan.
   */
  readonly labels?: number;
  /** Of these texts, the one that needs the largest code. */
  readonly longestPayload: string;
  /** Of Digital Links and of slugs that rows name: a path without its host. */
  readonly longestPath: string;
  /** Of some links the server makes up the path. */
  readonly hasMadeLinks?: true;
  /** Of those that its server has told; left out where it has told none. */
  readonly longestLink?: string;
  /** Of some codes the server has told no link yet. */
  readonly hasUntoldLinks?: true;
  /** The caption with most characters. */
  readonly longestCaption: readonly string[];
}

/** Facts about rows that the plan did not name, which only the state has. */
export interface Gone {
  /** Rows that are missing for the first time. */
  readonly vanished: number;
  /** Codes without a row, those of earlier runs included. */
  readonly gone: number;
  /** The first of them. */
  readonly goneRows: readonly GoneRow[];
}

export const NOTHING_GONE: Gone = { vanished: 0, gone: 0, goneRows: [] };

/** A file that is numbered, since another row has its name. */
export interface RenamedFile {
  readonly wished: string;
  readonly name: string;
  /** `line 4` or the like. */
  readonly row: string;
}

export interface PlanSummary extends Gone {
  readonly rows: number;
  readonly good: number;
  readonly bad: number;
  /** All bad rows are so by the manifest: there they are mended. */
  readonly isBadByManifest?: true;
  /** Boxes on the label have no room for texts of bad rows, and room for those of others; nothing else is bad. */
  readonly isBadByLabel?: true;
  /** Bad rows of which an earlier run made something, which stays as it was; left out where there is none. */
  readonly badWithCode?: number;
  /** The first of them. */
  readonly badCodeRows?: readonly GoneRow[];
  /** The first 1,000. */
  readonly problems: readonly Problem[];
  /** How many there are; left out where these are all. */
  readonly problemCount?: number;
  readonly creates: number;
  /** Rows for which anything is sent. */
  readonly touched: number;
  readonly updates: number;
  readonly restyles: number;
  readonly retags: number;
  readonly resumes: number;
  readonly unchanged: number;
  readonly failedBefore: number;
  readonly dynamicCreates: number;
  /** Codes to be made with more error correction than the API's default, since they are no larger for it. */
  readonly stronger: number;
  /** New codes that are larger than their text needs, since their logo has no room otherwise. */
  readonly grown: number;
  /** Folder paths that the rows name, with all above them: those that a run makes. */
  readonly folders: readonly string[];
  readonly zips: readonly PlanGroup[];
  readonly sheets: readonly PlanGroup[];
  /** Files whose names other rows have; the first of them, those that get their number now before others. */
  readonly renamedFiles: readonly RenamedFile[];
  /** How many there are in all. */
  readonly renamed: number;
  readonly writes: number;
  /** The run may take fewer: products of its rows are on the server already. */
  readonly writesAtMost?: true;
  readonly reads: number;
  /** Of these: files of codes that exist, since they are missing or a change draws them anew. */
  readonly refetches: number;
  /** The run may take fewer: answers to its changes may save reads. */
  readonly readsAtMost?: true;
  readonly secondsAtLimit: number;
}

/** A plan of nothing, to be filled. */
export const EMPTY_SUMMARY: PlanSummary = {
  rows: 0,
  good: 0,
  bad: 0,
  problems: [],
  creates: 0,
  touched: 0,
  updates: 0,
  restyles: 0,
  retags: 0,
  resumes: 0,
  unchanged: 0,
  failedBefore: 0,
  ...NOTHING_GONE,
  dynamicCreates: 0,
  stronger: 0,
  grown: 0,
  folders: [],
  zips: [],
  sheets: [],
  renamedFiles: [],
  renamed: 0,
  writes: 0,
  reads: 0,
  refetches: 0,
  secondsAtLimit: 0,
};

/** The counts of calls and changes in a plan with nothing to do. */
const NOTHING_TO_DO = {
  creates: 0,
  touched: 0,
  updates: 0,
  restyles: 0,
  retags: 0,
  resumes: 0,
  unchanged: 0,
  failedBefore: 0,
  dynamicCreates: 0,
  stronger: 0,
  grown: 0,
  writes: 0,
  reads: 0,
  refetches: 0,
};

/** The plan of the same rows once this one is carried out. */
export const toUnchanged = (summary: PlanSummary): PlanSummary => ({
  ...summary,
  ...NOTHING_TO_DO,
  folders: [],
  unchanged: summary.good,
  vanished: 0,
  secondsAtLimit: 0,
});

/** Rows of one ZIP or PDF while they are added up. */
export type Group = { -readonly [Field in keyof Omit<PlanGroup, "name">]: PlanGroup[Field] };

/** Adds up what a planner decides, row by row. */
export class Tally {
  readonly #job: RowsJob;
  readonly #counts = { good: 0, bad: 0, ...NOTHING_TO_DO, renamed: 0 };
  readonly #problems: Problem[] = [];
  /** The run may take fewer reads. */
  #isAtMost = false;
  readonly #badCodes = new BadCodes();
  #problemCount = 0;
  #byManifest = 0;
  #byLabel = 0;
  readonly #folders = new Set<string>();
  readonly #zips = new Map<string, Group>();
  readonly #sheets = new Map<string, Group>();
  /** Those that get their number now, and those of earlier runs. */
  readonly #renamed: Record<"now" | "before", RenamedFile[]> = { now: [], before: [] };

  constructor(job: RowsJob) {
    this.#job = job;
  }

  /** `isRenamed`: its files lie under another name; `link`: its short link, where it has one. */
  good(
    row: PlannedRow,
    action: RowAction,
    {
      isRenamed = false,
      link = null,
    }: { readonly isRenamed?: boolean | undefined; readonly link?: string | null | undefined } = {},
  ): void {
    const counts = this.#counts;
    counts.good += 1;
    this.#badCodes.remove(row.key);
    const isCreate = action.kind === "create";
    counts.creates += Number(isCreate);
    counts.touched += Number(action.writes > 0);
    counts.resumes += Number(action.kind === "resume");
    counts.stronger += Number(isCreate && isStronger(this.#job.code, row.wanted));
    counts.grown += Number(isCreate && growsForLogo(row.wanted));
    counts.unchanged += Number(action.kind === "unchanged");
    counts.failedBefore += Number(action.kind === "failed-before");
    counts.updates += Number(action.update);
    counts.restyles += Number(action.restyle);
    counts.retags += Number(action.retag);
    counts.writes += action.writes;
    const isNew = isCreate || action.kind === "resume";
    counts.dynamicCreates += Number(isNew && row.wanted.dynamic);
    const fetches = this.#countFetches(action, { isNew, isRenamed });
    counts.reads += fetches + action.reads;
    counts.refetches += isNew ? 0 : fetches;
    this.#addFolders(row.wanted.folder);
    // Without a code, it is on no sheet and in no archive.
    if (action.kind === "failed-before") return;
    addTo(this.#zips, row.placing.zip, row);
    addTo(this.#sheets, row.placing.sheets, row);
    addLink(this.#sheets, row, link);
  }

  /** Files under another name are fetched before a code changes, and then once more. */
  #countFetches(
    { redraw }: RowAction,
    { isNew, isRenamed }: { readonly isNew: boolean; readonly isRenamed: boolean },
  ): number {
    if (!this.#job.output.files.includes("png")) return 0;
    if (isNew) return 1;
    const isTwice = redraw && isRenamed;
    this.#isAtMost ||= isTwice;
    return isTwice ? 2 : Number(redraw || isRenamed);
  }

  /** `made`: what an earlier run made of it. */
  bad(row: BadRow, made?: GoneRow): void {
    this.#counts.bad += 1;
    if (made !== undefined) this.#badCodes.add(made);
    this.#byManifest += Number(row.isByManifest === true);
    this.#byLabel += Number(row.isByLabel === true);
    this.#problemCount += row.problems.length;
    for (const problem of row.problems) {
      if (this.#problems.length < PROBLEMS_KEPT) this.#problems.push(problem);
    }
  }

  hasBad(): boolean {
    return this.#counts.bad > 0;
  }

  /** `isNew`: no file has the name yet. */
  renamed(file: RenamedFile, isNew: boolean): void {
    this.#counts.renamed += 1;
    const kept = this.#renamed[isNew ? "now" : "before"];
    if (kept.length < RENAMED_KEPT) kept.push(file);
  }

  summary(gone: Gone, hasFolder: (path: string) => boolean): PlanSummary {
    const folders = [...this.#folders].filter((path) => !hasFolder(path));
    const writes = this.#counts.writes + folders.length;
    return {
      ...this.#counts,
      rows: this.#counts.good + this.#counts.bad,
      ...this.#blame(),
      ...this.#badCodes.summary(),
      problems: this.#problems,
      ...(this.#problemCount > PROBLEMS_KEPT && { problemCount: this.#problemCount }),
      ...gone,
      ...(this.#isAtMost && { readsAtMost: true as const }),
      folders,
      zips: toGroups(this.#zips),
      sheets: toGroups(this.#sheets),
      renamedFiles: [...this.#renamed.now, ...this.#renamed.before].slice(0, RENAMED_KEPT),
      writes,
      secondsAtLimit: toSecondsAtLimit(writes),
    };
  }

  /** Where all bad rows are mended. Where no row is good, no text has shown that the label has room. */
  #blame(): Pick<PlanSummary, "isBadByManifest" | "isBadByLabel"> {
    const { good, bad } = this.#counts;
    if (bad === 0 || this.#byManifest + this.#byLabel < bad) return {};
    if (good === 0 || this.#byLabel === 0) return { isBadByManifest: true };
    return this.#byManifest === 0 ? { isBadByLabel: true } : {};
  }

  #addFolders(folder: string | null): void {
    if (folder === null || this.#folders.has(folder)) return;
    const names = folder.split("/");
    for (let depth = 1; depth <= names.length; depth += 1) {
      this.#folders.add(names.slice(0, depth).join("/"));
    }
  }
}

const lengthOf = (caption: readonly string[]): number =>
  caption.reduce((sum, line) => sum + line.length, 0);

export function addTo(groups: Map<string, Group>, name: string | null, row: PlannedRow): void {
  if (name === null) return;
  const group = groups.get(name) ?? {
    rows: 0,
    longestPayload: "",
    longestPath: "",
    longestCaption: [],
  };
  group.rows += 1;
  const payload = row.wanted.dynamic ? "" : toStaticPayload(row.wanted);
  const level = toLevel(row.wanted);
  group.longestPayload = toLarger(group.longestPayload, payload, level);
  const path = toLinkPath(row.wanted) ?? "";
  if (row.wanted.dynamic && path === "") group.hasMadeLinks = true;
  group.longestPath = toLargerPath(group.longestPath, path, level);
  const { caption, copies } = row.placing;
  if (copies !== undefined) group.labels = (group.labels ?? 0) + copies;
  if (lengthOf(caption) > lengthOf(group.longestCaption)) group.longestCaption = caption;
  groups.set(name, group);
}

/** Adds the short link of a row to its PDF; null where its server has told none. */
export function addLink(
  sheets: Map<string, Group>,
  { wanted, placing }: Pick<PlannedRow, "wanted" | "placing">,
  link: string | null,
): void {
  const group = placing.sheets === null ? undefined : sheets.get(placing.sheets);
  if (group === undefined) return;
  const slug = toSlugOf(wanted);
  // With another slug it gets another link.
  const isTold =
    link !== null && (slug === null || link.toLowerCase().endsWith(`/${slug.toLowerCase()}`));
  if (isTold) group.longestLink = toLarger(group.longestLink ?? "", link, toLevel(wanted));
  if (!isTold && (wanted.dynamic || wanted.type === "GS1")) group.hasUntoldLinks = true;
}

export function toGroups(groups: ReadonlyMap<string, Group>): PlanGroup[] {
  return [...groups]
    .map(([name, group]) => ({ name, ...group }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
