/** Restyling a code in place: docs/spec/api.md section 4.1. */
import type { ParsedBodyOf } from "../../../../api/endpoints.ts";

import { writeAs } from "../../../auth/write-as.ts";
import type { Context, Handler } from "../../../context.ts";
import { patchDesign, toDesignAnswer } from "../../../designs/design-fields.ts";
import { checkStoredDesign } from "../../../designs/drawing.ts";
import type { StoredDesign } from "../../../designs/stored-design.ts";
import { refuse } from "../../../http/reply.ts";
import { readDesign, replyDrawn, requireCode, restyleCode, toCodeAnswer } from "../rows.ts";
import { removeArtwork } from "../rows/code-files.ts";

type Patch = ParsedBodyOf<"updateDesign">;

/** Hash of the new logo, null for none, undefined to keep what is there. */
async function toLogo({ logos }: Context, patch: Patch): Promise<string | null | undefined> {
  const url = patch.logo_url ?? undefined;
  const base64 = patch.logo_base64 ?? undefined;
  if (url !== undefined && base64 !== undefined) {
    throw refuse.field("logo_base64", "Must be left out when logo_url is given.");
  }
  if (base64 !== undefined) return logos.fromBase64(base64);
  if (url !== undefined) return logos.fromUrl(url);
  return patch.remove_logo === true || patch.logo_url === null ? null : undefined;
}

function restyle(
  before: StoredDesign,
  patch: Patch,
  logo: string | null | undefined,
): StoredDesign {
  const { logo: old, ...rest } = patchDesign(before, patch);
  const kept = logo === undefined ? old : (logo ?? undefined);
  return kept === undefined ? rest : { ...rest, logo: kept };
}

export function makeDesignHandler(context: Context): Handler<"updateDesign"> {
  const { store, drawings, addresses } = context;
  return async ({ params, body, caller }) => {
    const found = await requireCode(store.db, caller, params.qr_code_id);
    const logo = await toLogo(context, body);
    const trial = restyle(readDesign(found), body, logo);
    checkStoredDesign(trial);
    await replyDrawn(context, { ...found, design: JSON.stringify(trial) }, {});
    const { before, row, answer } = await writeAs(context, caller, async (tx) => {
      // Read again: another update may have come in between.
      const before = await requireCode(tx, caller, params.qr_code_id);
      const design = JSON.stringify(restyle(readDesign(before), body, logo));
      const row = await restyleCode(tx, before, design);
      return { before, row, answer: await toCodeAnswer(context, tx, { row }) };
    });
    if (before.design !== row.design) await removeArtwork(context.media, before);
    return replyDrawn({ addresses, drawings }, row, {
      ...answer,
      design: toDesignAnswer(await drawings.resolve(readDesign(row))),
    });
  };
}
