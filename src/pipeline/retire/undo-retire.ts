/** `undo` of a job whose rows make things: codes that were filed away lie again where they lay. */
import { closing } from "../../base/flow/closing.ts";
import { AppError } from "../../base/errors.ts";
import { rowsFromOf, sayNoLonger } from "../../base/shapes/rows-from.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { toThings } from "../../kinds/names.ts";
import { hasChangeLog, openChangeLog, type ChangeLog } from "../../state/change-log.ts";
import { formatMany } from "../../base/text/words.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { openStepBegun } from "../undo/begun-step.ts";
import { noteEnded, noteUnended } from "../undo/unended.ts";
import type { Ports } from "../ports.ts";
import type { RunResult } from "../results.ts";
import type { UndoOrder } from "../strategy.ts";
import { confirmUndo, toResult, undoChanges } from "../undo/undo.ts";
import { hasShortLink, isProduct } from "./find-vanished.ts";
import { refreshLists, withRowState } from "./open-retire.ts";

function refuseNothing(job: RowJob, { commandOf }: Ports): AppError {
  const { kind, file } = job;
  const things = toThings(kind);
  return new AppError("bad-usage", `undo must have ${things} to put back, got none`, {
    where: { file },
    hint: `undo moves back what retire filed away; what a run made stays. Of ${things} whose rows are ${sayNoLonger(rowsFromOf(job))}, this says what can be done: ${commandOf("retire")}`,
  });
}

/** What becomes of deleted codes in print. */
function sayPrinted(rows: readonly (StateRow | undefined)[]): string {
  const known = rows.filter((row) => row !== undefined);
  const products = known.filter((row) => isProduct(row)).length;
  const links = known.filter((row) => hasShortLink(row)).length;
  const says = [
    ...(links > 0
      ? [formatMany(links, "short link in print stays dead", "short links in print stay dead")]
      : []),
    ...(products > 0
      ? [
          formatMany(
            products,
            "GS1 product stays, and its printed code answers as before",
            "GS1 products stay, and their printed codes answer as before",
          ),
        ]
      : []),
  ];
  return says.length === 0 ? "" : `; ${says.join("; ")}`;
}

/** A deleted code can't be brought back. */
function refuseDeleted(job: RowJob, state: State, changes: ChangeLog, run: number): void {
  const deleted = [...changes.open(run)].filter(({ after }) => after["deleted"] === true);
  if (deleted.length === 0) return;
  throw new AppError(
    "bad-usage",
    `undo can't bring back codes, and the last retire deleted ${deleted.length}`,
    {
      where: { file: job.file },
      hint: `put their rows back and run the job: it makes new codes${sayPrinted(deleted.map(({ key }) => state.row(key)))}`,
    },
  );
}

export async function undoRetire(order: UndoOrder<RowJob>, ports: Ports): Promise<RunResult> {
  const { job } = order;
  if (!hasChangeLog(job.output.dir)) throw refuseNothing(job, ports);
  return withRowState(order, ports, (parts) =>
    closing(openChangeLog(job.output.dir), async (changes) => {
      const last = changes.lastRun();
      if (last === undefined) throw refuseNothing(job, ports);
      refuseDeleted(job, parts.state, changes, last.id);
      changes.finish();
      const tellBegun = await openStepBegun(job.output.dir, "undo", ports);
      const work = {
        order,
        changes,
        last,
        forget: () => undefined,
        begun: () => {
          noteUnended(parts.state, "undo");
          tellBegun();
        },
        moved: (
          { key, after }: { key: string; after: Readonly<Record<string, unknown>> },
          now: { folder: string | null },
        ) =>
          parts.state.retired.unfiled(key, {
            folder: now.folder,
            madeHash: String(after["made_hash"]),
          }),
      };
      await confirmUndo(parts, work);
      const done = await undoChanges(parts, work);
      const { undone, wasBack, warnings } = done.counts;
      const already = last.undone + wasBack;
      const result = toResult(parts, job, { ...done, last });
      const { notDone, problems } = result;
      const files = await refreshLists(parts, job, {
        calls: done.calls,
        warnings: [...warnings, ...problems],
        retired: undone,
        after: { did: "undone", codes: undone, already, notDone, runAt: last.startedAt },
      });
      if (!ports.signal.aborted) noteEnded(parts.state);
      return { ...result, files };
    }),
  );
}
