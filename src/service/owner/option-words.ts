/** What the options of a form are called now: responses hold their stored values. */
import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";
import { readLive, requireForm } from "../resources/forms/rows.ts";

/** Field id -> stored value -> words. */
export type OptionWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Those of the form as it is published; 404 for one of another account. */
export async function readOptionWords(
  { store }: Pick<Context, "store">,
  caller: Caller,
  formId: string,
): Promise<OptionWords> {
  const form = await requireForm(store.db, caller, formId);
  const fields = readLive(form)?.fields ?? [];
  return new Map(
    fields.map(({ id, options = [] }) => [
      id,
      new Map(options.map(({ value, label }) => [value, label])),
    ]),
  );
}
