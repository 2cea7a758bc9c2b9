/** What respondents sent (api-v2.md 2.11, 4.7). */
import type { FieldType } from "../../../../api/form.ts";
import type { Context, Handlers } from "../../../context.ts";
import { toPage, toSlice } from "../../../http/paging.ts";
import type { FormResponseRow } from "../../../store/tables.ts";
import { requireForm } from "../rows.ts";

/**
 * text, email, phone, textarea, select, radio, url: string; date `YYYY-MM-DD`; time `HH:MM`; number,
 * rating, scale: number; yes_no: boolean; checkbox: array of values; image: name of the media file;
 * null: not answered.
 */
export type AnswerValue = string | number | boolean | readonly string[] | null;

/** One answer, with the field as it was then. */
export interface FieldAnswer {
  readonly field_id: string;
  readonly field_label: string;
  readonly field_type: FieldType;
  readonly value: AnswerValue;
}

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
      const { limit, offset } = toSlice(query);
      const rows = await db
        .selectFrom("form_responses")
        .selectAll()
        .where("form_id", "=", form.id)
        .orderBy("created", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      const results = rows.map((row) => toResponseAnswer(context, row));
      return toPage(url, query, {
        count: form.response_count,
        results,
        empty: "No responses yet.",
      });
    },
  };
}
