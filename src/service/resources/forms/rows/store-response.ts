import type { Context } from "../../../context.ts";
import { toNewestMoment } from "../../../store/newest.ts";
import type { FieldAnswer } from "../handlers/responses.ts";
import type { Ticket } from "../../../auth/ticket.ts";

export interface NewResponse {
  readonly formId: string;
  readonly ticket: Ticket;
  readonly answers: readonly FieldAnswer[];
}

/**
 * Stores a response durably: `closed` when the form takes none any more, `again` when its page was
 * sent before.
 */
export function storeResponse(
  { store, clock, ids }: Context,
  { formId, ticket, answers }: NewResponse,
): Promise<"stored" | "again" | "closed"> {
  const nowMs = clock.nowMs();
  const response = {
    id: ids.uuid(),
    form_id: formId,
    ticket: ticket.nonce,
    completion_s: Math.max(0, Math.round((nowMs - ticket.issuedMs) / 1000)),
    answers: JSON.stringify(answers),
  };
  return store.write(async (tx) => {
    const forms = tx.selectFrom("forms").select("status").where("id", "=", formId);
    if ((await forms.executeTakeFirst())?.status !== "Published") return "closed";
    const same = tx.selectFrom("form_responses").select("id").where("ticket", "=", ticket.nonce);
    if ((await same.executeTakeFirst()) !== undefined) return "again";
    const created = await toNewestMoment(tx, "form_responses", { ownerId: formId, nowMs });
    await tx
      .insertInto("form_responses")
      .values({ ...response, created })
      .execute();
    await tx
      .updateTable("forms")
      .set((set) => ({ response_count: set("response_count", "+", 1) }))
      .where("id", "=", formId)
      .execute();
    return "stored";
  });
}
