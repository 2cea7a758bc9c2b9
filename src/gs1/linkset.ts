/** Linksets (RFC 9264) as GS1's schema wants them (docs/spec/gs1.md section 5). */
import { identifierKinds } from "./identifiers.ts";
import { toDigitalLinkPath, type DigitalLink } from "./digital-link.ts";
import { DEFAULT_LINK, toVocabularyUri } from "./link-types.ts";

export interface LinksetLink {
  readonly linkType: string;
  readonly title: string;
  readonly href: string;
  readonly mediaType: string;
  readonly language: string | null;
  readonly isDefault: boolean;
}

/** One level: what is registered, and its links. */
export interface LinksetLevel extends DigitalLink {
  readonly links: readonly LinksetLink[];
}

const names: Readonly<Record<string, string>> = { "10": "batch", "21": "serial" };

function describeLevel({ type, value, qualifiers }: DigitalLink): string {
  const parts = qualifiers.map(([ai, each]) => `${names[ai] ?? ai} ${each}`);
  return [`${identifierKinds[type].label} ${value}`, ...parts].join(", ");
}

/** GS1's schema takes no scheme in capitals, which destinations may have. */
const toHref = (url: string): string => url.replace(/^https?:/iu, (scheme) => scheme.toLowerCase());

function toEntry({ href, title, mediaType, language }: LinksetLink): Record<string, unknown> {
  const hreflang = language === null ? {} : { hreflang: [language] };
  return { href: toHref(href), title, type: mediaType, ...hreflang };
}

function toElement(root: string, level: LinksetLevel): Record<string, unknown> {
  const main = level.links.find(({ isDefault }) => isDefault);
  const byType = new Map<string, Record<string, unknown>[]>();
  for (const link of level.links) {
    const uri = toVocabularyUri(link.linkType);
    byType.set(uri, [...(byType.get(uri) ?? []), toEntry(link)]);
  }
  return {
    anchor: `${root}${toDigitalLinkPath(level)}`,
    itemDescription: describeLevel(level),
    ...(main === undefined
      ? {}
      : { [toVocabularyUri(DEFAULT_LINK)]: [{ href: toHref(main.href), title: main.title }] }),
    ...Object.fromEntries(byType),
  };
}

/**
 * The linkset of these levels, the most specific one first. `root` = origin and stem of the anchors.
 */
export function makeLinkset(
  root: string,
  levels: readonly LinksetLevel[],
): { readonly linkset: readonly Record<string, unknown>[] } {
  return { linkset: levels.map((level) => toElement(root, level)) };
}

/** The JSON-LD context of linksets: served for `Link: rel=…#context` (docs/spec/gs1.md section 6). */
export const linksetContext = {
  "@context": {
    "@version": 1.1,
    "@vocab": "https://ref.gs1.org/voc/",
    dcterms: "http://purl.org/dc/terms/",
    linkset: "@graph",
    anchor: "@id",
    href: "@id",
    itemDescription: "dcterms:description",
    title: "dcterms:title",
    type: "dcterms:format",
    hreflang: { "@id": "dcterms:language", "@container": "@set" },
  },
} as const;
