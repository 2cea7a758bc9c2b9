/** Costs of the server's own code of a PDF or page. */
import type { ThingCost } from "../plan/thing.ts";
import type { Wanted } from "../state/row.ts";

/** Fields that the create of such a code can't set. */
function countFiling({ folder, displayName, page, design }: Wanted): number {
  const isFiled = folder !== null || (page !== undefined && displayName !== page.title);
  return Number(isFiled) + Number(Object.keys(design).length > 0);
}

/** The wish without fields that can't be changed (a hosted file keeps its name) or take other calls. */
function toCodePart({ pdf: _pdf, design: _design, tags: _tags, ...rest }: Wanted): string {
  return JSON.stringify(rest);
}

/** Of things whose code is filed, styled and tagged after they are made. */
export const filedCost: ThingCost = {
  create: (wanted) => 1 + countFiling(wanted) + Number(wanted.tags.length > 0),
  update: (made, wanted) => Number(toCodePart(made) !== toCodePart(wanted)),
};
