/** Templates that the rows of a plan name. */
import type { Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { readTemplates } from "../../run/templates.ts";
import { lookUpTemplates } from "../look-up-templates.ts";
import type { Ports } from "../ports.ts";
import type { PlanRequest } from "../strategy.ts";
import type { PlannedJob } from "./read-plan.ts";

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
  const asking = { job, server, field: "code.design.template" };
  return lookUpTemplates(asking, ports, (source) => readTemplates(source, spool.good()));
}
