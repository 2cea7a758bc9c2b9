/** Forms as the store holds them and as the API answers them (docs/spec/api.md section 2.11). */
import { sql } from "kysely";

import { choiceTypes, type FieldType } from "../../../api/form.ts";
import { FORM_PATH } from "../../addresses.ts";
import { requireOwned, type Caller } from "../../auth/accounts.ts";
import type { Context } from "../../context.ts";
import type { Slice } from "../../http/paging.ts";
import { toNewestMoment } from "../../store/newest.ts";
import { readSlice } from "../../store/slices.ts";
import type { Db, FormRow } from "../../store/tables.ts";
import { toContains } from "../../store/text.ts";
import { readCodesById, toDrawing } from "../codes/rows.ts";

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** One field with its real id. */
export interface FormField {
  readonly id: string;
  readonly field_type: FieldType;
  readonly label: string;
  readonly required: boolean;
  readonly placeholder: string | null;
  /** Only for choices. */
  readonly options?: readonly FieldOption[];
}

/** Everything that is edited, and published together. */
export interface FormContent {
  readonly title: string;
  readonly description: string;
  readonly redirect_url: string | null;
  readonly thank_you_message: string;
  readonly bg_color: string | null;
  readonly text_color: string | null;
  readonly button_color: string | null;
  readonly button_text_color: string | null;
  /** Name of the media file. */
  readonly logo: string | null;
  readonly fields: readonly FormField[];
}

export const emptyContent = {
  redirect_url: null,
  thank_you_message: "",
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  logo: null,
  fields: [],
} as const satisfies Partial<FormContent>;

export const readDraft = (row: Pick<FormRow, "draft">): FormContent =>
  JSON.parse(row.draft) as FormContent;

/** The form as respondents see it; undefined until it is published. */
export const readLive = (row: Pick<FormRow, "live">): FormContent | undefined =>
  row.live === null ? undefined : (JSON.parse(row.live) as FormContent);

export const isChoice = ({ field_type: type }: Pick<FormField, "field_type">): boolean =>
  choiceTypes.has(type);

/** A form of the caller; one of another account is a 404 like an unknown one. */
export const requireForm = (db: Db, caller: Caller, id: string): Promise<FormRow> =>
  requireOwned(db, "forms", caller, id);

/** The form at an address, whatever its status. */
export function findFormBySlug(db: Db, slug: string): Promise<FormRow | undefined> {
  return db.selectFrom("forms").selectAll().where("slug", "=", slug).executeTakeFirst();
}

/** Inserts a form as the newest of its workspace; answers it with its moment of creation. */
export async function insertForm(tx: Db, row: FormRow): Promise<FormRow> {
  const moment = { ownerId: row.workspace_id, nowMs: row.created };
  const created = await toNewestMoment(tx, "forms", moment);
  const inserted = { ...row, created, modified: created };
  await tx.insertInto("forms").values(inserted).execute();
  return inserted;
}

export async function changeForm(
  tx: Db,
  row: FormRow,
  changed: Partial<FormRow>,
): Promise<FormRow> {
  await tx.updateTable("forms").set(changed).where("id", "=", row.id).execute();
  return { ...row, ...changed };
}

/** A page of a workspace's forms, newest first; `q` = only those with this text in their title. */
export function readForms(
  db: Db,
  { workspaceId, q }: { readonly workspaceId: string; readonly q: string },
  slice: Slice,
) {
  const all = db.selectFrom("forms").where("workspace_id", "=", workspaceId);
  const found =
    q === ""
      ? all
      : all.where(sql<boolean>`${sql.ref("forms.title_key")} like ${toContains(q)} escape '\\'`);
  return readSlice(found, found.selectAll().orderBy("created", "desc"), slice);
}

export const toFormPath = (slug: string): string => `${FORM_PATH}${slug}`;

export function toFormItem({ addresses }: Context, row: FormRow): Record<string, unknown> {
  return {
    id: row.id,
    title: readDraft(row).title,
    status: row.status,
    response_count: row.response_count,
    share_url: row.slug === null ? null : addresses.hosted(toFormPath(row.slug)),
    workspace: row.workspace_id,
    created: new Date(row.created).toISOString(),
    modified: new Date(row.modified).toISOString(),
  };
}

/** The whole form as it is edited, with its code once it is published. */
export async function toFormAnswer(
  context: Context,
  row: FormRow,
): Promise<Record<string, unknown>> {
  const { addresses, drawings, store } = context;
  const { logo, ...content } = readDraft(row);
  const [code] = await readCodesById(store.db, row.code_id === null ? [] : [row.code_id]);
  return {
    ...toFormItem(context, row),
    ...content,
    logo_url: logo === null ? null : addresses.media(logo),
    slug: row.slug,
    domain: row.slug === null ? null : new URL(addresses.publicUrl).host,
    qr_id: code?.id ?? null,
    shortlink_url: code === undefined ? null : addresses.shortLink(code.slug ?? ""),
    qr_code_svg: code === undefined ? null : await drawings.svg(toDrawing(context, code)),
  };
}
