/**
 * GS1 products: docs/spec/api.md sections 2.12 and 4.9, with the rules of
 * docs/spec/gs1.md section 4.
 */
import { z } from "zod";

import { isRecord } from "../base/is-record.ts";
import { isUrl } from "../base/text/url.ts";
import { checkExpiryDate } from "../gs1/expiry-date.ts";
import {
  checkIdentifier,
  identifierKinds,
  identifierTypes,
  isIdentifierType,
  type IdentifierType,
} from "../gs1/identifiers.ts";
import { DEFAULT_LINK, linkTypes, toVocabularyUri } from "../gs1/link-types.ts";
import { checkQualifier, takesBatch, takesExpiry } from "../gs1/qualifiers.ts";

import { named, ofAnyServer, readAs } from "./announce.ts";
import {
  created,
  filledText,
  flag,
  idOf,
  oneOf,
  orDefault,
  text,
  webUrl,
  workspaceId,
} from "./fields.ts";
import { ownLimits } from "./limits.ts";

const LinkType = named("LinkType", oneOf(linkTypes).describe("What a destination is about."));
const IdentifierTypeName = named(
  "IdentifierType",
  oneOf(identifierTypes).describe(
    "GS1 application identifier of the key: 01 is a GTIN, 414 a GLN, 00 an SSCC.",
  ),
);

const says = {
  linkTitle: { description: "What people call the destination.", examples: ["Product page"] },
  destination: { description: "Where it leads.", examples: ["https://example.com/tea"] },
  language: { description: "Language of the destination, such as de or de-AT.", examples: ["en"] },
  mediaType: { description: "Media type of the destination.", examples: ["text/html"] },
  value: { description: "The identifier, such as a GTIN.", examples: ["09506000134352"] },
  batch: { description: "Batch or lot.", examples: ["LOT1"] },
  serial: { description: "Serial number.", examples: ["S-1001"] },
  expiry: { description: "Expiry date as YYMMDD.", examples: ["261231"] },
} as const;

const ProductLinkSent = named(
  "ProductLink",
  z
    .object({
      id: idOf("link"),
      link_type: LinkType,
      title: z.string().meta(says.linkTitle),
      destination_url: z.string().meta(says.destination),
      is_default: z
        .boolean()
        .describe("Whether a plain scan leads there: one link of each product."),
      language: z.string().nullable().meta(says.language),
      media_type: z.string().meta(says.mediaType),
    })
    .describe("Where one link type of a product leads."),
);
export const ProductLink = ofAnyServer(ProductLinkSent, {
  needed: ["id", "link_type", "destination_url", "is_default"],
  other: { link_type: z.string() },
});
export type ProductLink = z.infer<typeof ProductLink>;

const ProductSent = named(
  "Product",
  z
    .object({
      id: idOf("product"),
      identifier_type: IdentifierTypeName,
      identifier_value: z.string().meta({
        ...says.value,
        description: "The identifier. A GTIN has 14 digits, whatever was sent.",
      }),
      batch_lot: z.string().nullable().meta(says.batch),
      serial_number: z.string().nullable().meta(says.serial),
      expiry_date: z.string().nullable().meta(says.expiry),
      identifier_label: z.string().meta({ description: "Name of the type.", examples: ["GTIN"] }),
      digital_link_path: z.string().meta({
        description:
          "Path of its Digital Link: key, value and qualifiers. Before it comes the word of the workspace, if it has one: the linkset's `anchor` shows the whole address.",
        examples: ["/01/09506000134352"],
      }),
      link_types: z
        .array(ProductLinkSent)
        .describe("Where it leads, one destination per link type."),
      created,
    })
    .describe("A GS1 Digital Link product."),
);
export const Product = ofAnyServer(ProductSent, {
  needed: ["id", "identifier_type", "identifier_value"],
  other: { identifier_type: z.string(), link_types: z.array(ProductLink).nullish() },
});
export type Product = z.infer<typeof Product>;

/** The fields that identify a product, and its expiry; wrong fields may have any value. */
export interface ProductDraft {
  readonly identifier_type?: unknown;
  readonly identifier_value?: unknown;
  readonly batch_lot?: unknown;
  readonly serial_number?: unknown;
  readonly expiry_date?: unknown;
}

type Finding = readonly [field: string, message: string];

const toSentence = (fault: string): string => fault.replace(/^must/u, "Must");

/**
 * field -> why its value is wrong in combination with others, as "must …" or a sentence; one line per
 * field.
 */
const productRules = {
  identifier_value: (type, value) => (value === "" ? undefined : checkIdentifier(type, value)),
  batch_lot: (type, value) =>
    takesBatch(type) ? checkQualifier(value) : `${describeType(type)} takes no batch/lot`,
  serial_number: (type, value) =>
    takesBatch(type) ? checkQualifier(value) : `${describeType(type)} takes no serial number`,
  expiry_date: (type, value) =>
    takesExpiry(type) ? checkExpiryDate(value) : `${describeType(type)} takes no expiry date`,
} as const satisfies Partial<
  Record<keyof ProductDraft, (type: IdentifierType, value: string) => string | undefined>
>;

const describeType = (type: IdentifierType): string => `${identifierKinds[type].label} (${type})`;

/**
 * All faults of a product as a whole (docs/spec/gs1.md section 4). An unknown type is reported
 * alone.
 */
export function checkProduct(draft: ProductDraft): Finding[] {
  const { identifier_type: type = "01" } = draft;
  if (typeof type !== "string" || !isIdentifierType(type)) return [];
  return Object.entries(productRules).flatMap(([field, rule]): Finding[] => {
    const value = draft[field as keyof typeof productRules];
    const fault = typeof value === "string" ? rule(type, value) : undefined;
    return fault === undefined ? [] : [[field, toSentence(fault)]];
  });
}

const identity = {
  identifier_type: IdentifierTypeName,
  batch_lot: text(100).nullish().meta(says.batch),
  serial_number: text(100).nullish().meta(says.serial),
  expiry_date: text(20).nullish().meta(says.expiry),
};

const typeOrGtin = orDefault(identity.identifier_type, "01").describe(
  "GS1 application identifier of the key: 01 is a GTIN, 414 a GLN, 00 an SSCC. 01 unless given.",
);

const identifierValue = filledText(100).meta({
  ...says.value,
  description: "The identifier with its check digit. A GTIN may have 8, 12, 13 or 14 digits.",
});

function addFindings(draft: ProductDraft, context: z.core.$RefinementCtx): void {
  for (const [field, message] of checkProduct(draft)) {
    const input = draft[field as keyof ProductDraft];
    context.addIssue({ code: "custom", path: [field], message, input });
  }
}

/** Also runs when other fields are wrong, so that one answer names all faults. */
const always = { when: ({ value }: { value: unknown }) => isRecord(value) };

export const ProductCreate = named(
  "ProductCreate",
  z
    .object({
      workspace: workspaceId,
      ...identity,
      identifier_type: typeOrGtin,
      identifier_value: identifierValue,
      destination_url: webUrl.nullish().meta({
        ...says.destination,
        description: "Where a plain scan leads: becomes the gs1:pip link.",
      }),
      /** Our own. */
      destination_title: filledText(ownLimits.maxDisplayName)
        .nullish()
        .describe("What people call that destination."),
    })
    .superRefine(addFindings, always),
);
export type ProductCreate = z.input<typeof ProductCreate>;

/** A product within the create of its code: the same, but its destination is required. */
export const ProductOfCode = named(
  "ProductOfCode",
  z
    .object(
      {
        ...identity,
        identifier_type: typeOrGtin,
        identifier_value: identifierValue,
        destination_url: webUrl.meta(says.destination),
      },
      { error: "Must be a product id or an object with identifier_value and destination_url" },
    )
    .superRefine(addFindings, always)
    .describe("A product that is registered with its code."),
);

/** Identifier and qualifiers; null removes a qualifier. The service checks the merged record. */
export const ProductPatch = named(
  "ProductUpdate",
  z.object({
    identifier_type: identity.identifier_type.nullish(),
    identifier_value: identifierValue.optional(),
    batch_lot: identity.batch_lot,
    serial_number: identity.serial_number,
    expiry_date: identity.expiry_date,
  }),
);
export type ProductPatch = z.input<typeof ProductPatch>;

// The flag for capitals would be lost in the description.
const MEDIA_TYPE =
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/u;
const LANGUAGE = /^[a-z]{2}(?:-[A-Z]{2})?$/u;

const linkFields = {
  link_type: LinkType,
  title: filledText(ownLimits.maxDisplayName).meta(says.linkTitle),
  destination_url: webUrl.meta(says.destination),
  is_default: flag.describe("Makes it the one where a plain scan leads."),
  language: text(20)
    .regex(LANGUAGE, { error: "Must be a language like de or de-AT" })
    .nullish()
    .meta(says.language),
  media_type: text(300)
    .regex(MEDIA_TYPE, { error: "Must be a media type like text/html" })
    .meta(says.mediaType),
};

const LinkWords = z.object({ language: linkFields.language, media_type: linkFields.media_type });
type LinkWord = "language" | "media_type";

/** What is wrong with the language or the media type of a link, by the rules of its create. */
export function checkLinkWords(
  link: Readonly<Record<LinkWord, string | null>>,
): (readonly [field: LinkWord, message: string])[] {
  const read = LinkWords.safeParse(link);
  const issues = read.success ? [] : read.error.issues;
  return issues.map(({ path: [field], message }) => [field as LinkWord, message]);
}

export const ProductLinkCreate = named(
  "ProductLinkCreate",
  z.object({
    ...linkFields,
    is_default: linkFields.is_default.nullish(),
    media_type: orDefault(linkFields.media_type, "text/html").meta({
      ...says.mediaType,
      description: "Media type of the destination; text/html unless given.",
    }),
  }),
);
export type ProductLinkCreate = z.input<typeof ProductLinkCreate>;

export const ProductLinkPatch = named("ProductLinkUpdate", z.object(linkFields).partial());
export type ProductLinkPatch = z.input<typeof ProductLinkPatch>;

const LinksetTarget = named(
  "LinksetTarget",
  z
    .object({
      href: z.string().meta(says.destination),
      title: z.string().meta(says.linkTitle),
      type: z.string().optional().meta(says.mediaType),
      hreflang: z.array(z.string()).optional().describe("Languages of the destination."),
    })
    .describe("A destination in a linkset."),
);
const targets = z.array(LinksetTarget).optional();
/** URI of a link type -> where it leads. */
const targetFields = Object.fromEntries([
  [toVocabularyUri(DEFAULT_LINK), targets.describe("Where a plain scan leads.")],
  ...linkTypes.map((type) => [toVocabularyUri(type), targets.describe(`Link type ${type}.`)]),
]) as Record<string, typeof targets>;

const LinksetLevel = named(
  "LinksetLevel",
  z
    .object({
      anchor: z.string().meta({
        description: "The Digital Link.",
        examples: ["https://go.example.com/01/09506000134352"],
      }),
      itemDescription: z
        .string()
        .meta({ description: "What it stands for.", examples: ["GTIN 09506000134352"] }),
      ...targetFields,
    })
    .describe("One level of a linkset: its Digital Link, and where each link type leads."),
);
const LinksetSent = named(
  "Linkset",
  z
    .object({ linkset: z.array(LinksetLevel).describe("The product first, then those above it.") })
    .describe("A linkset (RFC 9264)."),
);
export const Linkset = readAs(
  LinksetSent,
  z.looseObject({ linkset: z.array(z.looseObject({ anchor: z.string() })) }),
);

const NO_HOST = "Must be a domain";
/** Labels of 1 to 63 characters that neither begin nor end with a hyphen (RFC 1123), and a port. */
const HOST =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*(?::\d{1,5})?$/u;

/** Also false for ports and numeric addresses that no host can have. */
function canBeHost(text: string): boolean {
  const [host = "", port = "1"] = text.split(":");
  const isNumeric = /^\d+$/u.test(host.slice(host.lastIndexOf(".") + 1));
  return Number(port) >= 1 && Number(port) <= 65_535 && (!isNumeric || isUrl(`https://${host}`));
}

export const LinksetQuery = z.object({
  domain: text(253)
    .regex(HOST, { error: NO_HOST, abort: true })
    .refine(canBeHost, { error: NO_HOST })
    .optional()
    .meta({
      description: "Host of the anchors; left out, the usual one.",
      examples: ["id.example.com"],
    }),
});
