/**
 * GS1 products: docs/spec/api.md sections 2.12 and 4.9, with the rules of
 * docs/spec/gs1.md section 4.
 */
import { z } from "zod";

import { checkExpiryDate } from "../gs1/expiry-date.ts";
import {
  checkIdentifier,
  identifierKinds,
  identifierTypes,
  isIdentifierType,
  type IdentifierType,
} from "../gs1/identifiers.ts";
import { linkTypes } from "../gs1/link-types.ts";
import { checkQualifier, takesBatch, takesExpiry } from "../gs1/qualifiers.ts";

import { filledText, flag, oneOf, orDefault, text, webUrl, workspaceId } from "./fields.ts";
import { ownLimits } from "./limits.ts";

export const ProductLink = z.looseObject({
  id: z.string().min(1),
  link_type: z.string(),
  title: z.string().nullish(),
  destination_url: z.string(),
  is_default: z.boolean(),
  language: z.string().nullish(),
  media_type: z.string().nullish(),
});
export type ProductLink = z.infer<typeof ProductLink>;

export const Product = z.looseObject({
  id: z.string().min(1),
  identifier_type: z.string(),
  identifier_value: z.string(),
  batch_lot: z.string().nullish(),
  serial_number: z.string().nullish(),
  expiry_date: z.string().nullish(),
  identifier_label: z.string().nullish(),
  digital_link_path: z.string().nullish(),
  link_types: z.array(ProductLink).nullish(),
  created: z.string().nullish(),
});
export type Product = z.infer<typeof Product>;

/** What tells one product from another, and its expiry; fields that are wrong themselves may be anything. */
export interface ProductDraft {
  readonly identifier_type?: unknown;
  readonly identifier_value?: unknown;
  readonly batch_lot?: unknown;
  readonly serial_number?: unknown;
  readonly expiry_date?: unknown;
}

type Finding = readonly [field: string, message: string];

const toSentence = (fault: string): string => fault.replace(/^must/u, "Must");

/** field -> why its value is wrong beside the others, as "must …" or a sentence; one line per field. */
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
 * All faults of a product as a whole (docs/spec/gs1.md section 4). A type that is not known says
 * enough itself.
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const identity = {
  identifier_type: oneOf(identifierTypes),
  batch_lot: text(100).nullish(),
  serial_number: text(100).nullish(),
  expiry_date: text(20).nullish(),
};

const identifierValue = filledText(100);

function addFindings(draft: ProductDraft, context: z.core.$RefinementCtx): void {
  for (const [field, message] of checkProduct(draft)) {
    const input = draft[field as keyof ProductDraft];
    context.addIssue({ code: "custom", path: [field], message, input });
  }
}

/** Runs beside wrong fields too, so that one answer names everything. */
const always = { when: ({ value }: { value: unknown }) => isObject(value) };

export const ProductCreate = z
  .object({
    workspace: workspaceId,
    ...identity,
    identifier_type: orDefault(identity.identifier_type, "01"),
    identifier_value: identifierValue,
    destination_url: webUrl.nullish(),
    /** Ours: title of the `gs1:pip` link that `destination_url` seeds. */
    destination_title: filledText(ownLimits.maxDisplayName).nullish(),
  })
  .superRefine(addFindings, always);
export type ProductCreate = z.input<typeof ProductCreate>;

/** A product inside the create of its code: the same, with a destination that must be there. */
export const ProductOfCode = z
  .object(
    {
      ...identity,
      identifier_type: orDefault(identity.identifier_type, "01"),
      identifier_value: identifierValue,
      destination_url: webUrl,
    },
    { error: "Must be a product id or an object with identifier_value and destination_url" },
  )
  .superRefine(addFindings, always);

/** Identifier and qualifiers; null takes a qualifier away. The merged record is judged by the service. */
export const ProductPatch = z.object({
  identifier_type: identity.identifier_type.nullish(),
  identifier_value: identifierValue.optional(),
  batch_lot: identity.batch_lot,
  serial_number: identity.serial_number,
  expiry_date: identity.expiry_date,
});
export type ProductPatch = z.input<typeof ProductPatch>;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/iu;
const LANGUAGE = /^[a-z]{2}(?:-[A-Z]{2})?$/u;

const linkFields = {
  link_type: oneOf(linkTypes),
  title: filledText(ownLimits.maxDisplayName),
  destination_url: webUrl,
  is_default: flag,
  language: text(20).regex(LANGUAGE, { error: "Must be a language like de or de-AT" }).nullish(),
  media_type: text(300).regex(MEDIA_TYPE, { error: "Must be a media type like text/html" }),
};

export const ProductLinkCreate = z.object({
  ...linkFields,
  is_default: linkFields.is_default.nullish(),
  media_type: orDefault(linkFields.media_type, "text/html"),
});
export type ProductLinkCreate = z.input<typeof ProductLinkCreate>;

export const ProductLinkPatch = z.object(linkFields).partial();
export type ProductLinkPatch = z.input<typeof ProductLinkPatch>;

export const Linkset = z.looseObject({
  linkset: z.array(z.looseObject({ anchor: z.string() })),
});

export const LinksetQuery = z.object({
  domain: text(253)
    .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/iu, { error: "Must be a domain" })
    .optional(),
});
