/** Codes that are made, and whose files or short links a run fetches: they are not there, or not as the job wants them. */
import { inParts } from "../../base/flow/parts.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { countReads, hasArtwork, lacksLink } from "../../download/download.ts";
import { EMPTY_TAGS_HASH } from "../../plan/hash.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { PlannedRow, StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { mayLackFiles } from "../../state/which-rows.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import type { Spool } from "./spool.ts";

/** A form that is not published yet: its code comes then. */
const isToCome = (state: State, { key, wanted, parts, madeHash, wantedHash }: StateRow): boolean =>
  wanted.form !== undefined &&
  state.svg(key) === null &&
  (parts.codeId === undefined || madeHash !== wantedHash);

/** Rows whose files a run fetches before it changes anything. */
export function* rowsToFetch(state: State, { output }: Pick<RowJob, "output">): Iterable<StateRow> {
  const { dir, files } = output;
  for (const row of state.rows(mayLackFiles(files.length > 0))) {
    if (!hasArtwork(row, dir, files) && !isToCome(state, row)) yield row;
  }
}

/** The same of rows that are good in a plan, as they are once it is taken over. */
function* plannedToFetch(
  state: State,
  { output: { dir, files } }: Pick<RowJob, "output">,
  spool: Spool,
): Iterable<readonly [StateRow, PlannedRow]> {
  const may = mayLackFiles(files.length > 0);
  for (const part of inParts(spool.good())) {
    const rows = state.many.of(
      part.map(({ key }) => key),
      may,
    );
    for (const planned of part) {
      const row = rows.get(planned.key);
      if (row === undefined || hasArtwork(row, dir, files) || isToCome(state, row)) continue;
      yield [row, planned];
    }
  }
}

export interface MissingFiles {
  readonly rows: number;
  /** Of these: rows of which nothing was fetched, and no error says why. */
  readonly unfetched: number;
  /** Of these: rows whose pictures are not all there, or not those that the job wants. */
  readonly lacking: number;
  readonly reads: number;
  /** Of the reads: those for short links. */
  readonly links: number;
  readonly isAtMost: boolean;
}

const NOTHING: MissingFiles = {
  rows: 0,
  unfetched: 0,
  lacking: 0,
  reads: 0,
  links: 0,
  isAtMost: false,
};

const isChange = (row: StateRow, planned: PlannedRow): boolean =>
  planned.wantedHash !== row.madeHash ||
  planned.designHash !== row.madeDesignHash ||
  planned.tagsHash !== (row.madeTagsHash ?? EMPTY_TAGS_HASH);

interface Given {
  readonly job: Pick<RowJob, "output">;
  readonly state: State | undefined;
  /** Undefined where all rows are as the last run left them. */
  readonly spool: Spool | undefined;
  /** No row is good: a run leaves everything as it is. */
  readonly isLeft: boolean;
}

/** What the plan has counted of a row whose files get another name. */
function countRenamed({ artwork }: StateRow, { placing }: PlannedRow, formats: readonly string[]) {
  const isRenamed = artwork !== null && artwork.base !== placing.fileBase;
  return Number(isRenamed && formats.includes("png"));
}

/** What is missing, and what it takes; `spool`: of rows that the plan names. */
export function findMissingFiles({ job, state, spool, isLeft }: Given): MissingFiles {
  if (state === undefined || isLeft) return NOTHING;
  const { files: formats } = job.output;
  if (state.count(mayLackFiles(formats.length > 0)) === 0) return NOTHING;
  const found: { -readonly [Field in keyof MissingFiles]: MissingFiles[Field] } = { ...NOTHING };
  const add = (row: StateRow, planned?: PlannedRow): void => {
    const asked = countReads({ state, formats }, row);
    // A code that changes while its files come is asked once more.
    const isTwice = planned !== undefined && isChange(row, planned);
    // The plan has counted what a new look fetches.
    const isRedrawn =
      planned !== undefined && planned.designHash !== row.madeDesignHash && formats.includes("png");
    const counted = planned === undefined ? 0 : countRenamed(row, planned, formats);
    found.rows += 1;
    // Of pictures that could not be fetched `files-missing` tells.
    found.unfetched += Number(row.artwork === null && (row.error === null || formats.length === 0));
    found.lacking += Number(row.artwork !== null);
    found.reads += Math.max(0, asked - counted) * (isTwice && !isRedrawn ? 2 : 1);
    found.links += Number(lacksLink(row) && asked > 0);
    found.isAtMost ||= isTwice;
  };
  if (spool === undefined) for (const row of rowsToFetch(state, job)) add(row);
  else for (const [row, planned] of plannedToFetch(state, job, spool)) add(row, planned);
  return found;
}

/** The summary with what is fetched, too; `isUnsure`: some of it may be counted already. */
export const withMissing = (
  summary: PlanSummary,
  missing: MissingFiles,
  isUnsure: boolean,
): PlanSummary => ({
  ...summary,
  reads: summary.reads + missing.reads,
  refetches: summary.refetches + missing.reads - missing.links,
  ...((missing.isAtMost || isUnsure) && { readsAtMost: true }),
});

/** What a plan says of them; of files that could not be fetched it says why, besides. */
export function noteMissing(
  { output }: Pick<RowJob, "output">,
  { unfetched, lacking }: MissingFiles,
): PlanNote[] {
  const of = output.files.length === 0 ? "links" : "files";
  return [
    ...(unfetched === 0 ? [] : [{ code: "files-to-fetch", count: unfetched, of } as const]),
    ...(lacking === 0 || of === "links"
      ? []
      : [{ code: "pictures-remade", count: lacking } as const]),
  ];
}
