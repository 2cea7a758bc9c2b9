/** What a redesign reads of codes before it changes them. */
import type { Client } from "../../client/client.ts";
import type { RedesignJob } from "../../kinds/redesign/job.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import { isRowError } from "../../run/change.ts";
import { readDesign } from "../../run/redesign.ts";
import { hasChangeLog } from "../../state/change-log.ts";

interface Asking {
  readonly client: Client;
  /** Our own service shows designs. */
  readonly isEmbedded: boolean;
  /** The first code that is to be restyled; undefined when none is. */
  readonly first: string | undefined;
  /** The run goes on with one that was not finished. */
  readonly isResumed: boolean;
  /** How many of the codes look so already; asked of our own service only. */
  readonly countSo: () => Promise<number>;
}

export interface PlannedAsks {
  readonly summary: PlanSummary;
  /** False where codes are asked for nothing, since the server shows no designs. */
  readonly tellsDesign: boolean;
}

/** Undefined when the code can't be read. */
async function tells({ client, isEmbedded }: Asking, first: string): Promise<boolean | undefined> {
  if (isEmbedded) return true;
  try {
    return readDesign(await client.getCode(first)) !== undefined;
  } catch (error) {
    if (!isRowError(error)) throw error;
    return undefined;
  }
}

type Job = Pick<RedesignJob, "output" | "safety" | "stateDir">;

/** True where the drawing comes with the answer to a change only: no other file is fetched. */
const isDrawnOnly = ({ output: { files } }: Job): boolean => files.join() === "svg";

/** GETs for each code that is to be restyled, besides those of its files after a change. */
function toEach({ safety, stateDir }: Job, told: boolean | undefined) {
  const asks = told !== false;
  const keeps = told !== true && safety.keepPrevious;
  // The picture of a code that an earlier run has changed is not kept: its design is known.
  const mayBeKept = keeps && hasChangeLog(stateDir);
  return { reads: Number(asks) + Number(keeps), isAtMost: told === undefined || mayBeKept };
}

/** GETs for drawings of codes that look so already: those are not changed. */
async function countDrawings(
  { safety }: Job,
  { restyles }: PlanSummary,
  { isEmbedded, countSo }: Asking,
) {
  if (!isEmbedded || !safety.skipUnchanged) return { reads: restyles, isAtMost: true };
  return { reads: await countSo(), isAtMost: false };
}

/**
 * Asks for one code whether the server shows designs: then each code is asked for its own, else its
 * picture is kept.
 */
export async function planAsks(
  job: Job,
  summary: PlanSummary,
  asking: Asking,
): Promise<PlannedAsks> {
  const { first, isEmbedded, isResumed } = asking;
  const { keepPrevious, skipUnchanged } = job.safety;
  if (first === undefined || !(keepPrevious || skipUnchanged)) {
    return { summary, tellsDesign: true };
  }
  const told = await tells(asking, first);
  const tellsDesign = told !== false;
  const each = toEach(job, told);
  const mayBeSo = tellsDesign && (skipUnchanged || isResumed) && isDrawnOnly(job);
  const drawings = mayBeSo ? await countDrawings(job, summary, asking) : undefined;
  const reads =
    summary.reads +
    Number(!isEmbedded) +
    summary.restyles * each.reads +
    (drawings === undefined ? 0 : drawings.reads);
  const isAtMost = each.isAtMost || drawings?.isAtMost === true;
  return {
    summary: { ...summary, reads, ...(isAtMost && { readsAtMost: true as const }) },
    tellsDesign,
  };
}
