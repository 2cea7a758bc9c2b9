/** The files that the last run of a job has finished, as its state remembers them. */
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { certificateStage } from "../stages/certificate.ts";
import { indexStage } from "../stages/lookups.ts";
import { reportStage } from "../stages/report.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import { readZipGroups } from "../stages/zip.ts";

/** Relative to the output folder; without a hash only its presence counts. */
export interface FinishedFile {
  readonly file: string;
  readonly sha256?: string | undefined;
}

/**
 * What a job of today still wants of them.
 *
 * @param isWanted of a plan, which groups: lists that were never made are named, too
 */
export function listFinished(
  { output }: Pick<RowJob, "output">,
  state: State,
  isWanted?: (group: string) => boolean,
): FinishedFile[] {
  const sheets = output.sheets === null ? [] : readSheetGroups({ state });
  const zips = output.zip === null ? [] : readZipGroups(state);
  const groups: readonly { readonly name: string; readonly files: readonly FinishedFile[] }[] = [
    ...sheets.map(({ name, volumes: files }) => ({ name, files })),
    ...zips,
  ];
  const wanted = [
    ...output.index.map((format) => `index.${format}`),
    ...(output.sheets === null ? [] : ["sheet-map.json"]),
  ];
  const hashes = new Map(
    [...(indexStage.written?.(state) ?? [])].map(({ file, sha256 }) => [file, sha256]),
  );
  const lists = wanted.filter((file) => isWanted !== undefined || hashes.has(file));
  return [
    ...groups.filter(({ name }) => isWanted?.(name) ?? true).flatMap(({ files }) => files),
    ...lists.map((file) => ({ file, sha256: hashes.get(file) })),
    ...(certificateStage.written?.(state) ?? []),
    ...(reportStage.watched?.(state) ?? []).map((file) => ({ file })),
  ];
}
