/**
 * The product of a GS1 code: by its id, or made together with the code
 * (docs/spec/api.md section 4.1).
 */
import type { ParsedBodyOf } from "../../../../api/endpoints.ts";

import type { Caller } from "../../../auth/accounts.ts";
import type { Context } from "../../../context.ts";
import { refuse } from "../../../http/reply.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import {
  openStem,
  planIdentity,
  registerProduct,
  requireProduct,
  toCodeLink,
} from "../../products/rows.ts";
import { readDestination } from "../../products/rows/product-links.ts";
import { toSearchText } from "../rows.ts";

type Body = ParsedBodyOf<"createCode">;
/** An id, or the fields of a product to make. */
type Wanted = NonNullable<Body["gs1_product"]>;

/** The product in the request; undefined for codes of other types. */
export function readWantedProduct(body: Body): Wanted | undefined {
  return body.qr_type === "GS1" ? (body.gs1_product ?? undefined) : undefined;
}

/** A product of the caller in the code's workspace; any other is a 404. */
async function requireHere(
  db: Db,
  id: string,
  { caller, workspaceId }: { readonly caller: Caller; readonly workspaceId: string },
) {
  const row = await requireProduct(db, caller, id);
  if (row.workspace_id !== workspaceId) throw refuse.notFound();
  return row;
}

/** The Digital Link that the code will hold. Makes nothing except the workspace's stem. */
export async function planProduct(
  context: Context,
  wanted: Wanted,
  place: { readonly caller: Caller; readonly workspaceId: string },
): Promise<string> {
  const { store } = context;
  if (typeof wanted === "string") return toCodeLink(await requireHere(store.db, wanted, place));
  const stem = await store.write((tx) => openStem(tx, context, place.workspaceId));
  return toCodeLink((await planIdentity(store.db, stem, wanted)).fields);
}

interface Take {
  readonly wanted: Wanted;
  readonly draft: CodeRow;
  readonly caller: Caller;
}

/** Makes or finds the product; answers its fields for the code. */
export async function takeProduct(
  tx: Db,
  context: Context,
  { wanted, draft, caller }: Take,
): Promise<Pick<CodeRow, "product_id" | "qr_data" | "digital_link" | "search">> {
  const workspaceId = draft.workspace_id;
  const row =
    typeof wanted === "string"
      ? await requireHere(tx, wanted, { caller, workspaceId })
      : (
          await registerProduct(tx, context, {
            workspaceId,
            identity: wanted,
            destinationUrl: wanted.destination_url,
          })
        ).row;
  const fields = { digital_link: toCodeLink(row), qr_data: await readDestination(tx, row.id) };
  // The drawing is already made, with the other Digital Link.
  if (fields.digital_link !== draft.digital_link) {
    throw refuse.field("gs1_product", "Its product was changed a moment ago; ask again.");
  }
  return { ...fields, product_id: row.id, search: toSearchText({ ...draft, ...fields }) };
}
