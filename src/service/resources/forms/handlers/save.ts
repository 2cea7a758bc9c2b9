/**
 * Editing a form: fields, settings, logo (docs/spec/api.md sections 3.1 and 4.7). Respondents see
 * changes only once they are published.
 */
import type { FieldErrors } from "../../../../api/errors.ts";
import { formSettings, TEMPORARY_ID, type FormFieldGiven } from "../../../../api/form.ts";
import { sha256, toBase32 } from "../../../../base/ids/ids.ts";
import type { Caller } from "../../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../../context.ts";
import { ok, refuse, type Reply } from "../../../http/reply.ts";
import type { FormRow } from "../../../store/tables.ts";
import { foldText } from "../../../store/text.ts";
import {
  changeForm,
  isChoice,
  readDraft,
  requireForm,
  toFormAnswer,
  type FormContent,
  type FormField,
} from "../rows.ts";

/** A new field gets an id; an id must be that of a field of the form. */
function toField({ ids }: Context, given: FormFieldGiven): FormField {
  const { id, field_type, label, required, placeholder, options } = given;
  return {
    id: id.startsWith(TEMPORARY_ID) ? ids.uuid() : id,
    field_type,
    label,
    required,
    placeholder: placeholder ?? null,
    ...(isChoice(given) ? { options: options ?? [] } : {}),
  };
}

function checkIds(draft: FormContent, given: readonly FormFieldGiven[]): void {
  const known = new Set(draft.fields.map(({ id }) => id));
  const faults = given.flatMap(({ id }, index) =>
    id.startsWith(TEMPORARY_ID) || known.has(id)
      ? []
      : [[String(index), { id: [`Must be a field of the form, or begin with ${TEMPORARY_ID}.`] }]],
  );
  if (faults.length === 0) return;
  throw refuse.fields({ fields: Object.fromEntries(faults) as FieldErrors });
}

const textSettings: ReadonlySet<string> = new Set(["description", "thank_you_message"]);

/** A field left out keeps its value; null resets it. */
function toContent(context: Context, draft: FormContent, body: Call<"saveForm">["body"]) {
  checkIds(draft, body.fields);
  const changed = formSettings
    .filter((name) => body[name] !== undefined)
    .map((name) => [name, body[name] ?? (textSettings.has(name) ? "" : null)]);
  return {
    ...draft,
    ...(Object.fromEntries(changed) as Partial<FormContent>),
    title: body.title ?? draft.title,
    fields: body.fields.map((field) => toField(context, field)),
  };
}

/** Changes the draft in one transaction; answers the whole form. */
async function edit(
  context: Context,
  { caller, id }: { readonly caller: Caller; readonly id: string },
  change: (draft: FormContent) => FormContent,
): Promise<Reply> {
  const row = await context.store.write(async (tx): Promise<FormRow> => {
    const before = await requireForm(tx, caller, id);
    const draft = change(readDraft(before));
    const changed = {
      draft: JSON.stringify(draft),
      title_key: foldText(draft.title),
      modified: context.clock.nowMs(),
    };
    return changeForm(tx, before, changed);
  });
  return ok(await toFormAnswer(context, row));
}

const NAME_CHARACTERS = 32;

/** Stores the image behind the address; answers the file's name. */
async function fetchLogo({ logos, media }: Context, url: string): Promise<string> {
  const png = await logos.pngFromUrl(url);
  const name = `${toBase32(Buffer.from(sha256(png), "hex")).slice(0, NAME_CHARACTERS)}.png`;
  if (!(await media.has(name))) await media.save(name, png, true);
  return name;
}

export function makeSaveHandlers(context: Context) {
  return {
    saveForm: ({ params, body, caller }) =>
      edit(context, { caller, id: params.form_id }, (draft) => toContent(context, draft, body)),

    async setFormLogo({ params, body, caller }) {
      // No fetch for a form of another account.
      await requireForm(context.store.db, caller, params.form_id);
      const logo = await fetchLogo(context, body.logo_url);
      return edit(context, { caller, id: params.form_id }, (draft) => ({ ...draft, logo }));
    },
  } satisfies Partial<Handlers>;
}
