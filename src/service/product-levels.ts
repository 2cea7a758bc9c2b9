/** The levels of a Digital Link that are registered: as given, then ever more general (gs1.md section 6). */
import { toDigitalLinkPath, type DigitalLink } from "../gs1/digital-link.ts";
import type { LinksetLevel } from "../gs1/linkset.ts";

import { readProductLinks, toLink } from "./product-rows.ts";
import type { Db, ProductRow } from "./store/tables.ts";

export interface Level extends LinksetLevel {
  readonly productId: string;
}

function walkUp(link: DigitalLink): DigitalLink[] {
  return Array.from({ length: link.qualifiers.length + 1 }, (_, dropped) => ({
    ...link,
    qualifiers: link.qualifiers.slice(0, link.qualifiers.length - dropped),
  }));
}

/** Registered levels of the link below `stem`, the most special one first. */
export async function readLevels(db: Db, stem: string, link: DigitalLink): Promise<Level[]> {
  const paths = walkUp(link).map((level) => `${stem}${toDigitalLinkPath(level)}`);
  const rows = await db.selectFrom("products").selectAll().where("path", "in", paths).execute();
  const links = await readProductLinks(
    db,
    rows.map(({ id }) => id),
  );
  const toLevel = (row: ProductRow): Level => ({
    ...toLink(row),
    productId: row.id,
    links: (links.get(row.id) ?? []).map((each) => ({
      linkType: each.link_type,
      title: each.title,
      href: each.destination_url,
      mediaType: each.media_type,
      language: each.language,
      isDefault: each.is_default === 1,
    })),
  });
  return paths.flatMap((path) => rows.filter((row) => row.path === path).map(toLevel));
}
