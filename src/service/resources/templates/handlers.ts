/** Templates: docs/spec/api.md section 2.3. */
import { requireWorkspace } from "../../auth/accounts.ts";
import type { Context, Handlers } from "../../context.ts";
import { toDesignAnswer } from "../../designs/design-fields.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { readTemplates, type TemplateEntry } from "./rows.ts";

/** The text of a preview's code. */
const PREVIEW_TEXT = "https://example.com/preview";

export function makeTemplateHandlers(context: Context) {
  const { store, drawings, artwork, addresses } = context;

  const toAnswer = async ({ id, title, design, isDefault }: TemplateEntry) => {
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
      const all = await readTemplates(context, workspaceId);
      const { limit, offset } = toSlice(query);
      const results = await Promise.all(all.slice(offset, offset + limit).map(toAnswer));
      return toPage(url, query, { count: all.length, results, empty: "No templates found." });
    },
  } satisfies Partial<Handlers>;
}
