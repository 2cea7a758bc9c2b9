/** What other jobs or people have changed at the service since a job made its codes. */
import { findOtherLooks, type Asking } from "./other-looks.ts";
import { findOtherProducts } from "./other-products.ts";
import { findOtherTargets } from "./other-targets.ts";

/** Asks the data folder of the embedded service; of other servers nothing is known. */
export const findElsewhere = async (asking: Asking) => ({
  otherLooks: await findOtherLooks(asking),
  otherTargets: [...(await findOtherTargets(asking)), ...(await findOtherProducts(asking))],
});
