/** The states of a form (docs/spec/api.md section 3.1): Draft -> Published <-> Closed. */
import type { Caller } from "../../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../../context.ts";
import { ok, refuse, type Reply } from "../../../http/reply.ts";
import type { CodeRow, Db, FormRow } from "../../../store/tables.ts";
import { requireRoom } from "../../codes/rows/counts.ts";
import {
  checkDomain,
  insertCode,
  isHostedSlugTaken,
  isSlugTaken,
  makeCodeRow,
  makeSlug,
  refuseSlug,
} from "../../codes/rows/new-code.ts";
import {
  changeForm,
  readDraft,
  requireForm,
  toFormAnswer,
  toFormPath,
  type FormContent,
} from "../rows.ts";

/** What must hold before the draft goes live. */
function checkPublish({ plan }: Context, row: FormRow, draft: FormContent): void {
  if (row.status === "Closed") {
    throw refuse.whole("The form must be reopened before it is published again.");
  }
  if (draft.fields.length === 0) throw refuse.whole("The form must have fields to be published.");
  if (plan.paid === false && draft.fields.some(({ field_type: type }) => type === "image")) {
    throw refuse.whole("A form with an image field needs an active paid subscription (paid).");
  }
}

interface Publishing {
  readonly caller: Caller;
  readonly wantedSlug: string | null;
  /** The code to insert if the form has none. */
  readonly code: CodeRow;
}

/** The form's code and address; made when missing. */
async function takeCode(
  tx: Db,
  context: Context,
  { form, caller, wantedSlug, code }: Publishing & { readonly form: FormRow },
): Promise<Pick<FormRow, "code_id" | "slug">> {
  // The address stays: printed codes lead to it.
  if (form.slug !== null && wantedSlug !== null && wantedSlug !== form.slug) {
    throw refuse.field("slug", `Can't be changed: the form was published as ${form.slug}.`);
  }
  if (form.code_id !== null) return { code_id: form.code_id, slug: form.slug };
  await requireRoom(tx, context.plan, caller);
  if (form.slug === null) {
    const slug = code.slug ?? "";
    if (await isHostedSlugTaken(tx, "forms", { ...form, slug })) throw refuseSlug();
    const inserted = await insertCode(tx, { ...code, hosted_path: toFormPath(slug) });
    return { code_id: inserted.id, slug };
  }
  // The first code was deleted: the form keeps its address, with a free short link.
  const slug = (await isSlugTaken(tx, form.slug, form.workspace_id)) ? code.slug : form.slug;
  const inserted = await insertCode(tx, { ...code, slug, hosted_path: toFormPath(form.slug) });
  return { code_id: inserted.id, slug: form.slug };
}

async function publishForm(context: Context, { params, body, caller }: Call<"publishForm">) {
  const { store, addresses, clock } = context;
  checkDomain(addresses, body.domain);
  const found = await requireForm(store.db, caller, params.form_id);
  const wantedSlug = body.slug ?? null;
  const code = makeCodeRow(context, {
    workspace_id: found.workspace_id,
    dynamic: 1,
    slug: found.slug === null && wantedSlug !== null ? wantedSlug : await makeSlug(context),
    display_name: readDraft(found).title,
  });
  const row = await store.write(async (tx): Promise<FormRow> => {
    const form = await requireForm(tx, caller, params.form_id);
    const draft = readDraft(form);
    checkPublish(context, form, draft);
    const taken = await takeCode(tx, context, { form, caller, wantedSlug, code });
    const changed = {
      ...taken,
      status: "Published" as const,
      live: form.draft,
      modified: clock.nowMs(),
    };
    return changeForm(tx, form, changed);
  });
  return ok(await toFormAnswer(context, row));
}

/**
 * `Published` <-> `Closed`. A form in that state already is no fault: the request may be a repeated
 * one.
 */
async function toggle(
  context: Context,
  { params, caller }: Call<"closeForm" | "reopenForm">,
  status: "Published" | "Closed",
): Promise<Reply> {
  const { store, clock } = context;
  const row = await store.write(async (tx): Promise<FormRow> => {
    const form = await requireForm(tx, caller, params.form_id);
    if (form.status === status) return form;
    if (form.status === "Draft") throw refuse.whole("The form must be published first.");
    const changed = { status, modified: clock.nowMs() };
    return changeForm(tx, form, changed);
  });
  return ok(await toFormAnswer(context, row));
}

export function makeLifecycleHandlers(context: Context) {
  return {
    publishForm: (call) => publishForm(context, call),
    closeForm: (call) => toggle(context, call, "Closed"),
    reopenForm: (call) => toggle(context, call, "Published"),
  } satisfies Partial<Handlers>;
}
