/** Forms: docs/spec/api.md sections 2.11 and 4.7. */
import { requireWorkspace } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import type { FormRow } from "../../store/tables.ts";
import { foldText } from "../../store/text.ts";
import { makeLifecycleHandlers } from "./handlers/lifecycle.ts";
import { makeResponseHandlers } from "./handlers/responses.ts";
import { makeSaveHandlers } from "./handlers/save.ts";
import {
  emptyContent,
  insertForm,
  readForms,
  toFormAnswer,
  toFormItem,
  type FormContent,
} from "./rows.ts";

async function createForm(context: Context, { body, caller, commit }: Call<"createForm">) {
  const { store, clock, ids } = context;
  const workspaceId = await requireWorkspace(store.db, caller, body.workspace);
  const { title } = body;
  const draft: FormContent = { ...emptyContent, title, description: body.description ?? "" };
  const nowMs = clock.nowMs();
  const row: FormRow = {
    id: ids.uuid(),
    workspace_id: workspaceId,
    created: nowMs,
    modified: nowMs,
    code_id: null,
    slug: null,
    status: "Draft",
    title_key: foldText(title),
    draft: JSON.stringify(draft),
    live: null,
    response_count: 0,
  };
  const answer = await toFormAnswer(context, row);
  return commit(async (tx) => {
    const inserted = await insertForm(tx, row);
    return { status: 200, body: { ...answer, ...toFormItem(context, inserted) } };
  });
}

async function listForms(context: Context, { query, caller, url }: Call<"listForms">) {
  const { db } = context.store;
  const workspaceId = await requireWorkspace(db, caller, query.workspace);
  const wanted = { workspaceId, q: query.q?.trim() ?? "" };
  const { count, rows } = await readForms(db, wanted, toSlice(query));
  const results = rows.map((row) => toFormItem(context, row));
  return toPage(url, query, { count, results, empty: "No forms found." });
}

export function makeFormHandlers(context: Context) {
  return {
    createForm: (call) => createForm(context, call),
    listForms: (call) => listForms(context, call),
    ...makeSaveHandlers(context),
    ...makeLifecycleHandlers(context),
    ...makeResponseHandlers(context),
  } satisfies Partial<Handlers>;
}
