import type { Problem } from "../base/errors.ts";
import type { SeenAddress } from "./address-words.ts";
import { toMovedLink } from "./public-address.ts";
import type { PlanGroup } from "../plan/tally.ts";

/** Stand in for what does not exist yet: an origin of usual length, and the slug of a short link. */
export const SAMPLE_ORIGIN = "https://short.example.com";
export const SAMPLE_PATH = "/abcd2345";

/** What short links of a job will begin with, as far as it is known before they exist. */
export function toSampleOrigin(
  { code }: { readonly code: { readonly domain: string | null } },
  { baseUrl, publicUrl }: { readonly baseUrl: string | undefined; readonly publicUrl: string },
): string {
  const host = baseUrl === undefined ? publicUrl : (code.domain ?? SAMPLE_ORIGIN);
  return /^https?:/u.test(host) ? host : `https://${host}`;
}

/** Facts about short links that don't exist yet. */
export interface SampleLinks {
  /** What they begin with, where it is known. */
  readonly publicUrl: string | undefined;
  /** All of them are in capitals, which need a smaller code. */
  readonly inCapitals: boolean;
  /** A server tells what they are: those of codes that exist are known, others are not. */
  readonly areTold?: boolean;
  /** Where a run moves those that exist. */
  readonly moved?: SeenAddress | undefined;
}

/** The least that any server may make of them. */
export const LEAST_LINKS = { publicUrl: "", inCapitals: true, areTold: true } as const;

type Links = Pick<
  PlanGroup,
  "longestPayload" | "longestPath" | "longestLink" | "hasMadeLinks" | "hasUntoldLinks"
>;

const longestOf = (texts: readonly string[], least = ""): string =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), least);

/** Of links that are told: the longest, and what stands in for those to come. */
function toToldText(
  link: string,
  { longestPath: path, hasUntoldLinks }: Links,
  { moved }: SampleLinks,
): string {
  const told = (moved && toMovedLink(link, moved.from, moved.to)) ?? link;
  if (hasUntoldLinks !== true || path === "") return told;
  const end = told.indexOf("/", told.indexOf("//") + 2);
  return longestOf([told, `${end < 0 ? told : told.slice(0, end)}${path}`]);
}

/** Of links that don't exist yet. */
function toMadeUp(group: Links | undefined, links: SampleLinks): string {
  const { publicUrl = SAMPLE_ORIGIN, inCapitals } = links;
  const path = group?.longestPath ?? "";
  const isLongest = group?.hasMadeLinks !== true || path.length > SAMPLE_PATH.length;
  if (path !== "" && isLongest) return `${publicUrl}${path}`;
  const link = `${publicUrl}${SAMPLE_PATH}`;
  return inCapitals ? link.toUpperCase() : link;
}

/** The longest text of a group's codes, as far as it is known, or of about its length. */
export function toSampleText(group: Links | undefined, links: SampleLinks): string {
  if (group?.longestPayload) return group.longestPayload;
  const told = links.areTold === true ? group?.longestLink : undefined;
  return group === undefined || told === undefined
    ? toMadeUp(group, links)
    : toToldText(told, group, links);
}

/** The longest text of a job's codes as far as the plan knows it; undefined where it doesn't. */
export function toSamplePayload(
  isDynamic: boolean,
  groups: readonly Links[],
  links: SampleLinks,
): string | undefined {
  const longest = longestOf(groups.map((group) => toSampleText(group, links)));
  return longest || (isDynamic ? toSampleText(undefined, links) : undefined);
}

/** A text as long as the longest code's. */
export const longestText = (groups: readonly Links[], links: SampleLinks): string =>
  longestOf(groups.map((group) => toSampleText(group, links))) || toSampleText(undefined, links);

interface Guess {
  readonly groups: readonly Links[];
  readonly links: SampleLinks;
}

/** True where a sample stands in for links that a server has not told. */
export const hasGuess = ({ groups, links }: Guess): boolean =>
  links.areTold === true &&
  groups.some(({ hasUntoldLinks, longestPayload }) => hasUntoldLinks && longestPayload === "");

/** A fault that codes have if their links are as long as the sample. */
export const sayGuess = ({ groups, links }: Guess, { message, hint }: Problem): Problem => ({
  message: `if short links have ${longestText(groups, links).length} characters, the sheets can't be printed: ${message}`,
  hint: ["how long they are is known once the server has made them; codes that are made stay", hint]
    .filter(Boolean)
    .join("; "),
});
