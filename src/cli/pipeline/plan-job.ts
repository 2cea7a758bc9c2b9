/** `plan` of a job that reads rows: what a run would do and cost. */
import { writeFileAtomic } from "../../base/atomic-file.ts";
import type { Problem } from "../../base/errors.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { formatPlanFile } from "../../plan/plan-file.ts";
import { readState } from "../../state/find-state.ts";
import { toStateError } from "../../state/schema.ts";
import { stateFile } from "../../state/state.ts";
import type { CliContext } from "../context.ts";
import { toProgramHash } from "../program-hash.ts";
import type { View } from "../view.ts";
import { openRows } from "./open-job.ts";
import { checkPlanTemplates } from "./plan-templates.ts";
import { planRows } from "./plan-stage.ts";
import { toPlanView } from "./plan-view.ts";
import { findSeal } from "./seal.ts";
import { toPlanFacts } from "./saved-plan.ts";
import { toPin } from "./server.ts";
import type { PlanOutcome, PlanRequest } from "./steps.ts";

/** Shows the plan and saves it where that was asked for. Nothing else is written. */
export async function planRowJob(
  context: CliContext,
  view: View,
  { job, server, saveTo }: PlanRequest<RowJob>,
): Promise<PlanOutcome> {
  const source = await openRows(job);
  const { writer, programFolder } = context;
  const nowMs = context.clock.nowMs();
  const state = await readState(job.output.dir, { writer, salt: "", nowMs });
  try {
    state?.refuseForeign(toPin(job, server, context));
    const isSealed = state !== undefined && saveTo === undefined;
    const seal = isSealed
      ? await findSeal({
          job,
          server,
          source,
          state,
          writer,
          program: toProgramHash(programFolder),
        })
      : undefined;
    if (state !== undefined && seal !== undefined) {
      view.plan(
        await toPlanView(job, server, { planned: seal, state, createdAt: state.createdAt }),
      );
      return { hasWork: seal.summary.bad > 0 };
    }
    const planned = await planRows({ job, source, state, nowMs, retryFailed: false });
    let warnings: readonly Problem[];
    try {
      warnings = await checkPlanTemplates(context, view, { job, server, saveTo }, planned);
    } finally {
      planned.spool.close();
    }
    const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
    const { changedKey } = planned;
    const first = changedKey === undefined ? [] : [changedKey];
    const shown = { ...planned, warnings: [...first, ...planned.warnings, ...warnings] };
    view.plan(await toPlanView(job, server, { planned: shown, state, createdAt }));
    if (saveTo !== undefined) {
      const facts = toPlanFacts({ job, server }, source, planned);
      await writeFileAtomic(saveTo, formatPlanFile(facts, writer, planned.summary));
    }
    const { writes, bad } = planned.summary;
    return { hasWork: writes + bad > 0 };
  } catch (error) {
    throw toStateError(stateFile(job.output.dir), error);
  } finally {
    state?.close();
    await source.close();
  }
}
