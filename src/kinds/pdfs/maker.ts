/** Hosted PDFs with their codes (docs/spec/api.md section 4.4). */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { type ToldCode, UNFILED } from "../../api/code.ts";
import { limits } from "../../api/limits.ts";
import type { PdfCreate } from "../../api/pdf.ts";
import { AppError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { wasThere } from "../../client/thing-methods.ts";
import { toWishHashes } from "../../plan/hash.ts";
import type { MadeFirst } from "../../state/row-journal.ts";
import type { StateRow, WantedPdf } from "../../state/row.ts";
import { toSentWish } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import { changeCode } from "../codes/change.ts";
import type { Ids } from "../../run/templates.ts";
import { toNamedWish } from "../codes/maker.ts";
import type { Answered, Maker } from "../../run/maker.ts";

async function readPdf(pdf: WantedPdf, file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError("row-invalid", `PDF must be a file that can be read, got ${file}`, {
      cause,
    });
  });
  if (sha256(bytes) !== pdf.sha256) {
    const hint = "run the same command again";
    throw new AppError("row-invalid", `PDF must stay as it was planned, got a changed ${file}`, {
      hint,
    });
  }
  return bytes.toString("base64");
}

async function toBody(env: RunEnvironment, row: StateRow): Promise<PdfCreate> {
  const { pdf, displayName, domain } = toNamedWish(env, row);
  if (pdf === undefined) throw new AppError("bug", "a PDF job must have PDFs");
  const fileName = pdf.fileName ?? (pdf.file === null ? null : path.basename(pdf.file));
  return {
    workspace: env.settings.workspace,
    ...(pdf.file === null ? { pdf_url: pdf.url } : { pdf_base64: await readPdf(pdf, pdf.file) }),
    ...(fileName !== null && { filename: fileName }),
    ...(displayName !== "" && { display_name: displayName }),
    ...(domain !== null && { domain }),
  };
}

/**
 * A create files nothing and styles nothing (docs/spec/engine.md section 1.1): both come as
 * changes.
 */
export function toUnfiled(row: StateRow): MadeFirst | undefined {
  const wish = toSentWish(row);
  const { folder, design } = wish;
  if (folder === null && Object.keys(design).length === 0) return undefined;
  const wanted = { ...wish, folder: null, design: {} };
  const { wantedHash, designHash } = toWishHashes(wanted);
  return { wanted, wantedHash, designHash };
}

/** The API does not describe a PDF code's data in lists, so it is ignored. */
const toItem = (item: ToldCode): ToldCode => ({
  ...item,
  qr_type: "Link",
  qr_data: null,
  dynamic: true,
});

/** A plain code, where the server shows the type. */
const isOther = (item: ToldCode): boolean => item["pdf_file_url"] === null;

function toParts(answered: Answered): { readonly url?: string } {
  const url = answered["pdf_file_url"];
  return typeof url === "string" ? { url } : {};
}

/** A code that was filed since is not in the list of those without folder. */
async function isListed({ client, settings }: RunEnvironment, id: string): Promise<boolean> {
  let isFiled = false;
  const isThere = await wasThere(async () => {
    const { folder } = await client.getToldCode(id);
    isFiled = (folder ?? null) !== null;
  });
  return isThere && (settings.marker || !isFiled);
}

export function makePdfMaker(env: RunEnvironment, ids: Ids): Maker {
  const { client, settings } = env;
  // New ones lie in no folder. After a loss, those that were filed are looked for, too.
  const where = settings.marker ? {} : { folder: UNFILED };
  return {
    pageSize: limits.maxPageSize,
    toBody: (row) => toBody(env, row),
    create: (body, options) => client.create("createPdf", body as PdfCreate, options),
    toMadeFirst: toUnfiled,
    toParts,
    isOther,
    async list(query) {
      const page = await client.listToldCodes({ ...where, ...query });
      const unfiled = settings.marker ? {} : { folder: null };
      const results = page.results.map((item) => toItem({ ...item, ...unfiled }));
      return { ...page, results };
    },
    look: async (id) => toItem(await client.getToldCode(id)),
    isListed: (id) => isListed(env, id),
    remove: (id) => client.deleteCode(id),
    change: (row, id) => changeCode(env, ids, row, id),
  };
}
