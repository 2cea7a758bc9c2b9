/** Tags: api-v2.md 2.5 and 4.2. */

import { requireWorkspace } from "../../auth/accounts.ts";
import { requireCode, toCodeAnswer, toTagAnswer } from "../codes/rows.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { ok, refuse } from "../../http/reply.ts";
import type { Db } from "../../store/tables.ts";
import { findFreeSlug, foldText, toSlugBase } from "../../store/text.ts";

type TagHandlers = Pick<Handlers, "listTags" | "addTags" | "removeTag">;

type TagKey = { readonly id: string } | { readonly slug: string } | { readonly title_key: string };

async function findTagId(db: Db, workspaceId: string, key: TagKey): Promise<string | undefined> {
  const [column, value] = Object.entries(key)[0] as ["id" | "slug" | "title_key", string];
  const row = await db
    .selectFrom("tags")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where(column, "=", value)
    .executeTakeFirst();
  return row?.id;
}

interface TagWanted {
  readonly id?: string | null | undefined;
  readonly title?: string | null | undefined;
}

/** An existing tag by id (404 when unknown), or one by title, made when missing. */
async function resolveTag(
  { ids }: Context,
  tx: Db,
  { workspaceId, wanted }: { readonly workspaceId: string; readonly wanted: TagWanted },
): Promise<string> {
  if (wanted.id !== undefined && wanted.id !== null) {
    const known = await findTagId(tx, workspaceId, { id: wanted.id });
    if (known === undefined) throw refuse.notFound();
    return known;
  }
  const title = (wanted.title ?? "").trim();
  const existing = await findTagId(tx, workspaceId, { title_key: foldText(title) });
  if (existing !== undefined) return existing;
  const id = ids.uuid();
  const isTaken = async (slug: string) =>
    (await findTagId(tx, workspaceId, { slug })) !== undefined;
  const slug = await findFreeSlug(toSlugBase(title, "tag"), isTaken, ids);
  await tx
    .insertInto("tags")
    .values({ id, workspace_id: workspaceId, title, title_key: foldText(title), slug })
    .execute();
  return id;
}

async function addTags(context: Context, tx: Db, { params, body, caller }: Call<"addTags">) {
  const code = await requireCode(tx, caller, params.qr_code_id);
  for (const wanted of body) {
    const tagId = await resolveTag(context, tx, { workspaceId: code.workspace_id, wanted });
    await tx
      .insertInto("code_tags")
      .values({ code_id: code.id, tag_id: tagId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return ok(await toCodeAnswer(context, tx, code));
}

async function removeTag(context: Context, tx: Db, { params, caller }: Call<"removeTag">) {
  const code = await requireCode(tx, caller, params.qr_code_id);
  const tagId =
    (await findTagId(tx, code.workspace_id, { id: params.tag })) ??
    (await findTagId(tx, code.workspace_id, { slug: params.tag }));
  if (tagId === undefined) throw refuse.notFound();
  // A tag that isn't on the code is no fault: the request may be a repeated one.
  await tx
    .deleteFrom("code_tags")
    .where("code_id", "=", code.id)
    .where("tag_id", "=", tagId)
    .execute();
  return ok(await toCodeAnswer(context, tx, code));
}

async function listTags({ store }: Context, { params, query, caller, url }: Call<"listTags">) {
  const workspaceId = await requireWorkspace(store.db, caller, params.workspace_id);
  const inWorkspace = store.db.selectFrom("tags").where("workspace_id", "=", workspaceId);
  const { count } = await inWorkspace
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const { limit, offset } = toSlice(query);
  const rows = await inWorkspace
    .select(["id", "title", "slug"])
    .orderBy("title_key")
    .limit(limit)
    .offset(offset)
    .execute();
  return toPage(url, query, { count, results: rows.map(toTagAnswer), empty: "No tags found." });
}

export function makeTagHandlers(context: Context): TagHandlers {
  const { store } = context;
  return {
    listTags: (call) => listTags(context, call),
    addTags: (call) => store.write((tx) => addTags(context, tx, call)),
    removeTag: (call) => store.write((tx) => removeTag(context, tx, call)),
  };
}
