/** Codes that lead elsewhere than their job made them: an answer was lost, or somebody has moved them since. */
import type { Problem } from "../../base/errors.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { MadeTarget } from "../../state/listing.ts";
import type { State } from "../../state/state.ts";
import type { Asking } from "./other-looks.ts";

/** A row, and where its code or product leads now. */
export interface Moved extends Omit<MadeTarget, "id"> {
  readonly now: string;
}

export const SHOWN = 3;

/** Rows whose code the plan gives the content that they want. */
export function findUpdated(state: State, planned: Asking["planned"]): ReadonlySet<string> {
  const found = new Set<string>();
  if (planned === undefined || planned.summary.updates === 0) return found;
  for (const { key, wantedHash } of planned.spool.good()) {
    if (state.known(key)?.madeHash !== wantedHash) found.add(key);
  }
  return found;
}

/** A product that another job has registered as well can't be undone there: its links were not replaced. */
const TO_TAKE_BACK = {
  code: "undo the other job; if there is none, write the new destination into the rows, run the job, and write the old one again",
  product:
    "write the old destination into the rows of the job that has changed it, and run that job",
} as const;

export function sayMoved(
  { source, output }: RowJob,
  thing: "code" | "product",
  moved: readonly Moved[],
): Problem {
  const count = moved.length;
  const isOne = count === 1;
  const shown = moved
    .slice(0, SHOWN)
    .map((row) => `${sayRow(source, row)} to ${row.now} instead of ${row.destination}`);
  const more = count > SHOWN ? [`${formatCount(count - SHOWN)} more`] : [];
  const index = output.index.length === 0 ? "" : "; the index has the old destination";
  const leads = isOne ? "leads" : "lead";
  const it = isOne ? "it" : "them";
  return {
    message: `${formatMany(count, thing)} ${leads} elsewhere than this job made ${it}: ${[...shown, ...more].join(", ")}. The answer to a change was lost, or another job or a person has changed ${it} since${index}`,
    hint: `to keep this, write the new destination into the rows; to take it back, ${TO_TAKE_BACK[thing]}`,
  };
}

/** Asks the data folder of the embedded service; of other servers it is not known. */
export async function findOtherTargets(asking: Asking): Promise<Problem[]> {
  const { job, server, ports, state, planned } = asking;
  if (server.baseUrl !== undefined || state === undefined) return [];
  const now = await ports.server.moved(server.dataDir);
  if (now.size === 0) return [];
  const updated = findUpdated(state, planned);
  const moved = state.listing.targets([...now.keys()]).flatMap((row) => {
    const to = now.get(row.id);
    return to === undefined || to === row.destination || updated.has(row.key)
      ? []
      : [{ ...row, now: to }];
  });
  return moved.length === 0 ? [] : [sayMoved(job, "code", moved)];
}
