/** Templates: api-v2.md 2.3. */
import { requireWorkspace } from "../../auth/accounts.ts";
import type { Context, Handlers } from "../../context.ts";
import { checkStoredDesign, type StoredDesign } from "../../designs/drawing.ts";
import { toDesignAnswer } from "../../designs/design-fields.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { refuse } from "../../http/reply.ts";
import type { Db } from "../../store/tables.ts";
import type { Template } from "../../designs/built-in.ts";

interface Entry extends Template {
  readonly isDefault: boolean;
}

/** What a preview's code says. */
const PREVIEW_TEXT = "https://example.com/preview";

/** Saves a design as a template of the workspace; answers its id. */
export async function saveTemplate(
  { store, ids, clock }: Pick<Context, "store" | "ids" | "clock">,
  workspaceId: string,
  { title, design }: { readonly title: string; readonly design: StoredDesign },
): Promise<string> {
  checkStoredDesign(design);
  const id = ids.uuid();
  const row = { id, workspace_id: workspaceId, title, design: JSON.stringify(design) };
  await store.write((tx) =>
    tx
      .insertInto("templates")
      .values({ ...row, created: clock.nowMs() })
      .execute(),
  );
  return id;
}

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

/** The workspace's own, then the built-in ones but those that it has one of the same id of. */
async function readAll(
  { store, builtIn, ownTemplates }: Context,
  workspaceId: string,
): Promise<Entry[]> {
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

/** The design of a template of the workspace or a built-in one; an unknown one is a 400. */
export async function findTemplateDesign(
  { store, builtIn, ownTemplates }: Pick<Context, "store" | "builtIn" | "ownTemplates">,
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

export function makeTemplateHandlers(context: Context): Pick<Handlers, "listTemplates"> {
  const { store, drawings, artwork, addresses } = context;

  const toAnswer = async ({ id, title, design, isDefault }: Entry) => {
    const drawing = { text: PREVIEW_TEXT, design };
    return {
      id,
      title,
      ...toDesignAnswer(await drawings.resolve(design)),
      preview: addresses.media(await artwork.make("svg", { codeId: `template ${id}`, drawing })),
      is_default: isDefault,
    };
  };

  return {
    async listTemplates({ params, query, caller, url }) {
      const workspaceId = await requireWorkspace(store.db, caller, params.workspace_id);
      const all = await readAll(context, workspaceId);
      const { limit, offset } = toSlice(query);
      const results = await Promise.all(all.slice(offset, offset + limit).map(toAnswer));
      return toPage(url, query, { count: all.length, results, empty: "No templates found." });
    },
  };
}
