/** Reads of a plan beside those of its rows: after a move, for missing files, for a look at the server. */
import type { PressWarning } from "../../base/press-warning.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import { PRESENT_DONE_WITH_ADDRESS, PRESENT_DONE_WITH_SHORT_LINK } from "../../state/which-rows.ts";
import { PUBLIC_URL } from "../public-address.ts";
import type { ServerChoice } from "../server.ts";
import { type MissingFiles, withMissing } from "./missing-files.ts";
import { isOfPictures } from "./other-looks.ts";
import type { ServerAddress } from "./server-address.ts";

export const UNASKED: ServerAddress = { reads: 0 };

interface Known {
  /** Undefined before the first run. */
  readonly state: State | undefined;
  /** What a remote server says of codes that are made. */
  readonly far?: ServerAddress | undefined;
  /** Codes whose design at the service differs from the printed one. */
  readonly otherLooks?: readonly PressWarning[] | undefined;
}

/**
 * Each short link is read once more, and the files of all codes are fetched again. A short link
 * comes with its drawing, and so do some changes, which saves reads.
 */
function withMove(
  summary: PlanSummary,
  { kind, output: { files } }: RowJob,
  { state, missing }: { readonly state: State | undefined; readonly missing: MissingFiles },
): PlanSummary {
  if (summary.good === 0) return summary;
  const linked = (state?.count(PRESENT_DONE_WITH_SHORT_LINK) ?? 0) + missing.links;
  const all = state?.count(PRESENT_DONE_WITH_ADDRESS) ?? 0;
  const fetches = Number(kind === "links" ? files.includes("png") : files.length > 0);
  const { touched, creates, resumes } = summary;
  // This includes those that a change fetches again. One that is under way by then is asked once more
  // for its link and its files; of a form nothing comes before its change.
  const again = kind === "forms" ? 0 : 2 * (touched - creates - resumes);
  const reads = summary.reads - summary.refetches + linked + (all + again) * fetches;
  // Rows that are bad or gone now are still among those of the last run; a run leaves them.
  const isAtMost = touched + summary.bad + summary.vanished > 0;
  return { ...summary, reads, ...(isAtMost && { readsAtMost: true }) };
}

/** A run asks a remote server for a code before it sends anything; for one of its own in any case. */
function withCheck(
  summary: PlanSummary,
  { baseUrl }: ServerChoice,
  { reads: asked }: ServerAddress,
  missing: MissingFiles,
): PlanSummary {
  const { writes, reads, updates } = summary;
  const checks = writes + reads + updates + missing.rows === 0 ? asked : Math.max(1, asked);
  return baseUrl === undefined ? summary : { ...summary, reads: reads + checks };
}

/** As the run sees it; static codes hold no address. */
export function isMoved({ baseUrl, publicUrl }: ServerChoice, { state, far }: Known): boolean {
  if (baseUrl !== undefined) return far?.moved !== undefined;
  const before = state?.meta(PUBLIC_URL);
  if (state === undefined || before === undefined || before === publicUrl) return false;
  return state.count(PRESENT_DONE_WITH_ADDRESS) > 0;
}

/** Codes whose pictures a run fetches anew. */
export const countStale = ({ otherLooks = [] }: Pick<Known, "otherLooks">): number =>
  otherLooks.find(isOfPictures)?.count ?? 0;

/** A move fetches every file, stale and missing ones too. */
export function toSummary(
  job: RowJob,
  server: ServerChoice,
  given: Known & {
    readonly summary: PlanSummary;
    readonly missing: MissingFiles;
    readonly writesAtMost?: true | undefined;
  },
): PlanSummary {
  const { summary, missing } = given;
  const stale = countStale(given);
  const isUnsure = stale > 0 && missing.rows > 0;
  const whole = isMoved(server, given)
    ? withMove(summary, job, given)
    : withMissing({ ...summary, reads: summary.reads + stale }, missing, isUnsure);
  const checked = withCheck(whole, server, given.far ?? UNASKED, missing);
  return given.writesAtMost === undefined ? checked : { ...checked, writesAtMost: true };
}
