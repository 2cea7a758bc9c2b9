/** Proven after the press: scans and photos of a job's printed sheets are held against its labels (docs/scan-back.md). */
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import {
  SPOILED,
  type SpoiledLabel,
  type VoidLabel,
  writeSpoiledCsv,
} from "../../pack/spoiled-labels.ts";
import {
  type LabelState,
  type Lie,
  type OlderLook,
  type OlderSign,
  openScanner,
  type PastCode,
  readPictures,
  type ScanCell,
  type ScannedLabel,
  type ScannedPicture,
  type ScannedSheet,
  type ScanSheet,
} from "../../scan/scan.ts";
import { toFinishedJob, withFinishedJob } from "../standing/finished-job.ts";
import { refuseForeign } from "../address/foreign-server.ts";
import { refuseOwnList } from "../checks/own-lists.ts";
import type { Ports } from "../ports.ts";
import { Cuts } from "./scan-cuts.ts";
import {
  type Expected,
  expectSheets,
  type JobCell,
  type JobSheet,
  type UnfinishedRow,
} from "./scan-sheets.ts";
import { measure, type PrintMeasure } from "./scan-measure.ts";
import { joinLabels } from "./whole-labels.ts";
import { findAddressProblems } from "../rows/server-address.ts";
import { toDelimiter } from "../stages/lookups.ts";
import { recallRemade } from "../stages/sheets.ts";
import { toPlaceText } from "../../state/unit-ledger.ts";
import { listEarlier } from "../units/last-scan.ts";
import { listVoid } from "../units/list-void.ts";
import type { UnitOrder } from "../units/unit-job.ts";
import type { Work } from "../stages/work.ts";

export interface ScanRequest {
  /** Absolute; messages name them from `cwd`. */
  readonly files: readonly string[];
  readonly cwd: string;
  /** Called after each page: how many were read, and of how many as far as that is known. */
  readonly onPage?: ((done: number, total: number) => void) | undefined;
  /** Folder that gets a picture of each spoiled label, the first 200, under `toCutName`. */
  readonly cutsTo?: string | undefined;
}

/** `void`: its code is void, however the picture shows it. */
export type LabelFate = LabelState | "void";
export type LabelCounts = Readonly<Record<LabelFate, number>>;

/** One sheet as one picture shows it. */
export interface SheetOnPicture {
  readonly picture: string;
  readonly file: string;
  readonly page: number;
  readonly labels: LabelCounts;
  readonly lie: Lie;
  /** Share of a module that dark ones are wider by, and what lies between ink and paper, 0 to 1. */
  readonly growth?: number;
  readonly contrast?: number;
  /** True for a sheet that a former picture showed as well. */
  readonly isDouble: boolean;
}

/** A code that was read where it does not belong. */
export interface StrayOnPicture {
  readonly picture: string;
  readonly text: string;
  /** Its row of the job; undefined = foreign. */
  readonly key: string | undefined;
  /** True where that row's code is void. */
  readonly isVoid?: true;
  readonly on?: {
    readonly file: string;
    readonly page: number;
    readonly row: number;
    readonly column: number;
  };
}

/** A picture of sheets that were printed before those of today were made. None of their labels is judged. */
export interface OlderPicture {
  readonly picture: string;
  readonly why: OlderSign;
  /** Codes that were read and that sheets of today hold as well. */
  readonly codes: number;
  /** Codes of the job that no sheet of today holds. */
  readonly past: readonly PastCode[];
  /** Rows of today that it lacks since they were added later; left out where there are none. */
  readonly lacks?: readonly string[];
  /** Rows of void codes that were read. */
  readonly void: readonly string[];
  /** What codes say that are not of the job. */
  readonly foreign: readonly string[];
}

export interface ScanResult {
  readonly job: string;
  /** Printed codes may lead nowhere, however good their labels are; missing in older results. */
  readonly address?: readonly Problem[];
  /** Of the sheets that were seen; a label that one of several pictures shows good is good. */
  readonly labels: LabelCounts;
  readonly sheets: readonly SheetOnPicture[];
  /** In no picture. */
  readonly unseen: readonly { readonly file: string; readonly page: number }[];
  /** Those of void codes are not among them. */
  readonly spoiled: readonly SpoiledLabel[];
  /** Of an earlier scan, in no picture of this one and still to be marked; left out where there are none. */
  readonly earlier?: readonly SpoiledLabel[];
  readonly void: readonly VoidLabel[];
  readonly outside: readonly Pick<
    SpoiledLabel,
    "line" | "key" | "file" | "page" | "row" | "column"
  >[];
  readonly strays: readonly StrayOnPicture[];
  readonly older: readonly OlderPicture[];
  /** When the sheets of today were made in place of others, ISO; undefined where that is not known. */
  readonly remadeAt: string | undefined;
  /** The last run did not end: rows that it has still to put on sheets. */
  readonly unfinished: readonly UnfinishedRow[];
  /** Pictures in which no code of the job was read, and what can't be read at all. */
  readonly empty: readonly string[];
  readonly unreadable: readonly Problem[];
  /** Symbols beside the codes, which are not looked at. */
  readonly symbols: number;
  readonly measured: PrintMeasure | undefined;
  /** `spoiled.csv`; undefined when no sheet was seen. */
  readonly file: string | undefined;
}

/** Labels of void codes that lie on the sheets. */
export const toTakeOff = (scan: Pick<ScanResult, "void" | "older">): string[] => [
  ...scan.void.filter(({ isPrinted }) => isPrinted).map(({ key }) => key),
  ...scan.older.flatMap((one) => one.void),
];

/**
 * True when all labels in the pictures may ship; sheets that were not scanned are listed, and no
 * fault.
 */
export const isFlawless = (
  scan: Pick<
    ScanResult,
    "address" | "spoiled" | "void" | "outside" | "strays" | "older" | "empty" | "unreadable"
  >,
): boolean => {
  const { address = [], spoiled, outside, strays, older, empty, unreadable } = scan;
  const faults = [address, spoiled, toTakeOff(scan), outside, strays, older, empty, unreadable];
  return faults.every((list) => list.length === 0);
};

const nameOf = ({ file, page }: Pick<ScannedPicture, "file" | "page">, cwd: string): string => {
  const name = path.relative(cwd, file);
  return page === undefined ? name : `${name} page ${page}`;
};

const NONE: LabelCounts = { good: 0, damaged: 0, missing: 0, outside: 0, void: 0 };

type Voided = ReadonlySet<string>;

const fateOf = ({ state, cell }: Pick<ScannedLabel, "state" | "cell">, voided: Voided): LabelFate =>
  state !== "outside" && voided.has(cell.key) ? "void" : state;

/** Of one page. */
const onPage = ({ cell }: ScannedLabel): string => `${cell.row} ${cell.column}`;

/** Pieces of paper, however many codes each has. */
function count(labels: readonly ScannedLabel[], voided: Voided): LabelCounts {
  const counts = { ...NONE };
  for (const label of labels) counts[fateOf(label, voided)] += 1;
  return counts;
}

/** States of a cell, from the best to the worst; the best one counts. */
const RANK: readonly LabelState[] = ["good", "damaged", "missing", "outside"];

/** A label as the picture that shows it best has it. */
interface BestLabel extends ScannedLabel {
  readonly picture: string;
  readonly sheet: ScanSheet;
}

function keepBest(
  best: Map<ScanCell, BestLabel>,
  { sheet, labels }: ScannedSheet,
  picture: string,
): void {
  for (const label of labels) {
    const known = best.get(label.cell);
    if (known === undefined || RANK.indexOf(label.state) < RANK.indexOf(known.state))
      best.set(label.cell, { ...label, picture, sheet });
  }
}

/** Everything that pictures showed, in the order of their files. */
class Gathered {
  readonly best = new Map<ScanCell, BestLabel>();
  readonly sheets: SheetOnPicture[] = [];
  readonly strays: StrayOnPicture[] = [];
  readonly older: OlderPicture[] = [];
  readonly empty: string[] = [];
  readonly seen = new Set<ScanSheet>();
  readonly #voided: Voided;

  constructor(voided: Voided) {
    this.#voided = voided;
  }

  add(found: ScannedPicture, picture: string): void {
    if (found.older !== undefined) this.#addOlder(found.older, picture);
    else if (found.sheets.length === 0) this.empty.push(picture);
    for (const sheet of found.sheets) {
      const { file, page } = sheet.sheet;
      keepBest(this.best, sheet, picture);
      this.sheets.push({
        picture,
        file,
        page,
        labels: count(joinLabels(sheet.labels, onPage), this.#voided),
        lie: sheet.lie,
        ...sheet.ink,
        isDouble: this.seen.has(sheet.sheet),
      });
      this.seen.add(sheet.sheet);
    }
    for (const { text, key, on } of found.strays) {
      const place = on && {
        file: on.sheet.file,
        page: on.sheet.page,
        row: on.cell.row,
        column: on.cell.column,
      };
      const isVoid = key !== undefined && this.#voided.has(key);
      this.strays.push({
        picture,
        text,
        key,
        ...(isVoid && { isVoid }),
        ...(place === undefined ? {} : { on: place }),
      });
    }
  }

  #addOlder({ keys, past, lacks, why, foreign }: OlderLook, picture: string): void {
    const all = [...keys, ...past.map(({ key }) => key)];
    const dead = [...new Set(all.filter((key) => this.#voided.has(key)))];
    this.older.push({
      picture,
      why,
      codes: keys.length,
      past,
      ...(lacks.length > 0 && { lacks }),
      void: dead,
      foreign,
    });
  }
}

/** Reads all pictures. One that can't be read is reported, and stops no other. */
async function readAll(
  work: Work,
  { files, cwd, onPage, cutsTo }: ScanRequest,
  { sheets, past, voided }: Pick<Expected, "sheets" | "past"> & { readonly voided: Voided },
): Promise<{ readonly gathered: Gathered; readonly unreadable: Problem[] }> {
  const scanner = await openScanner(sheets, past);
  const gathered = new Gathered(voided);
  const cuts = new Cuts();
  const unreadable: Problem[] = [];
  let done = 0;
  for (const [at, file] of files.entries()) {
    const before = done;
    const others = files.length - at - 1;
    try {
      for await (const picture of readPictures(file)) {
        if (work.signal.aborted) break;
        const [found, name] = [scanner.read(picture), nameOf(picture, cwd)];
        gathered.add(found, name);
        if (cutsTo !== undefined)
          await cuts.write(cutsTo, { image: picture.image, found, name }, gathered.best);
        done += 1;
        onPage?.(done, before + picture.pages + others);
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "bad-usage") throw error;
      unreadable.push({ message: error.message, where: { file } });
    }
    if (done === before) done += 1;
  }
  onPage?.(done, done);
  return { gathered, unreadable };
}

function toPlace({ cell, sheet }: BestLabel) {
  const { line, key, row, column } = cell as JobCell;
  return { line, key, file: sheet.file, page: sheet.page, row, column };
}

function toListed(label: BestLabel, scanned: string) {
  const { caption } = label.cell as JobCell;
  const { sha256 } = label.sheet as JobSheet;
  return { ...toPlace(label), caption, picture: label.picture, sha256, scanned };
}

function toSpoiled(label: BestLabel, scanned: string): SpoiledLabel[] {
  const { state, reason } = label;
  if (state !== "damaged" && state !== "missing") return [];
  return [{ ...toListed(label, scanned), state, reason }];
}

function toVoid(label: BestLabel, scanned: string): VoidLabel {
  const { state, reason } = label;
  const isPrinted = state !== "missing";
  const why = [isPrinted ? "must not ship" : "", reason].filter((word) => word !== "").join(": ");
  return { ...toListed(label, scanned), state: "void", reason: why, isPrinted };
}

async function scanWork(
  work: Work,
  request: ScanRequest,
  { order, ports }: { readonly order: UnitOrder; readonly ports: Ports },
): Promise<ScanResult> {
  const scanned = new Date(ports.clock.nowMs()).toISOString();
  // Elsewhere, void labels would pass as good.
  await refuseForeign(order, work.state, ports);
  const voided = listVoid(order, work.state);
  const { sheets, past, symbols, calibration, unfinished } = await expectSheets(work, ports);
  const { gathered, unreadable } = await readAll(work, request, { sheets, past, voided });
  work.signal.throwIfAborted();
  const address = await findAddressProblems(order.job, order.server, { ports, state: work.state });
  const labels = sheets.flatMap(({ cells }) =>
    joinLabels(
      cells.flatMap((cell) => gathered.best.get(cell) ?? []),
      onPage,
    ),
  );
  const isDead = (label: BestLabel): boolean => fateOf(label, voided) === "void";
  const spoiled = labels
    .filter((label) => !isDead(label))
    .flatMap((label) => toSpoiled(label, scanned));
  const dead = labels.filter(isDead).map((label) => toVoid(label, scanned));
  const file = gathered.seen.size === 0 ? undefined : path.join(work.folder, SPOILED);
  const shown = labels.filter(({ state }) => state !== "outside").map(toPlace);
  const earlier =
    file === undefined ? [] : await listEarlier(work, order, new Set(shown.map(toPlaceText)));
  if (file !== undefined)
    await writeSpoiledCsv(file, [...spoiled, ...dead, ...earlier], toDelimiter(work));
  const files = new Set(gathered.sheets.map((sheet) => sheet.file));
  return {
    job: work.job.name,
    address,
    labels: count(labels, voided),
    sheets: gathered.sheets,
    unseen: sheets
      // Reprints need not be scanned; but once a page of one is, all of its pages count.
      .filter((sheet) => sheet.isReprint !== true || files.has(sheet.file))
      .filter((sheet) => !gathered.seen.has(sheet))
      .map(({ file: pdf, page }) => ({ file: pdf, page })),
    spoiled,
    ...(earlier.length > 0 && { earlier }),
    void: dead,
    outside: labels.filter(({ state }) => state === "outside").map(toPlace),
    strays: gathered.strays,
    older: gathered.older,
    remadeAt: recallRemade(work.state),
    unfinished,
    empty: gathered.empty,
    unreadable,
    symbols,
    measured: measure(gathered.sheets, calibration),
    file,
  };
}

/**
 * Names every label that the pictures show good, damaged, missing or void; writes `spoiled.csv`
 * beside `sheet-map.json`. Throws `bad-usage` for jobs without sheets, `job-locked` while the job
 * runs.
 */
export const scanBack = (
  order: UnitOrder,
  request: ScanRequest,
  ports: Ports,
): Promise<ScanResult> =>
  withFinishedJob(toFinishedJob(order.job), ports, (work) => {
    refuseOwnList(order.job, new Set([SPOILED]));
    return scanWork(work, request, { order, ports });
  });
