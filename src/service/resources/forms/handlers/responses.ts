/** What respondents sent (docs/spec/api.md sections 2.11 and 4.7). */
import type { Context, Handlers } from "../../../context.ts";
import { toPage, toSlice } from "../../../http/paging.ts";
import type { FormResponseRow } from "../../../store/tables.ts";
import { requireForm } from "../rows.ts";
import { readResponses, type FieldAnswer } from "../rows/responses.ts";

function toResponseAnswer({ addresses }: Context, row: FormResponseRow): Record<string, unknown> {
  const answers = JSON.parse(row.answers) as FieldAnswer[];
  return {
    id: row.id,
    submitted_at: new Date(row.created).toISOString(),
    // Nothing is stored before a respondent sends the whole form.
    is_complete: true,
    completion_time_seconds: row.completion_s,
    field_responses: answers.map((answer) =>
      answer.field_type === "image" && typeof answer.value === "string"
        ? { ...answer, value: addresses.media(answer.value) }
        : answer,
    ),
  };
}

export function makeResponseHandlers(context: Context): Pick<Handlers, "listFormResponses"> {
  const { db } = context.store;
  return {
    async listFormResponses({ params, query, caller, url }) {
      const form = await requireForm(db, caller, params.form_id);
      const rows = await readResponses(db, form.id, toSlice(query));
      const results = rows.map((row) => toResponseAnswer(context, row));
      return toPage(url, query, {
        count: form.response_count,
        results,
        empty: "No responses yet.",
      });
    },
  };
}
