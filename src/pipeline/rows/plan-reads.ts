/** Reads of a plan beside those of its rows: after a move, for missing files, for a look at the server. */
import { inParts } from "../../base/flow/parts.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { PlannedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import {
  DONE_WITH_ADDRESS,
  DONE_WITH_SHORT_LINK,
  PRESENT_DONE_WITH_ADDRESS,
  PRESENT_DONE_WITH_SHORT_LINK,
} from "../../state/which-rows.ts";
import type { SeenAddress } from "../address/address-words.ts";
import { PUBLIC_URL } from "../address/public-address.ts";
import type { ServerChoice } from "../address/server.ts";
import type { Spool } from "./spool.ts";
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

/** Codes that a run draws under another address. */
export interface Moving extends SeenAddress {
  readonly codes: number;
  /** Of these: codes whose short link is known. */
  readonly links: number;
}

function toOtherAddress(
  { baseUrl, publicUrl: to }: ServerChoice,
  { state, far }: Known,
): SeenAddress | undefined {
  if (baseUrl !== undefined) return far?.moved;
  const from = state?.meta(PUBLIC_URL);
  return from === undefined || from === to ? undefined : { from, to };
}

/**
 * As the run sees it: codes of rows that are good now. Static codes hold no address. `spool`: undefined
 * where all rows are as the last run left them.
 */
export function findMoving(
  server: ServerChoice,
  known: Known & { readonly spool: Spool | undefined },
): Moving | undefined {
  const { state, spool } = known;
  const seen = toOtherAddress(server, known);
  if (state === undefined || seen === undefined) return undefined;
  const { codes, links } = spool ? countGood(state, spool.good()) : countPresent(state);
  return codes === 0 ? undefined : { ...seen, codes, links };
}

const countPresent = (state: State): Pick<Moving, "codes" | "links"> => ({
  codes: state.count(PRESENT_DONE_WITH_ADDRESS),
  links: state.count(PRESENT_DONE_WITH_SHORT_LINK),
});

function countGood(state: State, good: Iterable<PlannedRow>): Pick<Moving, "codes" | "links"> {
  let [codes, links] = [0, 0];
  for (const part of inParts(good)) {
    const keys = part.map(({ key }) => key);
    codes += state.many.count(keys, DONE_WITH_ADDRESS);
    links += state.many.count(keys, DONE_WITH_SHORT_LINK);
  }
  return { codes, links };
}

/**
 * Each short link is read once more, and the files of all codes are fetched again: those of a job are
 * all dynamic or all static. A short link comes with its drawing, and so do some changes, which
 * saves reads.
 */
function withMove(
  summary: PlanSummary,
  { kind, output: { files } }: RowJob,
  { moving, missing }: { readonly moving: Moving; readonly missing: MissingFiles },
): PlanSummary {
  const fetches = Number(kind === "links" ? files.includes("png") : files.length > 0);
  const { touched, creates, resumes } = summary;
  // This includes those that a change fetches again. One that is under way by then is asked once more
  // for its link and its files; of a form nothing comes before its change.
  const again = kind === "forms" ? 0 : 2 * (touched - creates - resumes);
  const { codes, links } = moving;
  const reads =
    summary.reads - summary.refetches + links + missing.links + (codes + again) * fetches;
  return { ...summary, reads, ...(touched > 0 && { readsAtMost: true }) };
}

/**
 * A run asks a remote server for codes of its own; then for any before it makes one, or where it has
 * not answered. What has kept it from answering here is taken for mended by then.
 */
function withCheck(
  summary: PlanSummary,
  { baseUrl }: ServerChoice,
  { reads: asked, untold }: ServerAddress,
  missing: MissingFiles,
): PlanSummary {
  const { writes, reads, updates, creates, resumes } = summary;
  const isIdle = writes + reads + updates + missing.rows === 0;
  const looks = untold === undefined ? asked : Math.max(asked, 1);
  const isAnswered = looks > 0 && untold?.because.why !== "not-shown";
  const checks = isIdle ? asked : looks + Number(!isAnswered || creates + resumes > 0);
  return baseUrl === undefined ? summary : { ...summary, reads: reads + checks };
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
    readonly moving: Moving | undefined;
    readonly writesAtMost?: true | undefined;
  },
): PlanSummary {
  const { summary, missing, moving } = given;
  const stale = countStale(given);
  const isUnsure = stale > 0 && missing.rows > 0;
  const whole = moving
    ? withMove(summary, job, { moving, missing })
    : withMissing({ ...summary, reads: summary.reads + stale }, missing, isUnsure);
  const checked = withCheck(whole, server, given.far ?? UNASKED, missing);
  return given.writesAtMost === undefined ? checked : { ...checked, writesAtMost: true };
}
