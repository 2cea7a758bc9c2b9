/**
 * Every kind of job: the shape and the rules of its manifest, the job that it becomes, and the wish
 * of a row. Pure: `makers.ts` has the parts that send. A new kind is a folder, and a line here.
 */

import type { z } from "zod";

import type { JobCommon } from "../job/job.ts";
import type { Finding, ManifestTree } from "../job/yaml/manifest-tree.ts";
import {
  type FindFixed,
  type PdfFacts,
  PLAIN_CODES,
  type Render,
  type Thing,
  type ThingCost,
} from "../plan/thing.ts";
import type { Wanted } from "../state/row.ts";
import { toCodesJob } from "./codes/job.ts";
import { codeRules } from "./codes/rules.ts";
import { codesShape } from "./codes/shape.ts";
import { toCodeThing } from "./codes/wish.ts";
import { toExportJob } from "./export/job.ts";
import { exportShape } from "./export/shape.ts";
import { formCost } from "./forms/cost.ts";
import { toFormsJob } from "./forms/job.ts";
import { formRules } from "./forms/rules.ts";
import { formsShape } from "./forms/shape.ts";
import { findFixedForm, toFormThing } from "./forms/wish.ts";
import type { JobParts } from "./job-parts.ts";
import { toLinksJob } from "./links/job.ts";
import { linkRules } from "./links/rules.ts";
import { linksShape } from "./links/shape.ts";
import { findFixedLink, toLinkThing } from "./links/wish.ts";
import type { Kind, RowKind } from "./names.ts";
import { toPagesJob } from "./pages/job.ts";
import { pageRules } from "./pages/rules.ts";
import { pagesShape } from "./pages/shape.ts";
import { findFixedPage, toPageThing } from "./pages/wish.ts";
import { toPdfsJob } from "./pdfs/job.ts";
import { pdfRules } from "./pdfs/rules.ts";
import { pdfsShape } from "./pdfs/shape.ts";
import { findFixedPdf, toPdfThing } from "./pdfs/wish.ts";
import { productCost } from "./products/cost.ts";
import { toProductsJob } from "./products/job.ts";
import { productRules } from "./products/rules.ts";
import { productsShape } from "./products/shape.ts";
import { findFixedProduct, toProductThing } from "./products/wish.ts";
import { toRedesignJob } from "./redesign/job.ts";
import { redesignRules } from "./redesign/rules.ts";
import { redesignShape } from "./redesign/shape.ts";
import { toReportJob } from "./report/job.ts";
import { reportRules } from "./report/rules.ts";
import { reportShape } from "./report/shape.ts";
import { toRetargetJob } from "./retarget/job.ts";
import { retargetRules } from "./retarget/rules.ts";
import { retargetShape } from "./retarget/shape.ts";

/** Fields that the create of such a code can't set. */
function countFiling({ folder, displayName, page, design }: Wanted): number {
  const isFiled = folder !== null || (page !== undefined && displayName !== page.title);
  return Number(isFiled) + Number(Object.keys(design).length > 0);
}

/** The wish without fields that can't be changed (a hosted file keeps its name) or take other calls. */
function toCodePart({ pdf: _pdf, design: _design, tags: _tags, ...rest }: Wanted): string {
  return JSON.stringify(rest);
}

/** Of things whose code is filed, styled and tagged after they are made. */
const filedCost: ThingCost = {
  create: (wanted) => 1 + countFiling(wanted) + Number(wanted.tags.length > 0),
  update: (made, wanted) => Number(toCodePart(made) !== toCodePart(wanted)),
};

/** What each kind must bring. */
interface KindParts {
  /** For people: where its rows come from, what each becomes, and its least cost. */
  readonly rows: string;
  readonly does: string;
  readonly calls: string;
  readonly shape: z.ZodObject;
  readonly rules: (manifest: ManifestTree) => Finding[];
  /** Never fails: what it gets has been checked against shape and rules. */
  readonly toJob: (manifest: never, parts: JobParts) => JobCommon;
}

/** What each kind whose rows become things on the server must bring. */
interface RowKindParts extends KindParts {
  /** What a row makes besides its code, by the templates of its job. */
  readonly toThing: (job: never, render: Render, facts: PdfFacts) => Thing;
  readonly cost: ThingCost;
  readonly findFixed: FindFixed;
}

/** Kinds whose rows become things on the server. */
export const rowTable = {
  codes: {
    rows: "spreadsheet, range or serials",
    does: "QR code of type Link, Text, vCard or GS1, static or dynamic",
    calls: "1 write, 1 more with `logo_file`",
    shape: codesShape,
    rules: codeRules,
    toJob: toCodesJob,
    ...PLAIN_CODES,
    toThing: toCodeThing,
  },
  products: {
    rows: "spreadsheet, range or serials",
    does: "GS1 product with its link types, and its code when `code` is given",
    calls:
      "1 write, 1 more per extra link type and for a default link with language or media type, 1 more with code",
    shape: productsShape,
    rules: productRules,
    toJob: toProductsJob,
    toThing: toProductThing,
    cost: productCost,
    findFixed: findFixedProduct,
  },
  links: {
    rows: "spreadsheet, range or serials",
    does: "short link with its code",
    calls: "1 write",
    shape: linksShape,
    rules: linkRules,
    toJob: toLinksJob,
    toThing: toLinkThing,
    cost: PLAIN_CODES.cost,
    findFixed: findFixedLink,
  },
  pdfs: {
    rows: "spreadsheet, folder of PDFs, range or serials",
    does: "hosted PDF with its code",
    calls: "1 write; 1 more to file it, 1 more to style it",
    shape: pdfsShape,
    rules: pdfRules,
    toJob: toPdfsJob,
    toThing: toPdfThing,
    cost: filedCost,
    findFixed: findFixedPdf,
  },
  pages: {
    rows: "spreadsheet, range or serials",
    does: "landing page with link buttons, and its code",
    calls: "1 write; 1 more to file its code, 1 more to style it",
    shape: pagesShape,
    rules: pageRules,
    toJob: toPagesJob,
    toThing: toPageThing,
    cost: filedCost,
    findFixed: findFixedPage,
  },
  forms: {
    rows: "spreadsheet, range, serials, or the manifest itself",
    does: "form, published, with its code",
    calls: "3 writes",
    shape: formsShape,
    rules: formRules,
    toJob: toFormsJob,
    toThing: toFormThing,
    cost: formCost,
    findFixed: findFixedForm,
  },
} as const satisfies Record<RowKind, RowKindParts>;

/** kind -> all that is specific to it, except for the parts that send. */
export const kindTable = {
  ...rowTable,
  redesign: {
    rows: "`select`",
    does: "other looks for codes that exist",
    calls: "1 write, none for a code that looks so already",
    shape: redesignShape,
    rules: redesignRules,
    toJob: toRedesignJob,
  },
  retarget: {
    rows: "spreadsheet",
    does: "other destination, name, folder or tags for codes that exist",
    calls: "1 write, none where nothing changes",
    shape: retargetShape,
    rules: retargetRules,
    toJob: toRetargetJob,
  },
  report: {
    rows: "`select`",
    does: "scans per code, folder or workspace",
    calls: "no write, 1 read per 200 codes",
    shape: reportShape,
    rules: reportRules,
    toJob: toReportJob,
  },
  export: {
    rows: "`select`",
    does: "artwork, archives and sheets of codes that exist",
    calls: "no write",
    shape: exportShape,
    rules: () => [],
    toJob: toExportJob,
  },
} as const satisfies Record<Kind, KindParts>;
