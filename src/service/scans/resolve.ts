/** The resolver of Digital Links: `GET /01/{gtin}` and the like (docs/spec/gs1.md section 6). */
import { isCompressed } from "../../gs1/compressed.ts";
import { readDigitalLink, toDigitalLinkPath, type RequestedLink } from "../../gs1/digital-link.ts";
import { identifierTypes } from "../../gs1/identifiers.ts";
import { DEFAULT_LINK, readLinkType } from "../../gs1/link-types.ts";
import { linksetContext, makeLinkset, type LinksetLink } from "../../gs1/linkset.ts";
import type { Addresses } from "../addresses.ts";
import { toLength } from "../http/reply.ts";
import type { Sender } from "../http/senders.ts";
import { replyNotice } from "../public/public-style.ts";
import type { Words } from "../public/words/en.ts";
import { wordsFor } from "../public/words/words.ts";
import type { KnownLevel, KnownLevels } from "./known-levels.ts";
import type { ScanRecorder } from "./recorder.ts";
import { toLocation } from "./targets.ts";

export interface ResolveParts {
  readonly levels: KnownLevels;
  readonly recorder: ScanRecorder;
  readonly addresses: Addresses;
}

const METHODS = "GET, HEAD, OPTIONS";
const shared = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": METHODS,
  "access-control-expose-headers": "Link, Location",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  vary: "Accept",
};

const refuseWith = (status: number, detail: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ detail }), {
    status,
    headers: { ...shared, "content-type": "application/json", ...headers },
  });

/** Words for a person who scanned the code; `detail` is for programs. */
interface Sorry {
  readonly status: 400 | 404;
  readonly says: (words: Words["product"]) => { readonly title: string; readonly text: string };
  readonly detail: string;
}

const unknownProduct: Sorry = {
  status: 404,
  says: ({ unknown, unknownText }) => ({ title: unknown, text: unknownText }),
  detail: "Not registered.",
};
const unknownLink: Sorry = {
  status: 404,
  says: ({ nothing, nothingText }) => ({ title: nothing, text: nothingText }),
  detail: "There is no such link.",
};
const brokenLink = (detail: string): Sorry => ({
  status: 400,
  says: ({ broken }) => ({ title: broken, text: detail }),
  detail,
});

/** Browsers get a page, programs JSON. */
function replySorry(request: Request, { status, says, detail }: Sorry): Response {
  const { linkset, page } = weighTypes(request.headers.get("accept") ?? "");
  if (page <= linkset) return refuseWith(status, detail);
  const { language, product } = wordsFor(request);
  return replyNotice({ language, status, ...says(product), headers: shared });
}

/** OPTIONS, and methods that the resolver does not take; undefined for GET and HEAD. */
export function answerMethod(method: string): Response | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  return method === "OPTIONS"
    ? new Response(null, { status: 204, headers: { ...shared, allow: METHODS } })
    : refuseWith(405, `Method ${method} is not allowed.`, { allow: METHODS });
}

const LINKSET_TYPES = new Set(["application/linkset+json", "application/json"]);
const PAGE_TYPES = new Set(["text/html", "application/xhtml+xml"]);

/** Weights of linkset and page, when the header names these types (RFC 9110, 12.5.1). */
function weighTypes(accept: string): { readonly linkset: number; readonly page: number } {
  let [linkset, page] = [0, 0];
  for (const each of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = each.split(";").map((part) => part.trim());
    const weight = parameters.find((part) => part.startsWith("q="))?.slice(2) ?? "1";
    if (LINKSET_TYPES.has(type)) linkset = Math.max(linkset, Number(weight));
    if (PAGE_TYPES.has(type)) page = Math.max(page, Number(weight));
  }
  return { linkset, page };
}

/** True when a linkset is requested, and a page with no greater weight. */
function prefersLinkset(accept: string): boolean {
  const { linkset, page } = weighTypes(accept);
  return linkset > 0 && linkset >= page;
}

/** The value of `linkType`; the name in any case. */
function readWanted(query: URLSearchParams): string | undefined {
  for (const [name, value] of query) if (name.toLowerCase() === "linktype") return value;
  return undefined;
}

/** The destination with the request's query appended (docs/spec/gs1.md section 6). */
export function passQuery(destination: string, search: string): string {
  if (search === "" || search === "?") return destination;
  const at = destination.indexOf("#");
  const [before, fragment] =
    at < 0 ? [destination, ""] : [destination.slice(0, at), destination.slice(at)];
  return `${before}${before.includes("?") ? "&" : "?"}${search.slice(1)}${fragment}`;
}

/** The nearest link of the requested type, else the default one. */
function findLink(
  levels: readonly KnownLevel[],
  wanted: string | undefined,
): { readonly level: KnownLevel; readonly link: LinksetLink } | undefined {
  const type = wanted === undefined ? DEFAULT_LINK : readLinkType(wanted);
  const fits = (link: LinksetLink): boolean =>
    type === DEFAULT_LINK ? link.isDefault : link.linkType === type;
  for (const level of levels) {
    const link = level.links.find(fits);
    if (link !== undefined) return { level, link };
  }
  return undefined;
}

interface Visit {
  readonly request: Request;
  readonly sender: Sender;
  /** Path and query as they were sent. */
  readonly target: string;
}

export const CONTEXT_PATH = "/context.jsonld";
export const DESCRIPTION_PATH = "/.well-known/gs1resolver";

type AddressParts = Pick<ResolveParts, "addresses">;

const toContextUrl = ({ addresses }: AddressParts): string =>
  `${addresses.publicUrl}${CONTEXT_PATH}`;

/** Describes this resolver (docs/spec/gs1.md section 6). */
export function replyDescription(parts: AddressParts): Response {
  const { publicUrl } = parts.addresses;
  const description = {
    name: "makeready",
    resolverRoot: publicUrl,
    supportedPrimaryKeys: identifierTypes,
    supportedLinkType: [{ namespace: "https://ref.gs1.org/voc/", prefix: "gs1:" }],
    contact: { fn: `Operator of ${new URL(publicUrl).host}` },
    linkTypeDefaultCanBeLinkset: false,
    supportsLanguageVariants: false,
    validatesAIcombinations: true,
    jsonLdContextLocation: toContextUrl(parts),
  };
  return new Response(JSON.stringify(description), {
    headers: { ...shared, "content-type": "application/json" },
  });
}

export function replyContext(): Response {
  return new Response(JSON.stringify(linksetContext), {
    headers: { ...shared, "content-type": "application/ld+json" },
  });
}

const NOT_UNPACKED =
  "Compressed Digital Links are not unpacked here: use the link as it was before compression, such as /01/09506000134352.";

/** Why a path that looks like a Digital Link is broken; undefined for any other path. */
function findBreak(path: string): string | undefined {
  const parsed = readDigitalLink(path, "");
  // A valid link: one of its values may still look compressed.
  if (typeof parsed === "object") return undefined;
  return isCompressed(path) ? NOT_UNPACKED : parsed;
}

/**
 * Answers a broken Digital Link (400): a key without its value, or a compressed link. Undefined for
 * any other path.
 */
export function refuseBroken(path: string, request: Request): Response | undefined {
  const why = findBreak(path);
  if (why === undefined) return undefined;
  return answerMethod(request.method) ?? replySorry(request, brokenLink(why));
}

/** Path and query of a request's target, which may be a whole URL. */
const TARGET = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/iu;

/** Answers a Digital Link; undefined when the path is none. Only a redirect counts as a scan. */
export async function resolve(parts: ResolveParts, visit: Visit): Promise<Response | undefined> {
  const [, path = "", search = ""] = TARGET.exec(visit.target) ?? [];
  const bare = path.replace(/(?<=.)\/$/u, "");
  const { request } = visit;
  const broken = refuseBroken(bare, request);
  if (broken !== undefined) return broken;
  const parsed = readDigitalLink(bare, search.slice(1));
  if (parsed === undefined) return undefined;
  if (request.method === "OPTIONS") return replyOptions(parts, parsed);
  const answer = answerMethod(request.method);
  if (answer !== undefined) return answer;
  return typeof parsed === "string"
    ? replySorry(request, brokenLink(parsed))
    : follow(parts, visit, { parsed, search });
}

/** A stem that no workspace has means the root. */
async function findLevels({ levels: known, addresses }: ResolveParts, parsed: RequestedLink) {
  const stem = parsed.stem !== "" && (await known.hasStem(parsed.stem)) ? parsed.stem : "";
  return { levels: await known.find(stem, parsed), root: `${addresses.publicUrl}${stem}` };
}

/** A `Link` header with the address of a level's linkset. */
const toLinksetLink = (root: string, level: KnownLevel): Record<string, string> => ({
  link: `<${root}${toDigitalLinkPath(level)}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`,
});

/**
 * GS1's test suite reads the headers of OPTIONS: they name the linkset, as a redirect's headers do.
 */
async function replyOptions(
  parts: ResolveParts,
  parsed: RequestedLink | string,
): Promise<Response> {
  const found = typeof parsed === "string" ? undefined : await findLevels(parts, parsed);
  const [nearest] = found?.levels.filter(({ links }) => links.length > 0) ?? [];
  const link =
    found === undefined || nearest === undefined ? {} : toLinksetLink(found.root, nearest);
  return new Response(null, { status: 204, headers: { ...shared, ...link, allow: METHODS } });
}

async function follow(
  parts: ResolveParts,
  { request, sender }: Visit,
  { parsed, search }: { readonly parsed: RequestedLink; readonly search: string },
): Promise<Response> {
  const { levels, root } = await findLevels(parts, parsed);
  if (levels.length === 0) return replySorry(request, unknownProduct);
  const wanted = readWanted(new URLSearchParams(search));
  if (wanted === "linkset" || prefersLinkset(request.headers.get("accept") ?? "")) {
    const linkset = JSON.stringify(makeLinkset(root, levels));
    return new Response(linkset, {
      headers: {
        ...shared,
        ...toLength(linkset),
        "content-type": "application/linkset+json",
        link: `<${toContextUrl(parts)}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`,
      },
    });
  }
  const found = findLink(levels, wanted);
  if (found === undefined) return replySorry(request, unknownLink);
  const { codeId } = found.level;
  if (request.method === "GET" && codeId !== undefined) {
    await parts.recorder.record({ codeId, sender }).held;
  }
  return new Response(null, {
    status: 307,
    headers: {
      ...shared,
      location: toLocation(passQuery(found.link.href, search)),
      ...toLinksetLink(root, found.level),
    },
  });
}
