/**
 * The registered levels of a Digital Link: as given first, then ever more general ones
 * (docs/spec/gs1.md section 6).
 */
import { toDigitalLinkPath, type DigitalLink } from "../../../../gs1/digital-link.ts";
import type { LinksetLevel } from "../../../../gs1/linkset.ts";

import type { Db, ProductRow } from "../../../store/tables.ts";
import { toLink } from "../rows.ts";
import { readProductLinks } from "./product-links.ts";

export interface Level extends LinksetLevel {
  readonly productId: string;
}

/** Paths of the levels of a link below `stem`, the most specific one first. */
export function toLevelPaths(stem: string, link: DigitalLink): string[] {
  const { qualifiers } = link;
  return Array.from({ length: qualifiers.length + 1 }, (_, dropped) => {
    const level = { ...link, qualifiers: qualifiers.slice(0, qualifiers.length - dropped) };
    return `${stem}${toDigitalLinkPath(level)}`;
  });
}

/** Registered levels by their paths, in the order of the paths. */
export async function readLevels(db: Db, paths: readonly string[]): Promise<Map<string, Level>> {
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
  const byPath = new Map(rows.map((row) => [row.path, toLevel(row)]));
  const found = new Map<string, Level>();
  for (const path of paths) {
    const level = byPath.get(path);
    if (level !== undefined) found.set(path, level);
  }
  return found;
}
