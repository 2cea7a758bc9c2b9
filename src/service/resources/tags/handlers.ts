/** Tags: docs/spec/api.md sections 2.5 and 4.2. */

import { requireWorkspace } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { ok, refuse } from "../../http/reply.ts";
import type { Db } from "../../store/tables.ts";
import { requireCode, toCodeAnswer } from "../codes/rows.ts";
import { findTagId, readTagPage, resolveTag, tagCode, toTagAnswer, untagCode } from "./rows.ts";

async function addTags(context: Context, tx: Db, { params, body, caller }: Call<"addTags">) {
  const code = await requireCode(tx, caller, params.qr_code_id);
  for (const wanted of body) {
    const tagId = await resolveTag(context, tx, { workspaceId: code.workspace_id, wanted });
    await tagCode(tx, code.id, tagId);
  }
  return ok(await toCodeAnswer(context, tx, { row: code }));
}

async function removeTag(context: Context, tx: Db, { params, caller }: Call<"removeTag">) {
  const code = await requireCode(tx, caller, params.qr_code_id);
  const tagId =
    (await findTagId(tx, code.workspace_id, { id: params.tag })) ??
    (await findTagId(tx, code.workspace_id, { slug: params.tag }));
  if (tagId === undefined) throw refuse.notFound();
  await untagCode(tx, code.id, tagId);
  return ok(await toCodeAnswer(context, tx, { row: code }));
}

async function listTags({ store }: Context, { params, query, caller, url }: Call<"listTags">) {
  const workspaceId = await requireWorkspace(store.db, caller, params.workspace_id);
  const { count, rows } = await readTagPage(store.db, workspaceId, toSlice(query));
  return toPage(url, query, { count, results: rows.map(toTagAnswer), empty: "No tags found." });
}

export function makeTagHandlers(context: Context) {
  const { store } = context;
  return {
    listTags: (call) => listTags(context, call),
    addTags: (call) => store.write((tx) => addTags(context, tx, call)),
    removeTag: (call) => store.write((tx) => removeTag(context, tx, call)),
  } satisfies Partial<Handlers>;
}
