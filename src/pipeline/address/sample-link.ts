import { type LookFields, toLevel } from "../../api/design.ts";
import type { Problem } from "../../base/errors.ts";
import type { SeenAddress } from "./address-words.ts";
import { toMovedLink } from "./public-address.ts";
import { SAMPLE_ORIGIN, SAMPLE_PATH } from "../../plan/link-path.ts";
import { toLarger } from "../../plan/payload.ts";
import type { PlanGroup } from "../../plan/tally.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";

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

/** A text for a code that may not exist yet. */
interface Sample {
  readonly text: string;
  /** Its length is made up. */
  readonly isMadeUp: boolean;
}

/** The one that needs the largest code; the first of several. */
const largestOf = (samples: readonly Sample[], level: QrLevel): Sample | undefined =>
  samples.reduce<Sample | undefined>(
    (most, one) => (most && toLarger(most.text, one.text, level) === most.text ? most : one),
    undefined,
  );

const known = (text: string): Sample => ({ text, isMadeUp: false });
const madeUp = (text: string): Sample => ({ text, isMadeUp: true });

/** A link of the same length that no slug of this length needs a larger code than; capitals take as little as digits. */
function withoutDigits(link: string): string {
  if (link === link.toUpperCase()) return link;
  const slug = link.lastIndexOf("/") + 1;
  return `${link.slice(0, slug)}${link.slice(slug).replaceAll(/\d/gu, "x")}`;
}

/** Of links that are told: the largest, and what stands in for those to come. */
function listTold(
  link: string,
  { longestPath: path, hasMadeLinks, hasUntoldLinks }: Links,
  { moved }: SampleLinks,
): Sample[] {
  const told = (moved && toMovedLink(link, moved.from, moved.to)) ?? link;
  if (hasUntoldLinks !== true) return [known(told)];
  const end = told.indexOf("/", told.indexOf("//") + 2);
  const origin = end < 0 ? told : told.slice(0, end);
  const named = `${origin}${path}`;
  const isNamed = path !== "" && told.toLowerCase() === named.toLowerCase();
  // Others that the server makes up are as long as those that it made up before.
  const made = isNamed ? `${origin}${SAMPLE_PATH}` : withoutDigits(told);
  return [...(hasMadeLinks ? [madeUp(made)] : []), known(told), known(named)];
}

/** Of links that don't exist yet. */
function listUntold(group: Links | undefined, links: SampleLinks): Sample[] {
  const { publicUrl, inCapitals } = links;
  const origin = publicUrl ?? SAMPLE_ORIGIN;
  const path = group?.longestPath ?? "";
  const made = `${origin}${SAMPLE_PATH}`;
  return [
    ...(path === "" || group?.hasMadeLinks ? [madeUp(inCapitals ? made.toUpperCase() : made)] : []),
    ...(path === "" ? [] : [{ text: `${origin}${path}`, isMadeUp: publicUrl === undefined }]),
  ];
}

function listSamples(group: Links | undefined, links: SampleLinks): Sample[] {
  if (group?.longestPayload) return [known(group.longestPayload)];
  const told = links.areTold === true ? group?.longestLink : undefined;
  return group === undefined || told === undefined
    ? listUntold(group, links)
    : listTold(told, group, links);
}

/** Of a group's codes, the text that needs the largest at this level, as far as it is known, or of about its length. */
export const toSampleText = (
  group: Links | undefined,
  links: SampleLinks,
  level: QrLevel,
): string => largestOf(listSamples(group, links), level)?.text ?? "";

/** The codes of a job, as far as the plan knows them. */
interface Codes {
  readonly groups: readonly Links[];
  readonly links: SampleLinks;
  readonly design: LookFields;
}

const findLargest = ({ groups, links, ...code }: Codes): Sample | undefined =>
  largestOf(
    groups.flatMap((group) => listSamples(group, links)),
    toLevel(code),
  );

/** The same of a job's codes as far as the plan knows it; undefined where it doesn't. */
export const toSamplePayload = (isDynamic: boolean, codes: Codes): string | undefined =>
  isDynamic ? longestText(codes) : findLargest(codes)?.text;

/** A text that needs as large a code as any of the job's. */
export const longestText = (codes: Codes): string =>
  findLargest(codes)?.text ?? toSampleText(undefined, codes.links, toLevel(codes));

/** True where nobody knows yet how long the link is that needs the largest code: its server makes it up, or its address. */
export const hasGuess = (codes: Codes): boolean =>
  codes.links.areTold === true && findLargest(codes)?.isMadeUp === true;

/** A fault that codes have if their links are as long as the sample; others stay as they are. */
export function sayGuess(codes: Codes, problem: Problem): Problem {
  if (!hasGuess(codes)) return problem;
  const { length } = longestText(codes);
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
