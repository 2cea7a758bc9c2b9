import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { AppError } from "../../base/errors.ts";
import type { JobCommon } from "../../job/job.ts";
import { checkPlan, formatPlanFile, parsePlanFile, type PlanFacts } from "../../plan/plan-file.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import type { JobPlan, RunResult, SavedPlan } from "../results.ts";
import type { ServerChoice } from "../address/server.ts";
import type { Spool } from "./spool.ts";

/** A plan whose rows are all in its spool. */
interface SpooledPlan {
  readonly spool: Spool;
  readonly summary: PlanSummary;
}

/** The facts of a plan over codes that exist; their list is its input. */
export function toPlanNow(
  { job, server }: { readonly job: JobCommon; readonly server: ServerChoice },
  { spool, summary }: SpooledPlan,
): PlanNow {
  const [input, actions] = [createHash("sha256"), createHash("sha256")];
  for (const row of spool.good()) {
    input.update(`${row.key}\n`);
    actions.update(`${JSON.stringify(row)}\n`);
  }
  for (const bad of spool.bad()) actions.update(`${JSON.stringify(bad)}\n`);
  const wishesSha256 = actions.copy().digest("hex");
  actions.update(JSON.stringify([summary.writes, summary.restyles, summary.updates]));
  const facts = {
    job: job.name,
    server: server.baseUrl ?? "embedded",
    inputSha256: input.digest("hex"),
    actionsSha256: actions.digest("hex"),
  };
  return { facts, wishesSha256 };
}

/** Meta: the saved plan that was last begun, as JSON. */
const PLAN_BEGUN = "plan_begun";

/** What a run finds, to be compared with a saved plan. */
export interface PlanNow {
  readonly facts: PlanFacts;
  /** Hash over all that the rows want, done or not. */
  readonly wishesSha256: string;
}

/** True for a plan that was begun: it has fewer actions left, since finished rows need none. */
function isBegun(state: State, saved: PlanFacts, { facts, wishesSha256 }: PlanNow): boolean {
  const text = state.meta(PLAN_BEGUN);
  if (text === undefined || text === "") return false;
  const begun = JSON.parse(text) as { actionsSha256: string; wishesSha256: string };
  const isSame = begun.actionsSha256 === saved.actionsSha256 && begun.wishesSha256 === wishesSha256;
  return isSame && saved.inputSha256 === facts.inputSha256 && saved.server === facts.server;
}

/**
 * Throws `plan-stale` when the run would do anything but the saved plan or the rest of it: an
 * interrupted run goes on with its plan.
 */
export function holdToPlan(
  { commandOf }: Pick<Ports, "commandOf">,
  state: State,
  { file, facts: saved }: SavedPlan,
  now: PlanNow,
): void {
  if (!isBegun(state, saved, now)) {
    // Front ends without files name it in other words.
    const again = commandOf("plan", file.endsWith(".json") ? { more: ["--out", file] } : {});
    const hint = `plan again, look at it, and run with the new plan: ${again}`;
    checkPlan(saved, now.facts, { file, hint });
  }
  const { actionsSha256 } = saved;
  state.setMeta(PLAN_BEGUN, JSON.stringify({ actionsSha256, wishesSha256: now.wishesSha256 }));
}

/** A plan is carried out once: when nothing of it is left, it is over. */
export function endPlan(state: State, { left, outcome }: RunResult): void {
  const isOver = left === 0 && outcome !== "interrupted";
  if (isOver && state.meta(PLAN_BEGUN) !== undefined) state.setMeta(PLAN_BEGUN, "");
}

export async function savePlan(file: string, plan: JobPlan, writer: string): Promise<void> {
  if (plan.facts === undefined) throw new AppError("bug", "a plan that is saved must have facts");
  await writeFileAtomic(file, formatPlanFile(plan.facts, writer, plan.summary));
}

/** Reads a saved plan; `name`: its file as messages name it. */
export async function readSavedPlan(file: string, name = file): Promise<SavedPlan> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("bad-usage", `--plan must name a file that can be read, got ${name}`, {
      cause,
    });
  });
  return { file: name, facts: parsePlanFile(text, name) };
}
