/**
 * ⑦ finished files -> proof. `verifySheets` opens PDFs again and holds them to the rules of
 * docs/spec/print.md section 12; `verifyArtwork` decodes PNG files.
 */
import { proveSheets, type SheetProof, type SheetsToVerify } from "./proof/prove-sheets.ts";

export type { BoxMm } from "../print/layout/box.ts";
export { type ArtworkFile, type ArtworkProof, verifyArtwork } from "./pixels/verify-artwork.ts";
export type { Finding } from "./rules/finding.ts";
export type { SheetProof, SheetsToVerify } from "./proof/prove-sheets.ts";
export type { ExpectedCell } from "./rules/sheet-context.ts";

/**
 * Opens finished sheets again and checks them: every rule on the PDF's own objects, and every code
 * decoded from a rendering of its own label. Reads files, changes nothing; never throws for a
 * faulty file. Takes as many volumes into memory as its budget has room for.
 */
export const verifySheets = (input: SheetsToVerify): Promise<SheetProof> => proveSheets(input);
