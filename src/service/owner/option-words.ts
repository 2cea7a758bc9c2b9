/** What people read where they chose an answer of a form: responses hold the stored values. */
import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";
import { type FormContent, readDraft, readLive, requireForm } from "../resources/forms/rows.ts";

/** Field id -> stored value -> words. */
export type OptionWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

const toWords = ({ fields }: FormContent) =>
  fields.flatMap(({ id, options = [] }) =>
    options.map(({ value, label }) => ({ id, value, label })),
  );

/** Those of the form as it is published, then those of its draft; 404 for one of another account. */
export async function readOptionWords(
  { store }: Pick<Context, "store">,
  caller: Caller,
  formId: string,
): Promise<OptionWords> {
  const form = await requireForm(store.db, caller, formId);
  const live = readLive(form);
  const words = new Map<string, Map<string, string>>();
  for (const content of [readDraft(form), ...(live === undefined ? [] : [live])]) {
    for (const { id, value, label } of toWords(content)) {
      const ofField = words.get(id) ?? new Map<string, string>();
      words.set(id, ofField.set(value, label));
    }
  }
  return words;
}
