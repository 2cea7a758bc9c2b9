import { z } from "zod";

import { DesignAnswer, designFields } from "./design.ts";
import {
  address,
  flag,
  isOpenableUrl,
  oneOf,
  orDefault,
  ours,
  queryFlag,
  reference,
  stringUpTo,
  text,
  timestamp,
  workspaceId,
} from "./fields.ts";
import { FolderRef } from "./folder.ts";
import { ownLimits } from "./limits.ts";
import { pageFields } from "./paging.ts";
import { ProductOfCode } from "./product.ts";
import { Tag } from "./tag.ts";
import { Vcard } from "./vcard.ts";
import { spanInOrder, windowFields } from "./window.ts";

export const codeTypes = ["Link", "Text", "vCard", "GS1"] as const;
export type CodeType = (typeof codeTypes)[number];

const count = z.number().int().nonnegative().nullish();

const item = {
  id: z.string().min(1),
  display_name: z.string().nullish(),
  qr_data: z.string().nullish(),
  qr_type: z.string().meta({ enum: [...codeTypes] }),
  /** Dynamic codes only. */
  shortlink_url: address.nullish(),
  dynamic: z.boolean(),
  /** Once the PNG has been generated. */
  png: address.nullish(),
  created: timestamp,
  folder: FolderRef.nullish(),
  total_scans: count,
  unique_scans: count,
  tags: z.array(Tag).nullish(),
};

/** One code in a list (docs/spec/api.md section 2.1). */
export const CodeItem = z.looseObject(item);
export type CodeItem = z.infer<typeof CodeItem>;

const untold = (shape: z.ZodType): z.ZodType =>
  z.preprocess((value) => (shape.safeParse(value).success ? value : undefined), z.unknown());

/** Every field may be left out, and one that can't be read counts as left out. */
const told = Object.fromEntries(Object.entries(item).map(([name, shape]) => [name, untold(shape)]));

/** One code in a list of a server that leaves out, or writes otherwise, what the document shows. */
export const ToldCode = z.looseObject({ ...told, id: item.id }) as unknown as z.ZodType<ToldCode>;
export type ToldCode = Pick<CodeItem, "id"> & {
  [Name in keyof CodeItem]?: CodeItem[Name] | undefined;
};

/** One code as create, get, update, design and tag calls answer it. */
export const Code = z.looseObject({
  ...item,
  svg: z.string().nullish(),
  svg_file: address.nullish(),
  gps_tracking: ours(z.boolean()),
  design: ours(DesignAnswer),
  vcard: z.looseObject({}).nullish(),
  gs1_product: ours(z.string()),
  pdf_file_url: address.nullish(),
  /** Our server only: why the design may not scan well. */
  scan_warnings: z.array(z.string()).nullish(),
});
export type Code = z.infer<typeof Code>;

const Gs1ProductRef = z.union([reference, ProductOfCode], {
  error: "Must be a product id or an object with identifier_value and destination_url",
});

const createFields = z.object({
  workspace: workspaceId,
  qr_type: orDefault(oneOf(codeTypes), "Link"),
  qr_data: text(ownLimits.maxText).nullish(),
  dynamic: orDefault(flag, false),
  display_name: text(ownLimits.maxDisplayName).nullish(),
  domain: reference.nullish(),
  generate_png: orDefault(flag, false),
  gps_tracking: orDefault(flag, false),
  folder: reference.nullish(),
  template: reference.nullish(),
  ...designFields,
  vcard: Vcard.nullish(),
  gs1_product: Gs1ProductRef.nullish(),
});

type Draft = Partial<Record<keyof z.output<typeof createFields>, unknown>>;
type Finding = readonly [field: string, message: string];

const URL_RULE = `Must be a URL of at most ${ownLimits.maxUrl} characters`;
const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isBlank = (value: unknown): boolean =>
  isMissing(value) || (typeof value === "string" && value.trim() === "");

/** qr_type -> what its other fields must be. `draft` may hold fields that are wrong themselves. */
const typeRules: Record<CodeType, (draft: Draft) => Finding[]> = {
  Link: ({ qr_data: data }) => {
    if (isBlank(data)) return [["qr_data", "This field is required"]];
    return typeof data === "string" && !isOpenableUrl(data) ? [["qr_data", URL_RULE]] : [];
  },
  Text: ({ qr_data: data, dynamic }) => [
    ...(isBlank(data) ? [["qr_data", "This field is required"] as const] : []),
    ...(dynamic === true
      ? [["dynamic", "Must be false: Text codes are static only"] as const]
      : []),
  ],
  vCard: ({ vcard }) => (isMissing(vcard) ? [["vcard", "This field is required"]] : []),
  GS1: ({ gs1_product: product }) =>
    isMissing(product) ? [["gs1_product", "This field is required"]] : [],
};

/** What static codes can't have. */
function checkDynamicOnly(draft: Draft): Finding[] {
  if (draft.dynamic === true || draft.qr_type === "GS1") return [];
  return [
    ...(draft.gps_tracking === true
      ? [["gps_tracking", "Must be false for static codes"] as const]
      : []),
    ...(isMissing(draft.domain) ? [] : [["domain", "Must be left out for static codes"] as const]),
  ];
}

/** Body of the create (docs/spec/api.md section 4.1), all faults found at once. */
export const CodeCreate = createFields.superRefine(
  (draft: Draft, context) => {
    const type = codeTypes.find((known) => known === (draft.qr_type ?? "Link"));
    if (type === undefined) return;
    for (const [field, message] of [...typeRules[type](draft), ...checkDynamicOnly(draft)]) {
      const input = draft[field as keyof Draft];
      context.addIssue({ code: "custom", path: [field], message, input });
    }
  },
  // Runs beside wrong fields too, so that one answer names everything.
  { when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value) },
);
export type CodeCreate = z.input<typeof CodeCreate>;

/** Body of the partial update. `folder: null` takes the code out of its folder. */
export const CodeUpdate = z.object({
  display_name: text(ownLimits.maxDisplayName).nullable().optional(),
  qr_data: text(ownLimits.maxText).optional(),
  gps_tracking: flag.nullish(),
  folder: reference.nullable().optional(),
  /** The whole new contact of a dynamic vCard code; ours, the document only says that it can be edited. */
  vcard: Vcard.nullish(),
});
export type CodeUpdate = z.input<typeof CodeUpdate>;

export const includes = ["scans", "tags"] as const;
export type Include = (typeof includes)[number];

const NO_INCLUDES = `Must be a comma-separated list of ${includes.join(", ")}`;
const includeList = stringUpTo(200, { type: "Must be a string", long: NO_INCLUDES })
  .meta({ description: `Comma-separated: ${includes.join(", ")}`, examples: ["scans,tags"] })
  .transform((value, context): Include[] => {
    const parts = value.split(",").map((part) => part.trim());
    const known = includes.filter((include) => parts.includes(include));
    const unknown = parts.filter(
      (part) => part !== "" && !known.some((include) => include === part),
    );
    if (unknown.length === 0) return known;
    context.issues.push({ code: "custom", message: NO_INCLUDES, input: value });
    return z.NEVER;
  });

/** Query of the list of codes. `folder` is an id, a slug, or `none` for unfiled codes. */
export const CodeListQuery = z
  .object({
    q: text(ownLimits.maxSearch).optional(),
    folder: reference.optional().describe("Folder id or slug, or none for unfiled codes"),
    subfolders: queryFlag.optional(),
    include: includeList.optional(),
    ...windowFields,
    ...pageFields,
  })
  .refine(spanInOrder.holds, spanInOrder.error);
export type CodeListQuery = z.input<typeof CodeListQuery>;

/** The folder word that means codes in no folder. */
export const UNFILED = "none";

/** Answer of the download call: both files exist when it comes. */
export const CodeFiles = z.looseObject({ png_url: z.string(), svg_url: z.string() });
export type CodeFiles = z.infer<typeof CodeFiles>;
