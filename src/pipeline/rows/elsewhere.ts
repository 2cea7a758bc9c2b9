/** What other jobs or people have changed at the service since a job made its codes. */
import { findOtherLooks, type Asking } from "./other-looks.ts";
import { findOtherNames } from "./other-names.ts";
import { findOtherProducts } from "./other-products.ts";
import { findOtherTargets } from "./other-targets.ts";

/** Asks the data folder of the embedded service; of other servers nothing is known. */
export async function findElsewhere(asking: Asking) {
  const otherLooks = await findOtherLooks(asking);
  const targets = await findOtherTargets(asking);
  const names = await findOtherNames(asking);
  const { problems, isThere } = await findOtherProducts(asking);
  const otherTargets = [...targets, ...names, ...problems];
  return { otherLooks, otherTargets, ...(isThere && { writesAtMost: true as const }) };
}
