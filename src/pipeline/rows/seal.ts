/**
 * What a whole run leaves in the state: all its inputs, what it made, and the plan of a run that
 * finds everything unchanged. While the seal holds, there is nothing to plan, send or print.
 * `docs/architecture.md` lists what breaks it.
 */
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { hasArtwork } from "../../download/download.ts";
import { areUntouched } from "../../download/picture-files.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { toGoneRow, type GoneRow } from "../../plan/gone-row.ts";
import { toLarger } from "../../plan/payload.ts";
import { toUnchanged, type PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import { hashFiles } from "../files/hash-files.ts";
import type { LabelPlan } from "../paper/label-census.ts";
import { rememberPublicUrl } from "../address/public-address.ts";
import type { Proof } from "../results.ts";
import { countPictures } from "../stages/artwork.ts";
import { FAILED_FILES } from "../stages/failed-rows.ts";
import { countProven, NO_PICTURES, type ProvenCount } from "../stages/picture-proof.ts";
import { isJobProven } from "../stages/proof.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { stages } from "../stages/stages.ts";
import { NO_FILE, toStamp } from "../../base/files/stamp.ts";
import type { PlannedJob } from "./read-plan.ts";
import type { RowParts } from "./row-parts.ts";
import { looseEnds, mayLackFiles } from "../../state/which-rows.ts";

const VERSION = 4;

export interface Seal {
  readonly version: typeof VERSION;
  /** Hash over all that decides what the job makes. */
  readonly basis: string;
  /** File or folder of pictures, relative to the output folder -> its stamp. */
  readonly outputs: readonly (readonly [string, string])[];
  /** The plan of a run that finds everything unchanged. */
  readonly summary: PlanSummary;
  readonly warnings: readonly Problem[];
  readonly labels: LabelPlan;
  /** Codes whose design at the service differs from the printed one; missing in older seals. */
  readonly otherLooks?: readonly PressWarning[] | undefined;
  /** Codes that lead elsewhere than they were made; missing in older seals. */
  readonly otherTargets?: readonly Problem[] | undefined;
  /** Rows with pictures. */
  readonly pictures: number;
  readonly proven: ProvenCount;
  /** The codes lead to this computer only. */
  readonly isRehearsal: boolean;
}

export interface SealInput extends Pick<RowParts, "job" | "server" | "source" | "state"> {
  readonly writer: string;
  /** Hash over the program's own files. */
  readonly program: string;
}

/**
 * Hash over all that decides what a job makes, besides its state and the files that it made. Taken
 * before and after a run: a change meanwhile may be in only some of the files.
 */
export async function toBasis(input: SealInput): Promise<string> {
  const { job, source, state, writer, program } = input;
  const { start, ...sheets } =
    (await makeSheetOptions(job, {
      createdAt: state.createdAt,
      isRehearsal: false,
      input: { name: path.basename(source.file), sha256: source.sha256, columns: [] },
    })) ?? {};
  // Where a group began on a part-used sheet is remembered; other jobs may have used the sheet
  // since.
  const begin = job.output.sheets?.start === "continue" ? null : start;
  const { baseUrl, dataDir, publicUrl } = rememberPublicUrl(input.server, state);
  return sha256(
    JSON.stringify([
      VERSION,
      writer,
      program,
      process.version,
      source.sha256,
      { baseUrl, dataDir, publicUrl },
      // Only the address counts, not where it was named.
      { ...job, api: { ...job.api, publicUrl } },
      sheets,
      begin,
      // The source is hashed above; where it is the manifest, that hash covers its rows only. The
      // token is left out: it decides nothing that is made, and others may not be allowed to read
      // it.
      await hashFiles(
        [job, sheets],
        [source.file === job.file ? null : source.file, job.api.tokenFile ?? null],
      ),
    ]),
  );
}

/** All that a job made, relative to its output folder; undefined when that is too much to watch. */
function listOutputs(state: State): string[] | undefined {
  const names: string[] = [];
  for (const { watched } of stages) {
    if (watched === undefined) continue;
    const found = watched(state);
    if (found === undefined) return undefined;
    names.push(...found);
  }
  return names;
}

async function toStamps(folder: string, names: readonly string[]): Promise<[string, string][]> {
  const stamps: [string, string][] = [];
  for (const name of names) stamps.push([name, await toStamp(path.join(folder, name))]);
  return stamps;
}

/** True when the next run would do something for a row, or look at it again. */
function hasLooseEnds({ state, job }: SealInput): boolean {
  const { files } = job.output;
  if (state.count(looseEnds(files.length > 0)) > 0) return true;
  if (files.length > 0) return false;
  for (const row of state.rows(mayLackFiles(files.length > 0))) {
    if (!hasArtwork(row, job.output.dir, files)) return true;
  }
  return false;
}

/** True for jobs whose rows are all in one file: those that name files of their own are looked through. */
const isSealable = ({ kind, source, code }: RowJob): boolean =>
  kind !== "pdfs" &&
  (source.from === "spreadsheet" || source.from === "stream" || source.numbers !== undefined) &&
  !HAS_TEMPLATE.test(code.design.logo_file ?? "");

/** All that the plan did not know of links. */
function withToldLinks(sheets: PlanSummary["sheets"], state: State): PlanSummary["sheets"] {
  if (!sheets.some(({ hasUntoldLinks }) => hasUntoldLinks)) return sheets;
  const links = new Map<string, string>();
  for (const { name, link } of state.links()) {
    links.set(name, toLarger(links.get(name) ?? "", link));
  }
  return sheets.map(({ hasUntoldLinks: _untold, longestLink: known, ...group }) => {
    const longestLink = links.get(group.name) ?? known;
    return { ...group, ...(longestLink !== undefined && { longestLink }) };
  });
}

/** The run may have made short links, and moved those of rows that it left alone. */
function withLinks(
  summary: PlanSummary,
  { job, state }: Pick<SealInput, "job" | "state">,
): PlanSummary {
  const again = ({ key }: GoneRow): GoneRow[] => toGoneRow(job.source, state.row(key));
  const { goneRows, badCodeRows: bad } = summary;
  return {
    ...summary,
    sheets: withToldLinks(summary.sheets, state),
    goneRows: goneRows.flatMap(again),
    ...(bad && { badCodeRows: bad.flatMap(again) }),
  };
}

/** Seals a finished run; does nothing where the next run will have work. */
export async function sealRun(
  input: SealInput & {
    readonly isRehearsal: boolean;
    /** What the run began with. */
    readonly basis: string;
    /** What it knows of its pictures. */
    readonly proof: Proof | undefined;
  },
  planned: Pick<PlannedJob, "summary" | "warnings" | "labels" | "usesClock"> &
    Pick<Seal, "otherLooks" | "otherTargets">,
): Promise<void> {
  const { job, state, isRehearsal, basis, proof } = input;
  const { summary, warnings, labels, usesClock } = planned;
  if (usesClock || !isSealable(job) || hasLooseEnds(input)) return;
  if (summary.folders.some((folder) => state.folderId(folder) === undefined)) return;
  const names = listOutputs(state);
  if (names === undefined) return;
  const outputs = await toStamps(job.output.dir, names);
  // Somebody may have taken a file away meanwhile. Failed rows are only written when there are any.
  if (outputs.some(([name, stamp]) => stamp === NO_FILE && !FAILED_FILES.includes(name))) return;
  if ((await toBasis(input)) !== basis) return;
  const seal: Seal = {
    version: VERSION,
    basis,
    outputs,
    summary: toUnchanged(withLinks(summary, input)),
    warnings,
    labels,
    ...(planned.otherLooks?.length && { otherLooks: planned.otherLooks }),
    otherTargets: planned.otherTargets,
    pictures: countPictures(state),
    proven: countProven(proof ?? NO_PICTURES),
    isRehearsal,
  };
  state.setSeal(JSON.stringify(seal));
}

/** The seal of the last whole run, if none of its inputs has changed since. */
export async function findSeal(input: SealInput): Promise<Seal | undefined> {
  const text = isSealable(input.job) ? input.state.seal : undefined;
  if (text === undefined) return undefined;
  const seal = JSON.parse(text) as Seal;
  return seal.version === VERSION && seal.basis === (await toBasis(input)) ? seal : undefined;
}

/** True when all that the job made is unchanged, and nothing has shown a fault of it since. */
export async function isIntact(
  { job, state }: Pick<SealInput, "state"> & { readonly job: Pick<RowJob, "output"> },
  { outputs }: Pick<Seal, "outputs">,
): Promise<boolean> {
  if (!isJobProven({ state })) return false;
  for (const [name, stamp] of outputs) {
    if ((await toStamp(path.join(job.output.dir, name))) !== stamp) return false;
  }
  return job.output.files.length === 0 || areUntouched(state, job.output.dir);
}
