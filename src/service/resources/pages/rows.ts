/** Landing pages as stored. */
import { requireOwned, type Caller } from "../../auth/accounts.ts";
import { refuseMore, type Plan } from "../../auth/plan.ts";
import type { Context } from "../../context.ts";
import type { Slice } from "../../http/paging.ts";
import { refuse } from "../../http/reply.ts";
import { toNewestMoment } from "../../store/newest.ts";
import { readSlice } from "../../store/slices.ts";
import { firstOf, prepare } from "../../store/prepared.ts";
import type { CodeRow, Db, PageRow } from "../../store/tables.ts";
import { insertCode, isHostedSlugTaken } from "../codes/rows/new-code.ts";

/** A page of the caller; one of another account is a 404 like an unknown one. */
export const requirePage = (db: Db, caller: Caller, id: string): Promise<PageRow> =>
  requireOwned(db, "pages", caller, id);

export function findPublishedPage(db: Db, slug: string): Promise<PageRow | undefined> {
  return db
    .selectFrom("pages")
    .selectAll()
    .where("slug", "=", slug)
    .where("status", "=", "Published")
    .executeTakeFirst();
}

const statusOf = prepare((db, { codeId }: { codeId: string }) =>
  db.selectFrom("pages").select("status").where("code_id", "=", codeId),
);

/** Status of the page that a code leads to, if it leads to one. */
export async function findPageStatus(db: Db, codeId: string): Promise<string | undefined> {
  return (await firstOf(statusOf(db, { codeId })))?.status;
}

/** A page of a workspace's landing pages, newest first. */
export function readPages(db: Db, workspaceId: string, slice: Slice) {
  const found = db.selectFrom("pages").where("workspace_id", "=", workspaceId);
  return readSlice(found, found.selectAll().orderBy("created", "desc"), slice);
}

/** Refuses one landing page more than the plan allows (400). */
async function requirePageRoom(tx: Db, { pages }: Plan, caller: Caller): Promise<void> {
  if (pages === undefined) return;
  const rows = await tx
    .selectFrom("pages")
    .innerJoin("workspaces", "workspaces.id", "pages.workspace_id")
    .select("pages.id")
    .where("workspaces.account_id", "=", caller.accountId)
    .limit(pages)
    .execute();
  if (rows.length >= pages) throw refuseMore(pages, "landing page", "pages");
}

export interface NewPage {
  readonly page: PageRow;
  readonly code: CodeRow;
}

export async function insertPage(
  tx: Db,
  { plan }: Pick<Context, "plan">,
  { page, code, caller }: NewPage & { readonly caller: Caller },
): Promise<PageRow> {
  await requirePageRoom(tx, plan, caller);
  // Checked inside the transaction: of two at once, one gets the slug.
  if (await isHostedSlugTaken(tx, "pages", page)) {
    throw refuse.field("slug", "Must be neither taken nor reserved.");
  }
  await insertCode(tx, code);
  const moment = { ownerId: page.workspace_id, nowMs: page.created };
  const created = await toNewestMoment(tx, "pages", moment);
  const row = { ...page, created };
  await tx.insertInto("pages").values(row).execute();
  return row;
}
