/** Jobs whose rows become things on the server: one interface per kind. Texts are row templates. */
import type { FormShape, PageShape } from "./row-shapes.ts";
import type { JobCode, JobCommon, JobOutput, JobRows, JobSafety } from "./job.ts";

/** What the kinds have in common: rows, a code of each, files. */
interface RowsCommon extends JobCommon {
  readonly source: JobRows;
  /** The code that each row gets; for all kinds but `codes` what the kind itself doesn't decide. */
  readonly code: JobCode;
  readonly output: JobOutput;
  readonly safety: JobSafety;
}

export interface CodesJob extends RowsCommon {
  readonly kind: "codes";
}

/** One destination of a product (api-v2.md 2.12). */
export interface JobProductLink {
  readonly linkType: string;
  readonly title: string;
  readonly destinationUrl: string;
  readonly isDefault: boolean;
  readonly language: string | null;
  readonly mediaType: string | null;
}

export interface JobProduct {
  readonly identifierType: string;
  readonly identifierValue: string;
  readonly batchLot: string | null;
  readonly serialNumber: string | null;
  readonly expiryDate: string | null;
  readonly links: readonly JobProductLink[];
}

export interface ProductsJob extends RowsCommon {
  readonly kind: "products";
  readonly product: JobProduct;
  /** False: products only, without codes. */
  readonly hasCode: boolean;
}

export interface LinksJob extends RowsCommon {
  readonly kind: "links";
  /** `code` has the rest. Null: the server makes one. */
  readonly slug: string | null;
}

export interface JobPdf {
  /** Relative to the manifest. */
  readonly file: string | null;
  readonly url: string | null;
  readonly fileName: string | null;
}

export interface PdfsJob extends RowsCommon {
  readonly kind: "pdfs";
  readonly pdf: JobPdf;
}

export interface PagesJob extends RowsCommon {
  readonly kind: "pages";
  readonly page: PageShape;
}

export interface FormsJob extends RowsCommon {
  readonly kind: "forms";
  readonly form: FormShape;
}

export type RowJob = CodesJob | ProductsJob | LinksJob | PdfsJob | PagesJob | FormsJob;
