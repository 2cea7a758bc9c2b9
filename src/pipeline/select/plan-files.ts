/** What a run reads for the files of a code that exists. */
import { hasArtwork } from "../../download/download.ts";
import type { JobOutput } from "../../job/job.ts";
import { toFoundLink, type FoundCode } from "../../run/catalog.ts";
import type { PlannedRow, StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { type ExportMark, isToldMark } from "./run-number.ts";

export interface FilesAt {
  readonly output: Pick<JobOutput, "files" | "dir">;
  readonly state: State | undefined;
  /** Of jobs that leave designs as they are. */
  readonly markOf: ((code: FoundCode) => ExportMark) | undefined;
}

export interface PlannedFiles {
  /** GETs. */
  readonly reads: number;
  /** The answer that tells its short link may bring its drawing, too. */
  readonly isAtMost: boolean;
  /** Why files that are there are fetched again. */
  readonly anew: "changed" | "untold" | "lost" | undefined;
  readonly isFetched: boolean;
  /** The server shows another drawing than the one that was fetched. */
  readonly isRedrawn: boolean;
}

const NONE: PlannedFiles = {
  reads: 0,
  isAtMost: false,
  anew: undefined,
  isFetched: false,
  isRedrawn: false,
};

/** A row that the list shows as when its files were fetched; undefined where the run forgets those. */
function findKnown({ state }: FilesAt, { key, wantedHash }: PlannedRow, shortLink: string | null) {
  const known = state?.row(key);
  const isSame = known?.madeHash === wantedHash && known.shortLink === shortLink;
  const hadFiles = (known?.artwork ?? null) !== null;
  return { known: isSame ? known : undefined, hadFiles };
}

/** True when the run finds the files of today. */
function isThere(
  known: StateRow | undefined,
  {
    row: { placing },
    told,
    dir,
    files,
  }: Pick<JobOutput, "dir" | "files"> & { row: PlannedRow; told: ExportMark | undefined },
): boolean {
  if (known === undefined) return false;
  const madeDesignHash = told?.mark ?? known.madeDesignHash;
  return hasArtwork({ ...known, placing, madeDesignHash }, dir, files);
}

/** The server told the mark of before, and lists that drawing no longer: it draws a new look when asked. */
function isRedrawn(known: StateRow | undefined, told: ExportMark | undefined): boolean {
  const before = known?.artwork?.designHash;
  return told !== undefined && before !== undefined && isToldMark(before) && before !== told.mark;
}

/** Why files are fetched again; "lost": they are not all there, or not those that the job wants. */
function toReason(known: StateRow | undefined, told: ExportMark | undefined): PlannedFiles["anew"] {
  if (known === undefined) return "changed";
  if (told === undefined || known.artwork?.designHash === told.mark) return "lost";
  return told.isTold || isRedrawn(known, told) ? "changed" : "untold";
}

/**
 * GETs for the files of a code: a restyle answers with the SVG, existing files stay, and a code whose
 * short link the list doesn't show is asked for it.
 */
export function planFiles(
  at: FilesAt,
  row: PlannedRow,
  { code, isRestyled }: { readonly code: FoundCode; readonly isRestyled: boolean },
): PlannedFiles {
  const { files, dir } = at.output;
  const shortLink = toFoundLink(code);
  const asks = Number(row.wanted.dynamic && shortLink === null);
  const isPng = files.includes("png");
  if (isRestyled) return { ...NONE, reads: asks + Number(isPng) };
  if (files.length === 0) return { ...NONE, reads: asks };
  const { known, hadFiles } = findKnown(at, row, shortLink);
  const told = at.markOf?.(code);
  if (isThere(known, { row, told, dir, files })) return NONE;
  const hasSvg = known !== undefined && typeof at.state?.svg(row.key) === "string";
  return {
    reads: asks + Number(isPng || !hasSvg),
    isAtMost: asks > 0 && !isPng,
    anew: hadFiles ? toReason(known, told) : undefined,
    isFetched: true,
    isRedrawn: isRedrawn(known, told),
  };
}
