/** Responses as stored. */
import type { FieldType, FormResponse } from "../../../../api/form.ts";
import type { Ticket } from "../../../auth/ticket.ts";
import type { Context } from "../../../context.ts";
import type { Slice } from "../../../http/paging.ts";
import { toNewestMoment } from "../../../store/newest.ts";
import type { Rows } from "../../../store/store.ts";
import type { Db, FormResponseRow } from "../../../store/tables.ts";

/**
 * text, email, phone, textarea, select, radio, url: string; date `YYYY-MM-DD`; time `HH:MM`; number,
 * rating, scale: number; yes_no: boolean; checkbox: array of values; image: name of the media file;
 * null: not answered.
 */
export type AnswerValue = string | number | boolean | readonly string[] | null;

export interface FieldAnswer {
  readonly field_id: string;
  readonly field_label: string;
  readonly field_type: FieldType;
  readonly value: AnswerValue;
}

export interface NewResponse {
  readonly formId: string;
  readonly ticket: Ticket;
  readonly answers: readonly FieldAnswer[];
}

/** A response as the API and webhooks show it (docs/spec/api.md section 2.11). */
export function toResponseRecord(
  { addresses }: Pick<Context, "addresses">,
  row: FormResponseRow,
): FormResponse {
  const answers = JSON.parse(row.answers) as FieldAnswer[];
  return {
    id: row.id,
    submitted_at: new Date(row.created).toISOString(),
    // Responses are stored only when they are complete.
    is_complete: true,
    completion_time_seconds: row.completion_s,
    field_responses: answers.map((answer) =>
      answer.field_type === "image" && typeof answer.value === "string"
        ? { ...answer, value: addresses.media(answer.value) }
        : { ...answer },
    ),
  };
}

/**
 * Stores a response on the disk. `closed`: the form takes no more; `again`: its page was sent
 * before. `tell` is called inside the transaction.
 */
export function storeResponse(
  { store, clock, ids }: Context,
  { formId, ticket, answers }: NewResponse,
  tell: (rows: Rows, row: FormResponseRow) => Promise<void>,
): Promise<"stored" | "again" | "closed"> {
  const nowMs = clock.nowMs();
  const response = {
    id: ids.uuid(),
    form_id: formId,
    ticket: ticket.nonce,
    completion_s: Math.max(0, Math.round((nowMs - ticket.issuedMs) / 1000)),
    answers: JSON.stringify(answers),
  };
  return store.write(async (tx, rows) => {
    const forms = tx.selectFrom("forms").select("status").where("id", "=", formId);
    if ((await forms.executeTakeFirst())?.status !== "Published") return "closed";
    const same = tx.selectFrom("form_responses").select("id").where("ticket", "=", ticket.nonce);
    if ((await same.executeTakeFirst()) !== undefined) return "again";
    const created = await toNewestMoment(tx, "form_responses", { ownerId: formId, nowMs });
    const row = { ...response, created };
    await tx.insertInto("form_responses").values(row).execute();
    await tx
      .updateTable("forms")
      .set((set) => ({ response_count: set("response_count", "+", 1) }))
      .where("id", "=", formId)
      .execute();
    await tell(rows, row);
    return "stored";
  });
}

/** A page of a form's responses, newest first. */
export function readResponses(
  db: Db,
  formId: string,
  { limit, offset }: Slice,
): Promise<FormResponseRow[]> {
  return db
    .selectFrom("form_responses")
    .selectAll()
    .where("form_id", "=", formId)
    .orderBy("created", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}
