/** Tags as stored, and which codes have which. */
import type { Context } from "../../context.ts";
import type { Slice } from "../../http/paging.ts";
import { refuse } from "../../http/reply.ts";
import { readSlice } from "../../store/slices.ts";
import type { Db, TagRow } from "../../store/tables.ts";
import { findFreeSlug, foldText, toSlugBase } from "../../store/text.ts";

type Answer = Record<string, unknown>;

export const toTagAnswer = ({
  id,
  title,
  slug,
}: Pick<TagRow, "id" | "title" | "slug">): Answer => ({
  id,
  title,
  slug,
});

type TagKey = { readonly id: string } | { readonly slug: string } | { readonly title_key: string };

export async function findTagId(
  db: Db,
  workspaceId: string,
  key: TagKey,
): Promise<string | undefined> {
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
export async function resolveTag(
  { ids }: Pick<Context, "ids">,
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

/** Tags of codes, by title: code id -> its tags. */
export async function readTags(db: Db, codeIds: readonly string[]): Promise<Map<string, Answer[]>> {
  const found = new Map<string, Answer[]>(codeIds.map((id) => [id, []]));
  if (codeIds.length === 0) return found;
  const rows = await db
    .selectFrom("code_tags")
    .innerJoin("tags", "tags.id", "code_tags.tag_id")
    .select(["code_tags.code_id", "tags.id", "tags.title", "tags.slug"])
    .where("code_tags.code_id", "in", codeIds)
    .orderBy("tags.title_key")
    .execute();
  for (const { code_id: codeId, ...tag } of rows) found.get(codeId)?.push(toTagAnswer(tag));
  return found;
}

/** Tagging a code twice changes nothing. */
export async function tagCode(tx: Db, codeId: string, tagId: string): Promise<void> {
  await tx
    .insertInto("code_tags")
    .values({ code_id: codeId, tag_id: tagId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removing a tag that isn't on the code is no fault: the request may be a repeated one. */
export async function untagCode(tx: Db, codeId: string, tagId: string): Promise<void> {
  await tx
    .deleteFrom("code_tags")
    .where("code_id", "=", codeId)
    .where("tag_id", "=", tagId)
    .execute();
}

/** A page of a workspace's tags, by title. */
export function readTagPage(db: Db, workspaceId: string, slice: Slice) {
  const found = db.selectFrom("tags").where("workspace_id", "=", workspaceId);
  return readSlice(found, found.select(["id", "title", "slug"]).orderBy("title_key"), slice);
}
