/** Boxes on a label that are too small for any text of their symbols: no cell can mend that. */
import { AppError, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { PlannerOptions } from "../../plan/planner.ts";
import { toManifestField } from "../stages/sheet-options.ts";

type TextsFit = NonNullable<PlannerOptions["textsFit"]>;

/** Keeps, box by box, the first fault that no text mends. */
export class LabelBoxes {
  readonly #faults = new Map<string, Problem>();

  watch(textsFit: TextsFit): TextsFit {
    return (label) => {
      const problems = textsFit(label);
      for (const problem of problems) {
        const field = problem.where?.field;
        if (field !== undefined && !this.#faults.has(field)) this.#faults.set(field, problem);
      }
      return problems;
    };
  }

  /** Throws `manifest-invalid` for boxes that have no room for any text. */
  refuse({ file }: Pick<RowJob, "file">): void {
    const problems = [...this.#faults.values()].map((fault) => toManifestField(fault, file));
    const [first, ...more] = problems;
    if (first === undefined) return;
    if (more.length === 0)
      throw new AppError("manifest-invalid", first.message, { ...first, problems });
    const says = `boxes on the label must have room for their symbols, got ${problems.length} that are too small`;
    throw new AppError("manifest-invalid", says, { where: { file }, problems });
  }
}
