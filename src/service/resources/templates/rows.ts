/** The templates of a workspace: saved ones, those in its data folder, and the built-in ones. */
import type { Context } from "../../context.ts";
import type { Template } from "../../designs/built-in.ts";
import type { StoredDesign } from "../../designs/stored-design.ts";
import { refuse } from "../../http/reply.ts";
import type { Db } from "../../store/tables.ts";

export interface TemplateEntry extends Template {
  readonly isDefault: boolean;
}

type Parts = Pick<Context, "store" | "builtIn" | "ownTemplates">;

async function readSaved(db: Db, workspaceId: string): Promise<Template[]> {
  const rows = await db
    .selectFrom("templates")
    .select(["id", "title", "design"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id, title, design }) => ({
    id,
    title,
    design: JSON.parse(design) as StoredDesign,
  }));
}

/**
 * The workspace's own templates, then the built-in ones, except those with an id that an own one has.
 */
export async function readTemplates(
  { store, builtIn, ownTemplates }: Parts,
  workspaceId: string,
): Promise<TemplateEntry[]> {
  const saved = await readSaved(store.db, workspaceId);
  const own = [...saved, ...(ownTemplates.get(workspaceId) ?? [])];
  const ids = new Set(own.map(({ id }) => id));
  return [
    ...own.map((template) => ({ ...template, isDefault: false })),
    ...builtIn
      .filter(({ id }) => !ids.has(id))
      .map((template) => ({ ...template, isDefault: true })),
  ];
}

/** The design of a workspace's or a built-in template; an unknown one is a 400. */
export async function findTemplateDesign(
  { store, builtIn, ownTemplates }: Parts,
  workspaceId: string,
  id: string,
): Promise<StoredDesign> {
  const own = await store.db
    .selectFrom("templates")
    .select("design")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (own !== undefined) return JSON.parse(own.design) as StoredDesign;
  const files = [...(ownTemplates.get(workspaceId) ?? []), ...builtIn];
  const found = files.find((template) => template.id === id);
  if (found === undefined) throw refuse.field("template", "Must be the id of a template.");
  return found.design;
}
