/** Finished files that a run makes anew, whatever it sends: found without making them. */
import { existsSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { hasArtwork } from "../../download/download.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { Source } from "../../read/source.ts";
import { findHolder } from "../../state/lock.ts";
import type { State } from "../../state/state.ts";
import type { StateRow } from "../../state/row.ts";
import { ANY, TO_PACK_ANEW, ZIP_NAME } from "../../state/which-rows.ts";
import { recallMaker } from "../changed-since.ts";
import { listFinished } from "../finished-files.ts";
import { isCutShort } from "../last-result.ts";
import { rowsOfFiles } from "../left.ts";
import type { RemadeReason } from "../remade.ts";
import type { PlanNote } from "../results.ts";
import type { Spool } from "../spool.ts";
import { fingerprintZip } from "../stages/zip.ts";
import { areOutputsIntact } from "./seal.ts";

interface Given {
  readonly job: RowJob;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly source: Pick<Source, "detected">;
  readonly summary: PlanSummary;
  /** Undefined where all rows are as the last run left them. */
  readonly spool: Spool | undefined;
  /** The program; undefined where all that files are made of is as it was. */
  readonly writer: string | undefined;
  /** What the plan of the sheets has found. */
  readonly sheets: readonly PlanNote[];
  readonly lacking: Pick<Lacking, "count">;
}

/** After a run. */
type Known = Given & { readonly state: State };

/** File -> why; the first reason counts. */
type Found = Map<string, RemadeReason>;

function add(found: Found, why: RemadeReason, files: Iterable<string>): void {
  for (const file of files) if (!found.has(file)) found.set(file, why);
}

/** Files that are gone, or not what was written. */
async function findLost({ job, state, summary }: Known, found: Found): Promise<void> {
  const groups = new Set([...summary.sheets, ...summary.zips].map(({ name }) => name));
  const isSame = await areOutputsIntact(job, state);
  for (const { file, sha256 } of listFinished(job, state, (name) => groups.has(name))) {
    const full = path.join(job.output.dir, file);
    if (!existsSync(full)) add(found, "missing", [file]);
    else if (!isSame && sha256 !== undefined && (await hashFile(full)) !== sha256)
      add(found, "damaged", [file]);
  }
}

/** PDFs and archives whose rows lie or read otherwise than on the last run. */
function findMoved(state: State, spool: Spool) {
  const moved = { sheets: new Set<string>(), zip: new Set<string>() };
  const last = new Map<string, number>();
  for (const { key, line, placing } of spool.good()) {
    const row = state.row(key);
    if (row?.state !== "done") continue;
    const before = row.placing;
    const { sheets, zip } = placing;
    const isBehind = row.seq < (last.get(sheets ?? "") ?? -1);
    last.set(sheets ?? "", row.seq);
    const label = [sheets, placing.caption, placing.copies];
    const hasMoved =
      JSON.stringify(label) !== JSON.stringify([before.sheets, before.caption, before.copies]);
    if (sheets !== null && (hasMoved || isBehind)) moved.sheets.add(sheets);
    const entry = [zip, placing.fileBase, line];
    const isOther =
      JSON.stringify(entry) !== JSON.stringify([before.zip, before.fileBase, row.line]);
    if (zip !== null && isOther) moved.zip.add(zip);
  }
  return moved;
}

/** Archives whose contents are others, though no row has changed. */
function findRepacked({ job, state, source, summary }: Known, writer: string): string[] {
  const { delimiter } = source.detected;
  const { createdAt } = state;
  const work = { state, writer, createdAt, folder: job.output.dir, input: { delimiter } };
  const lacking = new Set(state.values(ZIP_NAME, TO_PACK_ANEW));
  return summary.zips.flatMap(({ name }) => {
    const known = state.packaged(`zip ${name}`);
    if (known === undefined) return [];
    const isSame = known.fingerprint === fingerprintZip(work, name) && !lacking.has(name);
    return isSame ? [] : [name];
  });
}

/** PDFs and archives that are made of something else now. */
function findChanged(given: Known, found: Found): void {
  const { state, summary, spool, writer, sheets } = given;
  if (writer === undefined) return;
  const told = (why: RemadeReason): readonly string[] =>
    sheets.flatMap((note) => (note.code === "files-remade" && note.why === why ? note.files : []));
  const isOther = (recallMaker(state) ?? writer) !== writer;
  add(found, isOther ? "program" : "changed", told("changed"));
  add(found, isOther ? "program" : "contents", findRepacked(given, writer));
  // Rows that change have files that change.
  if (summary.touched + summary.vanished > 0) return;
  const moved = spool === undefined ? undefined : findMoved(state, spool);
  add(found, "changed", moved?.sheets ?? []);
  add(found, "contents", moved?.zip ?? []);
  add(found, "input", told("input"));
}

/** Codes whose pictures a run fetches, though nothing else is to be done for them. */
export interface Lacking {
  /** Those whose pictures are not all there, or not those that the job wants. */
  readonly count: number;
  /** GETs for these, and for pictures that never came or were wrong. */
  readonly reads: number;
}

/**
 * A drawing that came with the code is not fetched; the addresses of pictures are found with one GET.
 * PNGs under another name are counted with their rows.
 */
function countReads({ output: { files }, kind }: RowJob, state: State, row: StateRow): number {
  const isRenamed = row.artwork !== null && row.artwork.base !== row.placing.fileBase;
  if (isRenamed && files.includes("png")) return 0;
  const hasSvg = typeof state.svg(row.key) === "string";
  const toFetch = files.filter((format) => format === "png" || !hasSvg).length;
  return kind === "links" ? toFetch : Math.min(1, toFetch);
}

export function findLacking(job: RowJob, state: State | undefined): Lacking {
  const lacking = { count: 0, reads: 0 };
  const { dir, files } = job.output;
  if (state === undefined || files.length === 0) return lacking;
  for (const row of rowsOfFiles(state, job.kind)) {
    if (hasArtwork(row, dir, files)) continue;
    lacking.count += Number(row.artwork !== null);
    lacking.reads += countReads(job, state, row);
  }
  return lacking;
}

/** What a plan says of them. */
export async function noteRemade(given: Given): Promise<PlanNote[]> {
  const { job, state, summary, lacking } = given;
  if (state === undefined || summary.good === 0 || state.count(ANY) === 0) return [];
  if (isCutShort(state)) {
    const isRunning = findHolder(job.output.dir) !== undefined;
    return isRunning ? [] : [{ code: "files-remade", why: "unfinished", files: [] }];
  }
  const found: Found = new Map();
  await findLost({ ...given, state }, found);
  findChanged({ ...given, state }, found);
  const reasons = [...new Set(found.values())];
  const { count } = lacking;
  return [
    ...reasons.map((why): PlanNote => {
      const files = [...found].filter(([, one]) => one === why).map(([file]) => file);
      return { code: "files-remade", why, files };
    }),
    ...(count === 0 ? [] : [{ code: "pictures-remade", count } as const]),
  ];
}
