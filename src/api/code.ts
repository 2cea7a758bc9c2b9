import { z } from "zod";

import { isRecord } from "../base/is-record.ts";
import { anything, named, ofAnyServer } from "./announce.ts";
import { designFields, DesignSent } from "./design.ts";
import {
  address,
  created,
  flag,
  idOf,
  isOpenableUrl,
  NO_URL,
  oneOf,
  orDefault,
  queryFlag,
  reference,
  stringUpTo,
  text,
  workspaceId,
} from "./fields.ts";
import { FolderRef, FolderRefSent } from "./folder.ts";
import { ownLimits } from "./limits.ts";
import { pageFields } from "./paging.ts";
import { ProductOfCode } from "./product.ts";
import { Tag, TagSent } from "./tag.ts";
import { Vcard } from "./vcard.ts";
import { spanInOrder, windowFields } from "./window.ts";

export const codeTypes = ["Link", "Text", "vCard", "GS1"] as const;
export type CodeType = (typeof codeTypes)[number];

const CodeTypeName = named(
  "CodeType",
  oneOf(codeTypes).describe("What the code holds: an address, a text, a contact, a product."),
);

const count = (what: string) =>
  z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe(`${what} Null for codes that can't be tracked: static ones have no short link.`);

const itemFields = {
  id: idOf("code"),
  display_name: z.string().meta({
    description: "Name in lists; people who scan the code don't see it.",
    examples: ["Table 12"],
  }),
  qr_data: z.string().meta({
    description:
      "Where the code leads, or the text that it holds; of a GS1 code whose product was deleted, where it led.",
    examples: ["https://example.com/menu"],
  }),
  qr_type: CodeTypeName,
  shortlink_url: address.nullable().meta({
    description: "The short link that a dynamic code holds; null for static codes.",
    examples: ["https://go.example.com/ab2cdefg"],
  }),
  dynamic: z.boolean().describe("True when its destination can be changed and scans are counted."),
  png: address.optional().describe("The code as PNG, once it has been made."),
  created,
  folder: FolderRefSent.nullable().describe("Where it is filed; null when it is not."),
};
const counts = {
  total_scans: count("All scans."),
  unique_scans: count("Scans by people who had not scanned it before."),
};
const tags = z.array(TagSent).describe("Its tags, by title.");

/** One code in a list (docs/spec/api.md section 2.1). */
const CodeItemSent = named(
  "CodeItem",
  z
    .object({
      ...itemFields,
      total_scans: counts.total_scans.optional().describe("All scans. Only with include=scans."),
      unique_scans: counts.unique_scans
        .optional()
        .describe("Scans by people who had not scanned it before. Only with include=scans."),
      tags: tags.optional().describe("Its tags. Only with include=tags."),
    })
    .describe("A QR code in a list."),
);

const needed = ["id", "qr_type", "dynamic", "created"] as const;
/**
 * Other servers may have other types; missing fields of folders and tags are no reason to refuse a
 * code.
 */
const ofOthers = {
  qr_type: z.string(),
  folder: FolderRef.nullish(),
  tags: z.array(Tag).nullish(),
};
export const CodeItem = ofAnyServer(CodeItemSent, { needed, other: ofOthers });
export type CodeItem = z.infer<typeof CodeItem>;

const untold = (shape: z.ZodType): z.ZodType =>
  z.preprocess((value) => (shape.safeParse(value).success ? value : undefined), z.unknown());

/** Every field may be missing; an unreadable one counts as missing. */
const told = Object.fromEntries(
  Object.entries(CodeItem.shape).map(([name, shape]) => [name, untold(shape)]),
);

/** One code in a list of a server that omits fields of the document, or writes them differently. */
export const ToldCode = z.looseObject({
  ...told,
  id: CodeItem.shape.id,
}) as unknown as z.ZodType<ToldCode>;
export type ToldCode = Pick<CodeItem, "id"> & {
  [Name in keyof CodeItem]?: CodeItem[Name] | undefined;
};

/** One code as create, get, update, design and tag calls answer it. */
const CodeSent = named(
  "Code",
  z
    .object({
      ...itemFields,
      ...counts,
      gps_tracking: z.boolean().describe("Whether scanners are asked where they are."),
      tags,
      svg: z
        .string()
        .optional()
        .describe("The code as an SVG drawing. Only in answers that draw it: create and updates."),
      svg_file: address.optional().describe("The code as an SVG file, once it has been made."),
      design: DesignSent.optional().describe(
        "How it looks. Only when one code is read or restyled.",
      ),
      vcard: Vcard.optional().describe("The contact of a vCard code."),
      gs1_product: z.string().nullable().optional().describe("Id of the product of a GS1 code."),
      pdf_file_url: address.optional().describe("The hosted file of a PDF code."),
      scan_warnings: z
        .array(z.string())
        .optional()
        .describe("Why the design may not scan well; left out when nothing speaks against it."),
    })
    .describe("A QR code."),
);
export const Code = ofAnyServer(CodeSent, {
  needed,
  other: {
    ...ofOthers,
    gps_tracking: anything,
    design: anything,
    vcard: z.looseObject({}).nullish(),
    gs1_product: anything,
  },
});
export type Code = z.infer<typeof Code>;

const Gs1ProductRef = z
  .union([reference, ProductOfCode], {
    error: "Must be a product id or an object with identifier_value and destination_url",
  })
  .describe(
    "What a GS1 code stands for: the id of a product, or a product to be registered with it.",
  );

const displayName = text(ownLimits.maxDisplayName).meta({
  description: "Name in lists; people who scan the code don't see it.",
  examples: ["Table 12"],
});

const createFields = z.object({
  workspace: workspaceId,
  qr_type: orDefault(CodeTypeName, "Link").describe(
    "What the code holds: an address, a text, a contact, a product. Link unless given.",
  ),
  qr_data: text(ownLimits.maxText)
    .nullish()
    .meta({
      description: "Link: the address. Text: the text. Not used for vCard and GS1.",
      examples: ["https://example.com/menu"],
    }),
  dynamic: orDefault(flag, false).describe(
    "True: the code holds a short link, whose destination can be changed later and whose scans are counted. False unless given.",
  ),
  display_name: displayName.nullish(),
  domain: reference
    .nullish()
    .describe("Domain of the short link, for dynamic codes; left out, the usual one."),
  generate_png: orDefault(flag, false).describe(
    "Makes the PNG and SVG files at once, which takes longer; later they are made when asked for. False unless given.",
  ),
  gps_tracking: orDefault(flag, false).describe(
    "Asks scanners where they are, for dynamic codes. False unless given.",
  ),
  folder: reference.nullish().describe("Id or slug of the folder to file it in."),
  template: reference
    .nullish()
    .describe("Id of a saved design; fields that are given beside it win over it."),
  ...designFields,
  vcard: Vcard.nullish().describe("The contact of a vCard code."),
  gs1_product: Gs1ProductRef.nullish(),
});

type Draft = Partial<Record<keyof z.output<typeof createFields>, unknown>>;
type Finding = readonly [field: string, message: string];

const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isBlank = (value: unknown): boolean =>
  isMissing(value) || (typeof value === "string" && value.trim() === "");

/** qr_type -> rules for its other fields. `draft` may contain wrong fields. */
const typeRules: Record<CodeType, (draft: Draft) => Finding[]> = {
  Link: ({ qr_data: data }) => {
    if (isBlank(data)) return [["qr_data", "This field is required"]];
    return typeof data === "string" && !isOpenableUrl(data) ? [["qr_data", NO_URL]] : [];
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
export const CodeCreate = named(
  "CodeCreate",
  createFields.superRefine(
    (draft: Draft, context) => {
      const type = codeTypes.find((known) => known === (draft.qr_type ?? "Link"));
      if (type === undefined) return;
      for (const [field, message] of [...typeRules[type](draft), ...checkDynamicOnly(draft)]) {
        const input = draft[field as keyof Draft];
        context.addIssue({ code: "custom", path: [field], message, input });
      }
    },
    // Also runs when other fields are wrong, so that one answer names all faults.
    { when: ({ value }) => isRecord(value) },
  ),
);
export type CodeCreate = z.input<typeof CodeCreate>;

/** Body of the partial update. `folder: null` takes the code out of its folder. */
export const CodeUpdate = named(
  "CodeUpdate",
  z.object({
    display_name: displayName.nullable().optional(),
    qr_data: text(ownLimits.maxText)
      .optional()
      .meta({
        // A longer text is refused once it is known that the code is a dynamic one.
        maxLength: ownLimits.maxUrl,
        description: "Where a dynamic code leads from now on.",
        examples: ["https://example.com/new-menu"],
      }),
    gps_tracking: flag.nullish().describe("Asks scanners where they are, for dynamic codes."),
    folder: reference
      .nullable()
      .optional()
      .describe("Id or slug of the folder to file it in; null takes it out of its folder."),
    /** Our own; the document only says that it can be edited. */
    vcard: Vcard.nullish().describe("The whole new contact of a dynamic vCard code."),
  }),
);
export type CodeUpdate = z.input<typeof CodeUpdate>;

export const includes = ["scans", "tags"] as const;
export type Include = (typeof includes)[number];

const NO_INCLUDES = `Must be a comma-separated list of ${includes.join(", ")}`;
const includeList = stringUpTo(200, { type: "Must be a string", long: NO_INCLUDES })
  .meta({
    description: `What more to tell of each code, separated by commas: ${includes.join(", ")}.`,
    examples: ["scans,tags"],
  })
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
    q: text(ownLimits.maxSearch)
      .optional()
      .meta({
        description: "Only codes with this text in destination, name, short link or tags.",
        examples: ["menu"],
      }),
    folder: reference
      .optional()
      .describe("Only codes of this folder: its id or slug, or none for codes in no folder."),
    subfolders: queryFlag.optional().describe("With folder: those of its subfolders, too."),
    include: includeList.optional(),
    ...windowFields,
    ...pageFields,
  })
  .refine(spanInOrder.holds, spanInOrder.error);
export type CodeListQuery = z.input<typeof CodeListQuery>;

/** The folder word that means codes in no folder. */
export const UNFILED = "none";

/** Answer of the download call: both files exist by then. */
const CodeFilesSent = named(
  "CodeFiles",
  z.object({
    png_url: address.describe("The code as a PNG of high resolution."),
    svg_url: address.describe("The code as an SVG file."),
  }),
);
export const CodeFiles = ofAnyServer(CodeFilesSent, { needed: ["png_url", "svg_url"], other: {} });
export type CodeFiles = z.infer<typeof CodeFiles>;
