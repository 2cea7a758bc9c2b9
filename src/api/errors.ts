import { z } from "zod";

/** Body of 401, 403, 404, 405, 409, 415, 422, 429 and 500: one sentence. */
export const DetailBody = z.looseObject({ detail: z.string() });
export type DetailBody = z.infer<typeof DetailBody>;

/** Field -> its messages; nested shapes nest. */
export interface FieldErrors {
  [field: string]: readonly string[] | FieldErrors;
}

/** Body of 400. What belongs to no field stands under `non_field_errors`. */
export const FieldErrorsBody: z.ZodType<FieldErrors> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(z.string()), FieldErrorsBody])),
);

export const NON_FIELD = "non_field_errors";

/** `vcard.first_name: This field is required.` for every message of a 400 body, in its order. */
export function listFieldErrors(errors: FieldErrors, prefix = ""): string[] {
  return Object.entries(errors).flatMap(([field, value]) => {
    const place = prefix === "" ? field : `${prefix}.${field}`;
    if (!isMessages(value)) return listFieldErrors(value, place);
    const about = field === NON_FIELD ? prefix : place;
    return value.map((message) => (about === "" ? message : `${about}: ${message}`));
  });
}

function isMessages(value: readonly string[] | FieldErrors): value is readonly string[] {
  return Array.isArray(value);
}

/** The sentences of any error body that a server of this API may send, ours or another's. */
export function readErrorBody(body: unknown): string[] {
  const detail = DetailBody.safeParse(body);
  if (detail.success) return [detail.data.detail];
  const fields = FieldErrorsBody.safeParse(body);
  return fields.success ? listFieldErrors(fields.data) : [];
}
