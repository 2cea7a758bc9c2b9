/** Templates that the rows of a plan name, looked up where the run will: a wrong one stops all of it. */
import { AppError, type Problem } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { readTemplates } from "../../run/templates.ts";
import { withClient } from "../job-client.ts";
import type { Ports } from "../ports.ts";
import { isNothingThere, readRemote } from "../server.ts";
import type { PlanRequest } from "../strategy.ts";
import type { PlannedJob } from "./read-plan.ts";

/** A plan is asked for by somebody who waits, and is good without this answer. */
const PATIENCE_MS = 5000;

const unchecked = (why: string): Problem => ({
  message: `code.design.template was not looked up: ${why}`,
  hint: "a template that the server doesn't have stops the run before anything is made",
});

/** A server that is away, or busy; what is wrong with the manifest or the token is no such thing. */
const isAway = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "busy" || error.kind === "broken");

/**
 * Looks up the templates of the rows that are to be made or restyled. Answers warnings where nobody
 * could be asked. Throws `manifest-invalid` for a template that the workspace doesn't have.
 */
export async function checkPlanTemplates(
  { job, server }: PlanRequest<RowJob>,
  ports: Ports,
  { summary, spool }: PlannedJob,
): Promise<readonly Problem[]> {
  const { template } = job.code.design;
  if (template === undefined || summary.creates + summary.restyles === 0) return [];
  if (isNothingThere(server)) {
    const templates = await ports.server.templates();
    await readTemplates({ templates: () => templates }, spool.good());
    return [];
  }
  if (server.baseUrl !== undefined) {
    const { missing } = await readRemote(job, ports);
    if (missing.length > 0) return [unchecked(`no ${missing.join(" and no ")} is set`)];
  }
  try {
    const needs = { ports, choice: server, log: makeLog(), patienceMs: PATIENCE_MS };
    await withClient(job, needs, ({ client }) => readTemplates(client, spool.good()));
    return [];
  } catch (error) {
    if (!isAway(error)) throw error;
    return [unchecked(error.message)];
  }
}
