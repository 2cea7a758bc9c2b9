/** GS1 products: docs/spec/api.md sections 2.12 and 4.9. */
import { requireWorkspace } from "../../auth/accounts.ts";
import { writeAs } from "../../auth/write-as.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { noContent, ok, refuse } from "../../http/reply.ts";
import type { Db, ProductRow } from "../../store/tables.ts";
import { makeProductLinkHandlers } from "./handlers/links.ts";
import { makeLinksetHandlers } from "./handlers/linkset.ts";
import {
  changeProduct,
  dropProduct,
  findByPath,
  openStem,
  readProductAnswer,
  readProducts,
  registerProduct,
  requireProduct,
  requireRightProduct,
  toIdentityFields,
  toLink,
  toProductAnswer,
} from "./rows.ts";
import { readProductLinks } from "./rows/product-links.ts";

async function createProduct(context: Context, call: Call<"createProduct">) {
  const { body, caller, onlyMakes } = call;
  const { store } = context;
  const workspaceId = await requireWorkspace(store.db, caller, body.workspace);
  return writeAs(context, caller, async (tx) => {
    const { row, isNew } = await registerProduct(tx, context, {
      workspaceId,
      identity: body,
      destinationUrl: body.destination_url,
      destinationTitle: body.destination_title,
      onlyMakes,
    });
    return { status: isNew ? 201 : 200, body: await readProductAnswer(tx, row) };
  });
}

async function listProducts({ store }: Context, call: Call<"listProducts">) {
  const { params, query, caller, url } = call;
  const { db } = store;
  const workspaceId = await requireWorkspace(db, caller, params.workspace_id);
  const { count, rows } = await readProducts(db, workspaceId, toSlice(query));
  const links = await readProductLinks(
    db,
    rows.map(({ id }) => id),
  );
  return toPage(url, query, {
    count,
    results: rows.map((row) => toProductAnswer(row, links.get(row.id) ?? [])),
    empty: "No products found.",
  });
}

const pick = <T>(given: T | undefined, old: T): T => (given === undefined ? old : given);

/** The product after the update, to be checked as a whole. */
function merge(row: ProductRow, patch: Call<"updateProduct">["body"]) {
  const merged = {
    identifier_type: patch.identifier_type ?? toLink(row).type,
    identifier_value: patch.identifier_value ?? row.identifier_value,
    batch_lot: pick(patch.batch_lot, row.batch_lot),
    serial_number: pick(patch.serial_number, row.serial_number),
    expiry_date: pick(patch.expiry_date, row.expiry_date),
  };
  requireRightProduct(merged);
  return merged;
}

async function applyPatch(tx: Db, context: Context, call: Call<"updateProduct">) {
  const before = await requireProduct(tx, call.caller, call.params.product_id);
  const stem = await openStem(tx, context, before.workspace_id);
  const fields = toIdentityFields(stem, merge(before, call.body));
  const other = await findByPath(tx, fields.path);
  if (other !== undefined && other.id !== before.id) {
    throw refuse.whole("Another product of the workspace has this identifier, batch and serial.");
  }
  const row = await changeProduct(tx, before, fields);
  return ok(await readProductAnswer(tx, row));
}

async function deleteProduct({ store }: Context, { params, caller }: Call<"deleteProduct">) {
  await store.write(async (tx) => {
    const { id } = await requireProduct(tx, caller, params.product_id);
    await dropProduct(tx, id);
  });
  return noContent;
}

export function makeProductHandlers(context: Context) {
  const { store } = context;
  return {
    createProduct: (call) => createProduct(context, call),
    listProducts: (call) => listProducts(context, call),
    async getProduct({ params, caller }) {
      const row = await requireProduct(store.db, caller, params.product_id);
      return ok(await readProductAnswer(store.db, row));
    },
    updateProduct: (call) => writeAs(context, call.caller, (tx) => applyPatch(tx, context, call)),
    deleteProduct: (call) => deleteProduct(context, call),
    ...makeProductLinkHandlers(context),
    ...makeLinksetHandlers(context),
  } satisfies Partial<Handlers>;
}
