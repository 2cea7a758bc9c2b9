/** What respondents sent (docs/spec/api.md sections 2.11 and 4.7). */
import type { Context, Handlers } from "../../../context.ts";
import { toPage, toSlice } from "../../../http/paging.ts";
import { requireForm } from "../rows.ts";
import { readResponses, toResponseRecord } from "../rows/responses.ts";

export function makeResponseHandlers(context: Context) {
  const { db } = context.store;
  return {
    async listFormResponses({ params, query, caller, url }) {
      const form = await requireForm(db, caller, params.form_id);
      const rows = await readResponses(db, form.id, toSlice(query));
      const results = rows.map((row) => toResponseRecord(context, row));
      return toPage(url, query, {
        count: form.response_count,
        results,
        empty: "No responses yet.",
      });
    },
  } satisfies Partial<Handlers>;
}
