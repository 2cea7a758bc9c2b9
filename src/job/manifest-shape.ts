import { z } from "zod";

import { CodeShape, LaterCodeShape, ProductCodeShape } from "./code-shape.ts";
import {
  commonFields,
  ReadingSafetyShape,
  RedesignSafetyShape,
  RetargetSafetyShape,
  SafetyShape,
} from "./common-shapes.ts";
import { template } from "./fields.ts";
import { kinds, type Kind } from "./kinds.ts";
import { DatedOutputShape, OutputShape, RetargetOutputShape } from "./output-shape.ts";
import { FormShape, LinkShape, PageShape, PdfShape, ProductShape } from "./row-shapes.ts";
import {
  DetailsShape,
  FlagShape,
  groupings,
  MatchShape,
  RedesignShape,
  reportColumns,
  ReportOutputShape,
  SelectShape,
  SetShape,
  WindowShape,
} from "./select-shapes.ts";
import { PdfSourceShape, SourceShape } from "./source-shape.ts";

const WHAT = `What the job does: ${kinds.join(", ")}.`;

const kindField = <const One extends Kind>(kind: One) => z.literal(kind).describe(WHAT);

const files = {
  output: OutputShape.prefault({}).describe("What is written, and where."),
  safety: SafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
};

const datedFiles = DatedOutputShape.prefault({}).describe("What is written, and where.");
const select = SelectShape.describe("Which codes.");

/** kind -> one job of it, as people write it (`jobs.md` section 1). */
export const manifestShapes = {
  codes: z.strictObject({
    ...commonFields,
    kind: kindField("codes"),
    source: SourceShape,
    code: CodeShape.describe("The code of each row."),
    ...files,
  }),
  products: z.strictObject({
    ...commonFields,
    kind: kindField("products"),
    source: SourceShape,
    product: ProductShape.describe("The GS1 product of each row."),
    code: ProductCodeShape.optional().describe("Its GS1 code; left out: products only."),
    ...files,
  }),
  links: z.strictObject({
    ...commonFields,
    kind: kindField("links"),
    source: SourceShape,
    link: LinkShape.describe("The short link of each row."),
    ...files,
  }),
  pdfs: z.strictObject({
    ...commonFields,
    kind: kindField("pdfs"),
    source: PdfSourceShape,
    pdf: PdfShape.prefault({}).describe("The PDF of each row."),
    code: LaterCodeShape.prefault({}).describe("The code that leads to it."),
    ...files,
  }),
  pages: z.strictObject({
    ...commonFields,
    kind: kindField("pages"),
    source: SourceShape,
    page: PageShape.describe("The landing page of each row."),
    code: LaterCodeShape.prefault({}).describe("The code that leads to it."),
    ...files,
  }),
  forms: z.strictObject({
    ...commonFields,
    kind: kindField("forms"),
    source: SourceShape.optional(),
    form: FormShape.describe("The form of each row; without source there is one."),
    ...files,
  }),
  redesign: z.strictObject({
    ...commonFields,
    kind: kindField("redesign"),
    select,
    design: RedesignShape,
    output: datedFiles,
    safety: RedesignSafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
  }),
  retarget: z.strictObject({
    ...commonFields,
    kind: kindField("retarget"),
    source: SourceShape,
    match: MatchShape.describe("How a row finds its code."),
    expect: template
      .optional()
      .describe("Where the code must lead today, or the row fails; empty: no check. Template."),
    set: SetShape.describe("What a row changes; what is left out or empty stays as it is."),
    output: RetargetOutputShape.prefault({}).describe("What is written, and where."),
    safety: RetargetSafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
  }),
  report: z.strictObject({
    ...commonFields,
    kind: kindField("report"),
    select: SelectShape.prefault({}).describe("Which codes; left out: all of the workspace."),
    window: WindowShape.prefault({}).describe("The time that is told of; default: 30 days."),
    group_by: z.enum(groupings).default("code").describe("What the figures are added up by."),
    columns: z
      .array(z.enum(reportColumns))
      .min(1, "must name at least one column")
      .default(["display_name", "destination", "scans", "unique_scans"])
      .describe("Columns of the table of codes."),
    details: DetailsShape.optional().describe("More about some codes."),
    flag: FlagShape.optional().describe("What is pointed at."),
    output: ReportOutputShape.prefault({}).describe("What is written, and where."),
    safety: ReadingSafetyShape.prefault({}).describe("What is refused."),
  }),
  export: z.strictObject({
    ...commonFields,
    kind: kindField("export"),
    select: SelectShape.prefault({}).describe("Which codes; left out: all of the workspace."),
    output: datedFiles,
    safety: ReadingSafetyShape.prefault({}).describe("What is refused."),
  }),
} as const satisfies Record<Kind, z.ZodObject>;

export type ManifestOf<K extends Kind> = z.output<(typeof manifestShapes)[K]>;
export type Manifest = { [K in Kind]: ManifestOf<K> }[Kind];

const [first, ...others] = kinds.map((kind) => manifestShapes[kind]);

/** One job of any kind, for editors. */
export const ManifestShape = z.discriminatedUnion("kind", [first as never, ...(others as never[])]);
