/**
 * The link types of the API (docs/spec/api.md section 4.9) and their names in GS1's vocabulary
 * (docs/spec/gs1.md section 4).
 */
export const linkTypes = [
  "gs1:pip",
  "gs1:quickStartGuide",
  "gs1:instructions",
  "gs1:safetyInfo",
  "gs1:recipeInfo",
  "gs1:traceability",
  "gs1:hasRetailers",
  "gs1:recallStatus",
  "gs1:review",
  "gs1:ePIL",
  "gs1:productSustainabilityInfo",
  "gs1:promotion",
  "gs1:masterData",
  "gs1:smpc",
  "gs1:certificationInfo",
  "gs1:registerProduct",
] as const;
export type LinkType = (typeof linkTypes)[number];

/** The label of a product's first link, which is made with it. */
export const PIP_LABEL = "Product Information Page";

const VOCABULARY = "https://ref.gs1.org/voc/";
const PREFIX = /^(?:gs1:|https?:\/\/(?:ref\.gs1\.org|(?:www\.)?gs1\.org)\/voc\/)/u;

/** API name -> name in the vocabulary, where they differ. */
const spelled: Readonly<Record<string, string>> = { ePIL: "epil" };
/** Names in requests that mean a link type with another name. */
const aliases: ReadonlyMap<string, LinkType> = new Map([
  ["epil", "gs1:ePIL"],
  ["sustainabilityInfo", "gs1:productSustainabilityInfo"],
]);

/** The full URI of a link type in linksets. */
export function toVocabularyUri(type: string): string {
  const name = type.replace(PREFIX, "");
  return `${VOCABULARY}${spelled[name] ?? name}`;
}

/** The name in linksets for the link of a plain scan, whatever its type. */
export const DEFAULT_LINK = "gs1:defaultLink";

/** The API's name for the value of `linkType=`, or undefined. */
export function readLinkType(wanted: string): LinkType | typeof DEFAULT_LINK | undefined {
  if (!PREFIX.test(wanted)) return undefined;
  const name = wanted.replace(PREFIX, "");
  if (DEFAULT_LINK === `gs1:${name}`) return DEFAULT_LINK;
  return aliases.get(name) ?? linkTypes.find((type) => type === `gs1:${name}`);
}
