/** Makes the row of a code: the part that all ways to a new code share. */
import { sql } from "kysely";

import { reservedSlugs } from "../../../../api/reserved-slugs.ts";
import type { Addresses } from "../../../addresses.ts";
import type { Context } from "../../../context.ts";
import type { StoredDesign } from "../../../designs/stored-design.ts";
import { refuse } from "../../../http/reply.ts";
import { toNewestMoment } from "../../../store/newest.ts";
import { prepare, prepareInsert } from "../../../store/prepared.ts";
import type { CodeRow, Db, PageRow } from "../../../store/tables.ts";
import { toSearchText } from "../rows.ts";

const SLUG_LENGTH = 8;

/** The fields in which new codes differ; the rest has defaults. */
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
    capitals: 0,
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

const insertRow = prepareInsert("codes");

/** Inserts a code as the newest of its workspace; answers it with its moment of creation. */
export async function insertCode(tx: Db, row: CodeRow): Promise<CodeRow> {
  const moment = { ownerId: row.workspace_id, nowMs: row.created };
  const inserted = { ...row, created: await toNewestMoment(tx, "codes", moment) };
  await insertRow(tx, { ...inserted });
  return inserted;
}

/**
 * Who has or had a slug. A code that has it is listed without a workspace: no one else may use it.
 */
const holdersOf = prepare((db, { slug }: { slug: string }) =>
  db
    .selectFrom("codes")
    .select(sql<string | null>`CAST(NULL AS TEXT)`.as("workspace_id"))
    .where("slug", "=", slug)
    .unionAll(db.selectFrom("kept_slugs").select("workspace_id").where("slug", "=", slug)),
);

/**
 * True for a slug that a code has, for one that a code of another workspace had (printed codes
 * still lead to it), and for the service's own addresses. Without `workspaceId`, every slug that
 * was ever used is taken.
 */
export async function isSlugTaken(db: Db, slug: string, workspaceId = ""): Promise<boolean> {
  if (reservedSlugs.has(slug.toLowerCase())) return true;
  const { rows } = await holdersOf(db, { slug });
  return rows.some((holder) => holder.workspace_id !== workspaceId);
}

export const refuseSlug = () => refuse.field("slug", "Must be neither taken nor reserved.");

/** A hosted page and its code's short link share the slug, so it must be free for both. */
export async function isHostedSlugTaken(
  tx: Db,
  table: "forms" | "pages",
  { slug, workspace_id: workspaceId }: Pick<PageRow, "slug" | "workspace_id">,
): Promise<boolean> {
  if (await isSlugTaken(tx, slug, workspaceId)) return true;
  const row = tx.selectFrom(table).select("id").where("slug", "=", slug);
  return (await row.executeTakeFirst()) !== undefined;
}

/** A random slug that was never used and is none of the service's own addresses. */
export async function makeSlug({ store, ids }: Pick<Context, "store" | "ids">): Promise<string> {
  for (;;) {
    const slug = ids.slug(SLUG_LENGTH);
    if (!(await isSlugTaken(store.db, slug))) return slug;
  }
}

type LinkFields = Pick<CodeRow, "slug" | "capitals">;

/** The link of a new code: with a slug if it needs one, in capitals if the service uses them. */
export async function makeLinkFields(
  context: Pick<Context, "store" | "ids" | "addresses">,
  needsSlug: boolean,
): Promise<LinkFields> {
  const isCapital = context.addresses.hasCapitalLinks;
  const ids = { ...context.ids, slug: (length: number) => context.ids.slug(length).toUpperCase() };
  const slug = needsSlug ? await makeSlug(isCapital ? { ...context, ids } : context) : null;
  return { slug, capitals: Number(isCapital) };
}

/** There is only the default domain; another one is a 400. */
export function checkDomain(addresses: Addresses, domain: string | null | undefined): void {
  if (domain === undefined || domain === null) return;
  const { host, hostname } = new URL(addresses.publicUrl);
  if ([host, hostname].includes(domain.toLowerCase())) return;
  throw refuse.field("domain", "Must be a domain of the workspace.");
}
