/** Codes that lead to a PDF hosted here: the API's lists don't show which codes these are. */
import type { Context } from "../context.ts";
import { toDestination, toShortLink } from "../resources/codes/rows.ts";

export interface PdfCode {
  readonly id: string;
  readonly name: string;
  readonly fileName: string;
  /** Of the hosted file. */
  readonly url: string;
  readonly shortLink: string;
  /** Its destination has been changed since. */
  readonly leadsElsewhere: boolean;
  readonly createdMs: number;
}

export const PDF_PAGE = 50;

/** All that a workspace has, and those of a page. */
export interface PdfCodes {
  readonly count: number;
  readonly results: readonly PdfCode[];
}

/** A page of a workspace's PDF codes, the newest first. */
export async function findPdfCodes(
  { store, addresses }: Pick<Context, "store" | "addresses">,
  workspaceId: string,
  page: number,
): Promise<PdfCodes> {
  const all = store.db
    .selectFrom("codes")
    .where("workspace_id", "=", workspaceId)
    .where("pdf_file", "is not", null);
  const { n } = await all
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  const rows = await all
    .selectAll()
    .orderBy("created", "desc")
    .limit(PDF_PAGE)
    .offset((page - 1) * PDF_PAGE)
    .execute();
  const results = rows.map((row) => ({
    id: row.id,
    name: row.display_name,
    fileName: row.pdf_name ?? "",
    url: toDestination(addresses, { ...row, qr_data: "", hosted_path: null }),
    shortLink: toShortLink(addresses, row) ?? "",
    leadsElsewhere: row.qr_data !== "",
    createdMs: row.created,
  }));
  return { count: n, results };
}
