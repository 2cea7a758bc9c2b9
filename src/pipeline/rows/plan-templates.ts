/** Templates that the rows of a plan name. */
import type { Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { type Design, toTemplateFacts } from "../../plan/looks.ts";
import { readTemplates, type Templates } from "../../run/templates.ts";
import { lookUpTemplates } from "../checks/look-up-templates.ts";
import type { Ports } from "../ports.ts";
import { isNothingThere } from "../address/server.ts";
import type { PlanRequest } from "../strategy.ts";
import type { PlannedJob } from "./read-plan.ts";

/** The result of looking up templates. */
interface FoundTemplates {
  /** Set where no server could be asked. */
  readonly warnings: readonly Problem[];
  /** What codes of a template look like. */
  readonly templateOf: (name: string) => Design | undefined;
}

const toFound = (
  templates: Templates | undefined,
  warnings: readonly Problem[] = [],
): FoundTemplates => ({
  warnings,
  templateOf(name) {
    const template = templates?.find(name);
    return template && toTemplateFacts(template);
  },
});

/** The same without a call: for a service that has only its built-in templates. */
export async function findBuiltIn(
  { job, server }: Pick<PlanRequest<RowJob>, "job" | "server">,
  ports: Pick<Ports, "server">,
  { spool }: Pick<PlannedJob, "spool">,
): Promise<FoundTemplates> {
  if (job.code.design.template === undefined || !isNothingThere(server)) return toFound(undefined);
  const templates = await ports.server.templates();
  return toFound(await readTemplates({ templates: () => templates }, spool.good()));
}

/**
 * Looks up the templates of the rows that are to be made or restyled. Returns warnings where no
 * server could be asked. Throws `manifest-invalid` for a template that the workspace doesn't have.
 */
export async function checkPlanTemplates(
  { job, server }: PlanRequest<RowJob>,
  ports: Ports,
  { summary, spool }: PlannedJob,
): Promise<FoundTemplates> {
  const { template } = job.code.design;
  if (template === undefined || summary.creates + summary.restyles === 0) return toFound(undefined);
  const asking = { job, server, field: "code.design.template" };
  const { found, warnings } = await lookUpTemplates(asking, ports, (source) =>
    readTemplates(source, spool.good()),
  );
  return toFound(found, warnings);
}
