/** Boxes on a label that are too small for the symbols of all rows: no cell can mend that. */
import { AppError, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { PlannerOptions } from "../../plan/planner.ts";
import { toManifestField } from "../stages/sheet-options.ts";

type TextsFit = NonNullable<PlannerOptions["textsFit"]>;

/** Counts, box by box, the rows whose symbol has no room in it. */
export class LabelBoxes {
  readonly #boxes = new Map<string, { readonly first: Problem; rows: number }>();
  /** Rows with texts that symbols can hold. */
  #judged = 0;

  watch(textsFit: TextsFit): TextsFit {
    return (label) => {
      const problems = textsFit(label);
      const ofBoxes = problems.filter(({ where }) => where?.field !== undefined);
      if (problems.length === ofBoxes.length) this.#judged += 1;
      if (problems.length === ofBoxes.length) for (const first of ofBoxes) this.#count(first);
      return problems;
    };
  }

  /** Throws `manifest-invalid` for boxes that no row's symbol has room in. */
  refuse({ file }: Pick<RowJob, "file">): void {
    const problems = [...this.#boxes.values()]
      .filter(({ rows }) => rows === this.#judged)
      .map(({ first }) => toManifestField(first, file));
    const [first, ...more] = problems;
    if (first === undefined) return;
    if (more.length === 0)
      throw new AppError("manifest-invalid", first.message, { ...first, problems });
    const says = `boxes on the label must have room for their symbols, got ${problems.length} that are too small`;
    throw new AppError("manifest-invalid", says, { where: { file }, problems });
  }

  #count(first: Problem): void {
    const field = first.where?.field ?? "";
    const box = this.#boxes.get(field) ?? { first, rows: 0 };
    box.rows += 1;
    this.#boxes.set(field, box);
  }
}
