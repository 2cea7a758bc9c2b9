import type { Problem } from "../base/errors.ts";
import type { SeenAddress } from "./address-words.ts";
import { toMovedLink } from "./public-address.ts";
import { SAMPLE_ORIGIN, SAMPLE_PATH } from "../plan/link-path.ts";
import type { PlanGroup } from "../plan/tally.ts";

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

type Links = Pick<
  PlanGroup,
  "longestPayload" | "longestPath" | "longestLink" | "hasMadeLinks" | "hasUntoldLinks"
>;

const longestOf = (texts: readonly string[], least = ""): string =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), least);

/** A link of the same length that no slug of this length needs a larger code than; capitals take as little as digits. */
function withoutDigits(link: string): string {
  if (link === link.toUpperCase()) return link;
  const slug = link.lastIndexOf("/") + 1;
  return `${link.slice(0, slug)}${link.slice(slug).replaceAll(/\d/gu, "x")}`;
}

/** Of links that are told: the longest, and what stands in for those to come. */
function toToldText(
  link: string,
  { longestPath: path, hasMadeLinks, hasUntoldLinks }: Links,
  { moved }: SampleLinks,
): string {
  const known = (moved && toMovedLink(link, moved.from, moved.to)) ?? link;
  const told = hasUntoldLinks && hasMadeLinks ? withoutDigits(known) : known;
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

/** True where nobody knows yet how long the links of the codes are: their server makes them up, or its address. */
export const hasGuess = ({ groups, links }: Guess): boolean =>
  links.areTold === true &&
  groups.some(
    ({ hasUntoldLinks, hasMadeLinks, longestPayload, longestLink }) =>
      hasUntoldLinks &&
      longestPayload === "" &&
      (hasMadeLinks || (links.publicUrl ?? longestLink) === undefined),
  );

/** A fault that codes have if their links are as long as the sample; others stay as they are. */
export function sayGuess({ groups, links }: Guess, problem: Problem): Problem {
  if (!hasGuess({ groups, links })) return problem;
  const { length } = longestText(groups, links);
  return {
    ...problem,
    message: `if short links have ${length} characters, the sheets can't be printed: ${problem.message}`,
    hint: [
      problem.hint,
      "how long the links are is known once the server has made them: to make them first, plan with a smaller x_dimension_mm or a larger label, or without sheets",
    ]
      .filter(Boolean)
      .join("; "),
  };
}
