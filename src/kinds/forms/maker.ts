/**
 * Forms: made, saved, published (docs/spec/api.md section 4.7). Only the making is not a set-value.
 */
import { isCarriable } from "../../api/carried.ts";
import type { ToldCode } from "../../api/code.ts";
import {
  TEMPORARY_ID,
  type Form,
  type FormCreate,
  type FormItem,
  type FormSave,
} from "../../api/form.ts";
import { limits } from "../../api/limits.ts";
import { AppError } from "../../base/errors.ts";
import { toWishHashes } from "../../plan/hash.ts";
import type { MadeFirst } from "../../state/row-journal.ts";
import type { RowParts, StateRow, Wanted, WantedField, WantedForm } from "../../state/row.ts";
import { toSentWish } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import type { Maker } from "../../run/maker.ts";

function formOf({ form }: Wanted): WantedForm {
  if (form === undefined) throw new AppError("bug", "a form job must have forms");
  return form;
}

function toBody(env: RunEnvironment, row: StateRow): FormCreate {
  const { title, settings } = formOf(toSentWish(row));
  const { description } = settings;
  return {
    workspace: env.settings.workspace,
    title,
    ...(description !== undefined && { description }),
  };
}

/** A new form has a title and nothing else. */
function toMadeFirst(row: StateRow): MadeFirst {
  const wish = toSentWish(row);
  const form: WantedForm = { ...formOf(wish), settings: {}, fields: [], logo: null, isDraft: true };
  const wanted = { ...wish, form };
  const { wantedHash, designHash } = toWishHashes(wanted);
  return { wanted, wantedHash, designHash };
}

const toItem = (form: FormItem): ToldCode => ({
  id: form.id,
  display_name: form.title ?? null,
  qr_type: "Link",
  qr_data: null,
  dynamic: true,
  created: form.created ?? "",
  folder: null,
});

const isSameField = (a: WantedField, b: WantedField): boolean =>
  a.field_type === b.field_type && a.label === b.label;

/**
 * Ids of the fields: a field that was there keeps its own, so that its answers stay with it. Fields
 * are told apart by type and label, then by type and place.
 */
export function toFieldIds(
  wanted: readonly WantedField[],
  made: readonly WantedField[],
  ids: readonly string[],
): string[] {
  const free = new Map(
    made.flatMap((_field, at) => (ids[at] === undefined ? [] : [[at, ids[at]]])),
  );
  const take = (at: number): string | undefined => {
    const id = free.get(at);
    free.delete(at);
    return id;
  };
  const found = wanted.map((field) => {
    const at = made.findIndex((one, index) => free.has(index) && isSameField(one, field));
    return at < 0 ? undefined : take(at);
  });
  return found.map((id, at) => {
    const isRenamed = made[at]?.field_type === wanted[at]?.field_type;
    return id ?? (isRenamed ? take(at) : undefined) ?? `${TEMPORARY_ID}${at + 1}`;
  });
}

/** Settings that were there and are wanted no more are emptied; one that is never given is left alone. */
function toSettings(wanted: WantedForm, made: WantedForm | undefined): Record<string, string> {
  const gone = Object.keys(made?.settings ?? {}).filter((name) => !(name in wanted.settings));
  return { ...Object.fromEntries(gone.map((name) => [name, ""])), ...wanted.settings };
}

function toSave(row: StateRow): FormSave {
  const wanted = formOf(row.wanted);
  const made = row.made?.form;
  const ids = toFieldIds(wanted.fields, made?.fields ?? [], row.parts.fieldIds ?? []);
  const fields = wanted.fields.map(({ options, placeholder, ...field }, at) => ({
    id: ids[at] ?? `${TEMPORARY_ID}${at + 1}`,
    ...field,
    ...(placeholder !== null && { placeholder }),
    ...(options !== null && { options: options.map((option) => ({ ...option })) }),
  }));
  return { fields, title: wanted.title, ...toSettings(wanted, made) } as FormSave;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function toParts(form: Form): RowParts {
  const codeId = textOf(form["qr_id"]);
  const url = textOf(form.share_url);
  const fieldIds = form.fields?.map(({ id }) => id);
  return {
    ...(codeId !== undefined && { codeId }),
    ...(url !== undefined && { url }),
    ...(fieldIds !== undefined && { fieldIds }),
  };
}

/** A form that is saved as wanted, but not published yet. */
const toSavedHash = (row: StateRow): string => `saved ${row.wantedHash}`;

async function save({ client, state }: RunEnvironment, row: StateRow, id: string): Promise<void> {
  if (row.madeHash === toSavedHash(row)) return;
  const saved = await client.saveForm(id, toSave(row));
  if (saved !== undefined) state.journal.keepParts(row.key, toParts(saved));
  const { logo } = formOf(row.wanted);
  if (logo !== null && logo !== row.made?.form?.logo)
    await client.setFormLogo(id, { logo_url: logo });
  const draft: Wanted = { ...row.wanted, form: { ...formOf(row.wanted), isDraft: true } };
  state.journal.updated(row.key, draft, toSavedHash(row));
}

async function publish(env: RunEnvironment, row: StateRow, id: string): Promise<void> {
  const { slug } = formOf(row.wanted);
  const { domain } = row.wanted;
  const form = await env.client.publishForm(id, {
    ...(slug !== null && { slug }),
    ...(domain !== null && { domain }),
  });
  const { journal } = env.state;
  journal.keepParts(row.key, toParts(form));
  const told = form.shortlink_url ?? form.share_url ?? null;
  const shortLink = told !== null && isCarriable(told) ? told : null;
  journal.shown(row.key, shortLink, form.qr_code_svg ?? null);
  journal.updated(row.key, row.wanted, row.wantedHash);
}

export function makeFormMaker(env: RunEnvironment): Maker {
  const { client } = env;
  return {
    pageSize: limits.maxFormPageSize,
    toBody: (row) => toBody(env, row),
    create: (body, options) => client.create("createForm", body as FormCreate, options),
    toMadeFirst,
    async list(query) {
      const page = await client.listForms(query);
      return { ...page, results: page.results.map(toItem) };
    },
    isListed: (id) => client.hasForm(id),
    async change(row, id) {
      await save(env, row, id);
      await publish(env, row, id);
    },
  };
}
