/** Finished files that a run makes anew, whatever it sends: found without making them. */
import { isTold, toLevel } from "../../api/design.ts";
import { inParts } from "../../base/flow/parts.ts";
import { isRowKind } from "../../kinds/names.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import { findHolder } from "../../state/lock.ts";
import type { PlannedRow, StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { ANY, TO_PACK_ANEW, ZIP_NAME } from "../../state/which-rows.ts";
import { recallMaker } from "./changed-since.ts";
import { findCutShort } from "../standing/last-result.ts";
import { findLost } from "./lost-files.ts";
import type { RemadeReason } from "./remade.ts";
import { noteRemoved } from "./files-removed.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import type { Spool } from "../rows/spool.ts";
import { toSheetOf } from "../stages/sheet-of.ts";
import { fingerprintZip } from "../stages/zip.ts";
import type { WorkJob } from "../stages/work.ts";

/** PDFs and archives, by name. */
export interface FileGroups {
  readonly sheets: ReadonlySet<string>;
  readonly zips: ReadonlySet<string>;
}

interface Given {
  readonly job: Pick<WorkJob, "kind" | "output">;
  readonly stateDir: string;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  /** Of lists: that of the spreadsheet, where there is one. */
  readonly delimiter: string | undefined;
  readonly summary: PlanSummary;
  /** Undefined where all rows are as the last run left them. */
  readonly spool: Spool | undefined;
  /** The program; undefined where all that files are made of is as it was. */
  readonly writer: string | undefined;
  /** What the plan of the sheets has found. */
  readonly sheets: readonly PlanNote[];
  /** Of codes that exist: those that hold a code whose look has changed since, or is to change. */
  readonly redrawn?: FileGroups | undefined;
}

/** After a run. */
type Known = Given & { readonly state: State };

/** File -> why; the first reason counts. */
type Found = Map<string, RemadeReason>;

function add(found: Found, why: RemadeReason, files: Iterable<string>): void {
  for (const file of files) if (!found.has(file)) found.set(file, why);
}

/** Files that are gone, or not what was written. */
async function addLost({ job, state, summary }: Known, found: Found): Promise<void> {
  const groups = new Set([...summary.sheets, ...summary.zips].map(({ name }) => name));
  const { missing, damaged } = await findLost(job, state, (name) => groups.has(name));
  add(found, "missing", missing);
  add(found, "damaged", damaged);
}

/** True where the sheets show that a code looks otherwise; of codes that the server draws, `redrawn` tells. */
function showsOtherLook(
  { kind, output }: Given["job"],
  before: StateRow,
  now: PlannedRow,
): boolean {
  if (isRowKind(kind)) return false;
  const [{ design: old }, { design }] = [before.wanted, now.wanted];
  if (toLevel({ design: old }) !== toLevel({ design })) return true;
  const isDesigned = output.sheets?.print === "designed" && isTold(design);
  return isDesigned && JSON.stringify(old) !== JSON.stringify(design);
}

const toLabel = ({ placing }: Pick<PlannedRow, "placing">): string =>
  JSON.stringify([placing.sheets, placing.caption, placing.copies]);

const toEntry = ({ placing, line }: Pick<PlannedRow, "placing" | "line">): string =>
  JSON.stringify([placing.zip, placing.fileBase, line]);

/** Whether the label of a row, and its entry in an archive, are others than on the last run. */
function compareRow(job: Given["job"], row: StateRow | undefined, planned: PlannedRow) {
  if (row === undefined) return { isOtherLabel: true, isOtherEntry: true };
  if (row.state !== "done") return { isOtherLabel: false, isOtherEntry: false };
  return {
    isOtherLabel: toLabel(planned) !== toLabel(row) || showsOtherLook(job, row, planned),
    isOtherEntry: toEntry(planned) !== toEntry(row),
  };
}

function* withRows(state: State, spool: Spool): Iterable<[PlannedRow, StateRow | undefined]> {
  for (const part of inParts(spool.good())) {
    const keys = part.map(({ key }) => key);
    const rows = state.many.of(keys, ANY);
    for (const planned of part) yield [planned, rows.get(planned.key)];
  }
}

/** PDFs and archives whose rows lie or read otherwise than on the last run. */
function findMoved({ job, state }: Known, spool: Spool) {
  const moved = { sheets: new Set<string>(), zip: new Set<string>() };
  const last = new Map<string, number>();
  for (const [planned, row] of withRows(state, spool)) {
    const { sheets, zip } = planned.placing;
    const { isOtherLabel, isOtherEntry } = compareRow(job, row, planned);
    const before = last.get(sheets ?? "") ?? -1;
    const seq = row?.state === "done" ? row.seq : before;
    last.set(sheets ?? "", seq);
    if (sheets !== null && (isOtherLabel || seq < before)) moved.sheets.add(sheets);
    if (zip !== null && isOtherEntry) moved.zip.add(zip);
  }
  return moved;
}

/** Groups of today that hold more or fewer codes than after the last run. */
function findResized({ state, summary }: Known, kind: "sheets" | "zip"): string[] {
  const before = new Map(state.groups(kind).map(({ name, rows }) => [name, rows]));
  const now = kind === "zip" ? summary.zips : summary.sheets;
  return now.flatMap(({ name, rows }) => (before.get(name) === rows ? [] : [name]));
}

/** Archives whose contents are others, though no row has changed. */
function findRepacked({ job, state, delimiter, summary }: Known, writer: string): string[] {
  if (summary.zips.length === 0) return [];
  const { createdAt } = state;
  const work = { job, state, writer, createdAt, folder: job.output.dir, input: { delimiter } };
  const sheetOf = toSheetOf(work);
  const lacking = new Set(state.values(ZIP_NAME, TO_PACK_ANEW));
  return summary.zips.flatMap(({ name }) => {
    const known = state.packaged(`zip ${name}`);
    if (known === undefined) return [];
    const isSame =
      known.fingerprint === fingerprintZip(work, { name, sheetOf }) && !lacking.has(name);
    return isSame ? [] : [name];
  });
}

/** Files of codes that exist: of other codes than on the last run, or of codes that look otherwise. */
function findOtherCodes(given: Known, found: Found): void {
  const { output } = given.job;
  const { redrawn } = given;
  add(found, "changed", findResized(given, "sheets"));
  add(found, "contents", findResized(given, "zip"));
  if (output.sheets?.artwork === "server") add(found, "changed", redrawn?.sheets ?? []);
  if (output.files.length > 0) add(found, "contents", redrawn?.zips ?? []);
}

/** Files whose rows lie or read otherwise; one that was good and is bad now lies in none. */
function addMoved(given: Known, found: Found): void {
  const { job, spool, summary } = given;
  const hasGroups = summary.sheets.length + summary.zips.length > 0;
  const moved = spool && hasGroups ? findMoved(given, spool) : undefined;
  add(found, "changed", moved?.sheets ?? []);
  add(found, "contents", moved?.zip ?? []);
  if (isRowKind(job.kind)) add(found, "contents", findResized(given, "zip"));
}

/** PDFs and archives that are made of something else now. */
function findChanged(given: Known, found: Found): void {
  const { job, state, summary, writer, sheets } = given;
  if (writer === undefined) return;
  const told = (why: RemadeReason): readonly string[] =>
    sheets.flatMap((note) => (note.code === "files-remade" && note.why === why ? note.files : []));
  const isOther = (recallMaker(state) ?? writer) !== writer;
  add(found, isOther ? "program" : "changed", told("changed"));
  add(found, isOther ? "program" : "contents", findRepacked(given, writer));
  if (!isRowKind(job.kind)) findOtherCodes(given, found);
  // Rows that change have files that change.
  else if (summary.touched + summary.vanished > 0) return;
  addMoved(given, found);
  add(found, "input", told("input"));
}

/** What a plan says of them. */
export async function noteRemade(given: Given): Promise<PlanNote[]> {
  const { stateDir, state, summary } = given;
  if (state === undefined || summary.good === 0 || state.count(ANY) === 0) return [];
  const step = findCutShort(state);
  // Of an undo, its own note tells.
  if (step === "undo") return [];
  if (step === "run") {
    const isRunning = findHolder(stateDir) !== undefined;
    return isRunning ? [] : [{ code: "files-remade", why: "unfinished", files: [] }];
  }
  const found: Found = new Map();
  await addLost({ ...given, state }, found);
  findChanged({ ...given, state }, found);
  const reasons = [...new Set(found.values())];
  return [
    ...noteRemoved({ ...given, state }),
    ...reasons.map((why): PlanNote => {
      const files = [...found].filter(([, one]) => one === why).map(([file]) => file);
      return { code: "files-remade", why, files };
    }),
  ];
}

/** Of files that are made anew, or fetched. */
const ANEW: ReadonlySet<PlanNote["code"]> = new Set([
  "sheets-anew",
  "files-remade",
  "files-removed",
  "files-to-fetch",
  "pictures-remade",
  "address-moves",
  "files-anew",
  "files-untold",
]);

/** True where a plan says of files that a run makes or fetches them anew. */
export const makesAnew = (notes: readonly PlanNote[]): boolean =>
  notes.some(({ code }) => ANEW.has(code));
