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

/** A page of a workspace's PDF codes, the newest first; one extra when there is a next page. */
export async function findPdfCodes(
  { store, addresses }: Pick<Context, "store" | "addresses">,
  workspaceId: string,
  page: number,
): Promise<PdfCode[]> {
  const rows = await store.db
    .selectFrom("codes")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("pdf_file", "is not", null)
    .orderBy("created", "desc")
    .limit(PDF_PAGE + 1)
    .offset((page - 1) * PDF_PAGE)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.display_name,
    fileName: row.pdf_name ?? "",
    url: toDestination(addresses, { ...row, qr_data: "", hosted_path: null }),
    shortLink: toShortLink(addresses, row) ?? "",
    leadsElsewhere: row.qr_data !== "",
    createdMs: row.created,
  }));
}
