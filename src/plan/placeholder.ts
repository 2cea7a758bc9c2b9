/** Destinations that stand for another one: told before they are printed. */
import type { Problem } from "../base/errors.ts";
import { isLoopbackUrl, isUrl } from "../base/text/url.ts";
import { cutText } from "../base/text/words.ts";
import type { Wanted } from "../state/row.ts";

/**
 * Names that RFC 2606 sections 2 and 3 keep for tests and manuals: nobody's site is there. What a
 * manual or a sample calls `menu.example.com` or `menu.example` is meant as a sample, and is left alone.
 */
const PLACEHOLDER = /^(?:www\.)?example\.(?:com|net|org)$|\.(?:test|invalid)$/u;
/** Cheap, since every row is asked. */
const MAY_BE = /example\.(?:com|net|org)|\.test\b|\.invalid\b/iu;

const isPlaceholder = (text: string): boolean =>
  MAY_BE.test(text) && isUrl(text) && PLACEHOLDER.test(new URL(text).hostname.replace(/\.$/u, ""));

const destinationsOf = ({ qrData, gs1Product, product, page }: Wanted): string[] => [
  ...[qrData ?? []].flat(),
  ...[gs1Product?.["destination_url"] ?? []].flat(),
  ...(product?.links ?? []).map(({ destination_url: url }) => url),
  ...(page?.links ?? []).map(({ url }) => url),
];

/** The first destination of a row that stands for another one. */
export const placeholderOf = (wanted: Wanted): string | undefined =>
  destinationsOf(wanted).find(isPlaceholder);

/** Cheap, as above. */
const MAY_BE_LOCAL = /localhost|127\.|\[::1\]|0\.0\.0\.0/iu;

/** The first destination of a row that phones look for on themselves. */
export const localTargetOf = (wanted: Wanted): string | undefined =>
  destinationsOf(wanted).find((text) => MAY_BE_LOCAL.test(text) && isLoopbackUrl(text));

const toProblem = (message: string, found: string | undefined): Problem[] =>
  found === undefined
    ? []
    : [
        {
          message,
          hint: `put the real address in place of ${cutText(found)} before anything is printed`,
        },
      ];

/** The messages name no address, so that each stands there once however many rows have one. */
export const findPlaceholder = (wanted: Wanted): Problem[] => [
  ...toProblem(
    "leads to a placeholder: example.com, .net, .org and names that end in .test or .invalid are nobody's",
    placeholderOf(wanted),
  ),
  ...toProblem(
    "leads to localhost or another address of one's own device: phones look for it on themselves",
    localTargetOf(wanted),
  ),
];
