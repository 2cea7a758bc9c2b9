/** The number of a run over codes that exist, and what it marks the files of exported codes with. */
import { sha256 } from "../../base/ids/ids.ts";
import type { FoundCode } from "../../run/catalog.ts";
import type { State } from "../../state/state.ts";

/** Meta: `yes` while a run over these codes is not finished. */
const RUN_OPEN = "run_open";
/** Meta: number of the run, which stands in for designs that the server doesn't show. */
const RUN_NUMBER = "run_number";

interface RunNumber {
  readonly number: number;
  /** False: it goes on with a run that was not finished. */
  readonly isNew: boolean;
}

/** The next run; undefined before the first one. */
export function nextRun(state: State | undefined): RunNumber {
  const isNew = state?.meta(RUN_OPEN) !== "yes";
  return { number: Number(state?.meta(RUN_NUMBER) ?? "0") + Number(isNew), isNew };
}

export function beginRun(state: State): RunNumber {
  const run = nextRun(state);
  state.setMeta(RUN_NUMBER, String(run.number));
  state.setMeta(RUN_OPEN, "yes");
  return run;
}

export const endRun = (state: State): void => state.setMeta(RUN_OPEN, "no");

/** Stands in for the design of an exported code, which the list doesn't show. */
export interface ExportMark {
  readonly mark: string;
  /** False: every run fetches the files anew, since nothing tells whether they have changed. */
  readonly isTold: boolean;
}

/** Older marks, which began with `png`, held the port of their run: they tell nothing. */
const TOLD = "drawing ";

/** True where the server had told it, false for that of a run. */
export const isToldMark = (mark: string): boolean => mark.startsWith(TOLD);

/** Without its server: the service of a job listens on another port each time. */
const toName = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

/** Our own service names a PNG after its content. */
export const toDrawingMark = (png: string): string => `${TOLD}${sha256(toName(png)).slice(0, 16)}`;

/** With other servers, files count as old as the run that fetched them. */
export const toExportMark = (
  { png }: Pick<FoundCode, "png">,
  { isEmbedded, number }: { readonly isEmbedded: boolean; readonly number: number },
): ExportMark =>
  isEmbedded && png !== null
    ? { mark: toDrawingMark(png), isTold: true }
    : { mark: `run ${number}`, isTold: false };
