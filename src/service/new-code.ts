/** Making the row of a code: what every way to a new code has in common. */
import { reservedSlugs, type Addresses } from "./addresses.ts";
import { toSearchText } from "./code-rows.ts";
import type { Context } from "./context.ts";
import type { StoredDesign } from "./drawing.ts";
import { toNewestMoment } from "./newest.ts";
import { refuse } from "./reply.ts";
import type { CodeRow, Db } from "./store/tables.ts";

const SLUG_LENGTH = 8;

/** What tells a new code from the next one; the rest has defaults. */
export type NewCode = Pick<CodeRow, "workspace_id"> &
  Partial<Omit<CodeRow, "design" | "search" | "id" | "created">> & {
    readonly styled?: StoredDesign | undefined;
  };

export function makeCodeRow(
  { ids, clock }: Pick<Context, "ids" | "clock">,
  code: NewCode,
): CodeRow {
  const { styled, ...fields } = code;
  const row = {
    id: ids.uuid(),
    kind: "code" as const,
    created: clock.nowMs(),
    display_name: "",
    qr_type: "Link",
    qr_data: "",
    dynamic: 0,
    slug: null,
    gps_tracking: 0,
    folder_id: null,
    design: JSON.stringify(styled ?? {}),
    vcard: null,
    pdf_file: null,
    pdf_name: null,
    product_id: null,
    digital_link: null,
    hosted_path: null,
    png_file: null,
    svg_file: null,
    print_file: null,
    ...fields,
  };
  return { ...row, search: toSearchText(row) };
}

/** Inserts a code as the newest of its workspace: answers it with its moment of creation. */
export async function insertCode(tx: Db, row: CodeRow): Promise<CodeRow> {
  const moment = { ownerId: row.workspace_id, nowMs: row.created };
  const inserted = { ...row, created: await toNewestMoment(tx, "codes", moment) };
  await tx.insertInto("codes").values(inserted).execute();
  return inserted;
}

export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  if (reservedSlugs.has(slug.toLowerCase())) return true;
  const row = await db.selectFrom("codes").select("id").where("slug", "=", slug).executeTakeFirst();
  return row !== undefined;
}

/** A random slug that no code has and that is no address of the service itself. */
export async function makeSlug({ store, ids }: Pick<Context, "store" | "ids">): Promise<string> {
  for (;;) {
    const slug = ids.slug(SLUG_LENGTH);
    if (!(await isSlugTaken(store.db, slug))) return slug;
  }
}

/** Only the default domain is there to choose; another one is a 400. */
export function checkDomain(addresses: Addresses, domain: string | null | undefined): void {
  if (domain === undefined || domain === null) return;
  const { host, hostname } = new URL(addresses.publicUrl);
  if ([host, hostname].includes(domain.toLowerCase())) return;
  throw refuse.field("domain", "Must be a domain of the workspace.");
}
