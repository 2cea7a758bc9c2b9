/** A preview of a product's linkset, as the resolver serves it (docs/spec/api.md section 4.9). */
import { toDigitalLinkPath } from "../../../../gs1/digital-link.ts";
import { makeLinkset } from "../../../../gs1/linkset.ts";
import type { Context, Handlers } from "../../../context.ts";
import { requireProduct, toLink } from "../rows.ts";
import { readLevels, toLevelPaths } from "../rows/product-levels.ts";

export function makeLinksetHandlers(context: Context) {
  const { store, addresses } = context;
  return {
    async getLinkset({ params, query, caller }) {
      const row = await requireProduct(store.db, caller, params.product_id);
      const link = toLink(row);
      const stem = row.path.slice(0, row.path.length - toDigitalLinkPath(link).length);
      const origin = query.domain === undefined ? addresses.publicUrl : `https://${query.domain}`;
      const levels = await readLevels(store.db, toLevelPaths(stem, link));
      const linkset = makeLinkset(`${origin}${stem}`, [...levels.values()]);
      return {
        status: 200,
        body: linkset,
        headers: { "content-type": "application/linkset+json" },
      };
    },
  } satisfies Partial<Handlers>;
}
