/** The pages of a job that may lie in a scan: those of its PDFs, and labels that were printed once more. */
import { existsSync } from "node:fs";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { Calibration } from "../../print/layout/calibration.ts";
import type { KnownPast, PastCode, ScanCell, ScanSheet } from "../../scan/scan.ts";
import type { StateRow } from "../../state/row.ts";
import { WANTS_LABEL, WITH_PAYLOAD } from "../../state/which-rows.ts";
import { isCutShort, refuseCutShort } from "../standing/last-result.ts";
import { areLinksToCome } from "../address/link-origins.ts";
import { isRowKind } from "../../kinds/names.ts";
import {
  type Design,
  type Look,
  plainLosses,
  toTemplateName,
  withTemplate,
} from "../../plan/looks.ts";
import { recallTemplate } from "../../run/templates.ts";
import { toPayload } from "../stages/payload.ts";
import type { Ports } from "../ports.ts";
import { listReprints, type PaperFrame, toPaperFrame } from "../reprint/reprints.ts";
import { gatherPast, openReprinted } from "./scan-past.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { readSheetGroups, toSheetGroup } from "../stages/sheets.ts";
import type { SheetGroup } from "../stages/stage.ts";
import type { Work } from "../stages/work.ts";

/** A cell of the job with what people know it by. */
export interface JobCell extends ScanCell {
  readonly line: number;
  readonly caption: string;
}

export interface JobSheet extends ScanSheet {
  readonly cells: JobCell[];
  /** Of the PDF. */
  readonly sha256: string | undefined;
}

/** A row whose label is on no finished sheet yet. */
export interface UnfinishedRow {
  readonly line: number;
  readonly key: string;
}

export interface Expected {
  readonly sheets: readonly JobSheet[];
  readonly past: KnownPast;
  readonly unfinished: readonly UnfinishedRow[];
  readonly symbols: number;
  readonly calibration: Calibration | undefined;
}

/** Every page with codes, in the order of the PDFs. Throws `bad-usage` where there is none. */
export async function expectSheets(work: Work, ports: Pick<Ports, "commandOf">): Promise<Expected> {
  const options = await makeSheetOptions(work.job, work);
  const groups = readSheetGroups(work);
  const isUnfinished = groups.length === 0 || areLinksToCome(work.state);
  if (options !== undefined && isUnfinished) refuseCutShort("scan", work.state, ports);
  const kept = listKept(work, groups);
  const order = listFiles([...groups, ...kept]);
  if (options === undefined || order.length === 0)
    throw badUsage("the job must have sheets, got none");
  const ends = new Map(groups.map((group) => [group.name, group.ends ?? []] as const));
  const volumes = [...groups, ...kept].flatMap((group) => group.volumes);
  const hashes = new Map(volumes.map(({ file, sha256: hash }) => [file, hash]));
  const frame = toPaperFrame(options);
  const isShaped = openShapes(work);
  const rows = listRows(work, groups, kept);
  const { sheets, symbols } = placeRows(rows, frame, { ends, hashes, isShaped });
  if (sheets.length === 0) refuseCutShort("scan", work.state, ports);
  const sorted = sheets.toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.page - b.page,
  );
  const today = new Set(sheets.flatMap(({ cells }) => cells.map(({ payloadHash }) => payloadHash)));
  const reprints = expectReprints(work, today, isShaped);
  return {
    sheets: [...sorted, ...reprints.sheets],
    symbols,
    calibration: options.calibration,
    past: gatherPast(work, today, reprints.past),
    unfinished: listUnfinished(work, groups),
  };
}

/** Groups that have no good row left, with their PDFs that are still there: they can be printed today. */
function listKept({ state, folder }: Work, groups: readonly SheetGroup[]): SheetGroup[] {
  const names = new Set(groups.map(({ name }) => name));
  return state.allPackaged("sheets").flatMap(({ name, result }) => {
    if (names.has(name)) return [];
    const group = toSheetGroup(result);
    const volumes = group.volumes.filter(({ file }) => existsSync(path.join(folder, file)));
    return volumes.length === 0 ? [] : [{ ...group, volumes }];
  });
}

const FIELDS = ["key", "line", "wanted", "made", "shortLink", "placing", "labels"] as const;

type LabelledRow = Pick<StateRow, (typeof FIELDS)[number]>;

type IsShaped = (row: LabelledRow) => boolean;

const SHAPES: readonly Look[] = ["pattern", "eyes", "logo"];

/** Tells rows whose codes sheets may print in other shapes than whole modules, or with a logo on them. */
function openShapes({ state, job: { kind, output } }: Work): IsShaped {
  const { sheets } = output;
  const style = sheets?.codeStyle ?? null;
  if (style !== null) {
    const isShaped = style.pattern !== "Original" || style.eyes !== "Square";
    return () => isShaped;
  }
  const isDesigned = sheets?.print === "designed" && (isRowKind(kind) || kind === "export");
  if (!isDesigned && sheets?.artwork !== "server") return () => false;
  const templates = new Map<string, Design | undefined>();
  const recall = (name: string): Design | undefined => {
    if (!templates.has(name)) templates.set(name, recallTemplate(state, name));
    return templates.get(name);
  };
  return ({ made, wanted }) => {
    const { design } = made ?? wanted;
    const name = toTemplateName(design);
    const whole = withTemplate(design, name === undefined ? undefined : recall(name));
    return plainLosses(whole).some((look) => SHAPES.includes(look));
  };
}

const listFiles = (groups: readonly SheetGroup[]): string[] =>
  groups
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ volumes }) => volumes.map(({ file }) => file));

/** Rows with labels in the PDFs of these groups. */
function* listRows(
  { state }: Work,
  groups: readonly SheetGroup[],
  kept: readonly SheetGroup[],
): Iterable<LabelledRow> {
  for (const { name } of groups) yield* state.sheetRows(name, FIELDS);
  // A run that did not end knows of rows that are gone, and has not yet taken them off its sheets.
  const files = new Set(listFiles(isCutShort(state) ? [...groups, ...kept] : kept));
  if (files.size === 0) return;
  const gone = state.goneRows(WITH_PAYLOAD);
  yield* gone.filter(({ labels }) => labels.some(({ file }) => files.has(file)));
}

/** The pages that the labels of rows make up, and how many symbols stand beside codes. */
function placeRows(
  rows: Iterable<LabelledRow>,
  frame: PaperFrame,
  {
    ends,
    hashes,
    isShaped,
  }: {
    /** By group. */
    readonly ends: ReadonlyMap<string, readonly number[]>;
    /** By PDF. */
    readonly hashes: ReadonlyMap<string, string>;
    readonly isShaped: IsShaped;
  },
): { readonly sheets: JobSheet[]; readonly symbols: number } {
  const sheets = new Map<string, JobSheet>();
  const counts = new Map<string, number>();
  let symbols = 0;
  for (const row of rows) {
    const group = row.placing.sheets ?? "";
    const nth = counts.get(group) ?? 0;
    if (row.labels.length > 0) counts.set(group, nth + 1);
    const shaped = isShaped(row) ? ({ isShaped: true } as const) : {};
    const [payloadHash, caption] = [sha256(toPayload(row)), row.placing.caption.join(" · ")];
    for (const { file, page, symbol, ...place } of row.labels) {
      if (symbol !== undefined) {
        symbols += 1;
        continue;
      }
      const id = `${file} ${page}`;
      const sheet = sheets.get(id) ?? {
        file,
        page,
        sha256: hashes.get(file),
        ...frame,
        cells: [],
        ends: ends.get(group) ?? [],
      };
      sheets.set(id, sheet);
      const { row: across, column, version, xMm, label, code } = place;
      const at = { row: across, column, version, xMm, label, code, nth, ...shaped };
      sheet.cells.push({ ...at, key: row.key, line: row.line, caption, payloadHash });
    }
  }
  return { sheets: [...sheets.values()], symbols };
}

/** Of a run that did not end. */
function listUnfinished({ state }: Work, groups: readonly SheetGroup[]): UnfinishedRow[] {
  if (!isCutShort(state)) return [];
  const names = new Set<string | null>(groups.map(({ name }) => name));
  const rows: UnfinishedRow[] = [];
  for (const { line, key, labels, placing } of state.rows(WANTS_LABEL))
    if (labels.length === 0 || !names.has(placing.sheets)) rows.push({ line, key });
  return rows;
}

/** Pages of labels that were printed once more. Codes that the job no longer makes are on none of them. */
function expectReprints(
  work: Work,
  today: ReadonlySet<string>,
  isShaped: IsShaped,
): { readonly sheets: JobSheet[]; readonly past: ReadonlyMap<string, PastCode> } {
  const { state } = work;
  const sheets: JobSheet[] = [];
  const past = new Map<string, PastCode>();
  const judge = openReprinted(work, today);
  for (const { file, sha256: hash, pages, cells, ...paper } of listReprints(state)) {
    const frame = { pageMm: paper.pageMm, offsetMm: paper.offsetMm };
    for (let page = 1; page <= pages; page += 1) {
      const own = cells.flatMap((cell): JobCell[] => {
        if (cell.page !== page || cell.symbol !== undefined) return [];
        const why = judge(cell);
        if (why !== undefined) past.set(cell.payloadHash, { key: cell.key, why });
        const row = why === undefined ? state.row(cell.key) : undefined;
        if (row === undefined) return [];
        const shaped = isShaped(row) ? ({ isShaped: true } as const) : {};
        return [{ ...cell, line: row.line, caption: row.placing.caption.join(" · "), ...shaped }];
      });
      if (own.length > 0)
        sheets.push({ file, page, sha256: hash, ...frame, cells: own, isReprint: true });
    }
  }
  return { sheets, past };
}
