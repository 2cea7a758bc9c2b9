import type { Problem } from "../../../base/errors.ts";
import type { JobOutput } from "../../../job/job.ts";
import type { DesignFields } from "../../../plan/restyle.ts";
import type { PlanView } from "../../view.ts";
import { planPaper } from "../plan-view.ts";
import { isLoopbackUrl, type ServerChoice } from "../server.ts";
import type { PlannedSelection } from "./plan-selection.ts";

interface SelectionViewInput {
  readonly job: { readonly name: string; readonly file: string; readonly output: JobOutput };
  readonly server: ServerChoice;
  /** What is selected, in words. */
  readonly input: string;
  readonly design: DesignFields;
  readonly planned: PlannedSelection;
  readonly createdAt: string;
  readonly warnings: readonly Problem[];
  readonly notes: readonly string[];
}

/** The plan for people and programs. Throws `layout-impossible` when the sheets can't be printed. */
export async function toSelectionView(given: SelectionViewInput): Promise<PlanView> {
  const { job, server, planned } = given;
  const isEmbedded = server.baseUrl === undefined;
  const isRehearsal = planned.summary.sheets.some(({ longestPayload }) =>
    isLoopbackUrl(longestPayload),
  );
  const paper = await planPaper(job, {
    groups: planned.summary.sheets,
    createdAt: given.createdAt,
    isRehearsal,
    inputName: given.input,
    design: given.design,
    publicUrl: isEmbedded ? server.publicUrl : undefined,
  });
  return {
    job: job.name,
    input: given.input,
    isSelection: true,
    server: server.baseUrl ?? `embedded service, data in ${server.dataDir}`,
    isRehearsal,
    isLimited: !isEmbedded || server.limits === "hosted",
    summary: planned.summary,
    sheetPages: paper.pages,
    warnings: [...given.warnings, ...planned.warnings, ...paper.warnings],
    notes: [...paper.notes, ...given.notes],
  };
}
