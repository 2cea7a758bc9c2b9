/** What the server's own code of a PDF or page costs. */
import type { ThingCost } from "../plan/thing.ts";
import type { Wanted } from "../state/row.ts";

/** What such a code doesn't have from its create. */
function countFiling({ folder, displayName, page, design }: Wanted): number {
  const isFiled = folder !== null || (page !== undefined && displayName !== page.title);
  return Number(isFiled) + Number(Object.keys(design).length > 0);
}

/** The wish without what can't be changed (a hosted file keeps its name) and what other calls bring about. */
function toCodePart({ pdf: _pdf, design: _design, tags: _tags, ...rest }: Wanted): string {
  return JSON.stringify(rest);
}

/** Of things whose code is filed, styled and tagged after they are made. */
export const filedCost: ThingCost = {
  isShownLast: true,
  create: (wanted) => 1 + countFiling(wanted) + Number(wanted.tags.length > 0),
  update: (made, wanted) => Number(toCodePart(made) !== toCodePart(wanted)),
};
