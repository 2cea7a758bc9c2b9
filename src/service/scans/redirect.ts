/** The short link: `/{slug}`. */
import type { Vcard } from "../../api/vcard.ts";
import type { Sender } from "../http/senders.ts";
import { toFileVersion } from "../../api/payload.ts";
import { replyContactFile, replyContactPage } from "../public/contact-page.ts";
import { replyPositionPage } from "../public/position-page.ts";
import { replyNotice } from "../public/public-style.ts";
import { wordsFor } from "../public/words/words.ts";
import type { Store } from "../store/store.ts";
import { readDevice } from "./device.ts";
import { HOLD_MS, type Positions } from "./positions.ts";
import type { ScanRecorder } from "./recorder.ts";
import { refuseBroken } from "./resolve.ts";
import type { Target, Targets } from "./targets.ts";
import { countVoidScan } from "./void-codes.ts";

/** Every visit must reach the service: cached answers would leave scans uncounted. */
export const fresh = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function replyNotFound(request: Request): Response {
  const { language, notFound } = wordsFor(request);
  const { title, link: text } = notFound;
  return replyNotice({ language, status: 404, title, text, headers: fresh });
}

/** A client that asks for the type vCard gets the file itself. */
const wantsFile = (request: Request): boolean =>
  /\btext\/(?:x-)?vcard\b/iu.test(request.headers.get("accept") ?? "");

const FIND_CONTACT = "SELECT vcard FROM codes WHERE slug = ?";

async function readContact(store: Store, slug: string): Promise<Vcard | undefined> {
  const row = await store.rows.get<{ vcard: string | null }>(FIND_CONTACT, slug);
  const vcard = row?.vcard ?? null;
  return vcard === null ? undefined : (JSON.parse(vcard) as Vcard);
}

export interface RedirectParts {
  readonly store: Store;
  readonly targets: Targets;
  readonly recorder: ScanRecorder;
  readonly positions: Positions;
}

/** `GET /{slug}.vcf`, from a page that was counted already; `?version=4.0` or `3.0`. */
export async function replyVcf(
  { store, targets }: Pick<RedirectParts, "store" | "targets">,
  request: Request,
  slug: string,
): Promise<Response> {
  const url = new URL(request.url);
  const isVoid = (await targets.find(slug))?.isVoid === true;
  const contact = isVoid ? undefined : await readContact(store, slug);
  if (contact === undefined) return replyNotFound(request);
  const wanted = url.searchParams.get("version");
  const version = wanted === "3.0" || wanted === "4.0" ? wanted : toFileVersion(contact);
  return replyContactFile(contact, version);
}

async function replyContact(
  { store }: RedirectParts,
  request: Request,
  slug: string,
): Promise<Response> {
  const contact = await readContact(store, slug);
  if (contact === undefined) return replyNotFound(request);
  return wantsFile(request)
    ? replyContactFile(contact, toFileVersion(contact))
    : replyContactPage(contact, slug, wordsFor(request));
}

/** Headers of a redirect; with 307, other methods than GET and HEAD stay as they were sent. */
const replyTo = (location: string, status: 302 | 307): Response =>
  new Response(null, { status, headers: { ...fresh, location } });

const VISITS = "GET, HEAD, OPTIONS";
const FORWARDED = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const replyRefused = (allow: string): Response =>
  new Response("Method Not Allowed", {
    status: 405,
    headers: { ...fresh, allow, "content-type": "text/plain; charset=utf-8" },
  });

interface Visited {
  readonly request: Request;
  readonly target: Target;
  readonly sender: Sender;
}

/** GET and HEAD. GET counts as a scan, HEAD doesn't. */
async function look(parts: RedirectParts, { request, target, sender }: Visited): Promise<Response> {
  const { codeId, location, slug } = target;
  const counts = request.method === "GET";
  // A robot has no position: it is redirected, to see the destination.
  if (target.gps && location !== undefined && readDevice(sender.userAgent).kind !== "bot") {
    const scan = counts ? parts.recorder.record({ codeId, sender, holdMs: HOLD_MS }) : undefined;
    await scan?.held;
    return replyPositionPage({
      location,
      ticket: parts.positions.toTicket(scan?.id ?? ""),
      words: wordsFor(request),
    });
  }
  const reply =
    location === undefined ? await replyContact(parts, request, slug) : replyTo(location, 302);
  if (counts) await parts.recorder.record({ codeId, sender }).held;
  return reply;
}

/** A code that is void on paper. Its scans are counted separately, not in the workspace. */
async function replyVoid(
  { store }: RedirectParts,
  { request, target, sender }: Visited,
): Promise<Response> {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return replyRefused("GET, HEAD");
  if (method === "GET" && readDevice(sender.userAgent).kind !== "bot")
    await countVoidScan(store, target.codeId);
  const { language, voided } = wordsFor(request);
  return replyNotice({ language, status: 410, ...voided, headers: fresh });
}

const replyUnknown = (request: Request, slug: string): Response =>
  refuseBroken(`/${slug}`, request) ?? replyNotFound(request);

/** Answers any request to a short link. */
export async function redirect(
  parts: RedirectParts,
  request: Request,
  { slug, sender }: { readonly slug: string; readonly sender: Sender },
): Promise<Response> {
  const target = await parts.targets.find(slug);
  if (target === undefined) return replyUnknown(request, slug);
  const { method } = request;
  if (target.isVoid) return replyVoid(parts, { request, target, sender });
  if (method === "GET" || method === "HEAD") return look(parts, { request, target, sender });
  return forward(parts, { request, target, sender });
}

/** Methods other than GET and HEAD. */
async function forward(
  parts: RedirectParts,
  { request, target, sender }: Visited,
): Promise<Response> {
  const { method } = request;
  const { codeId, location, gps } = target;
  const isWeb = location !== undefined && /^https?:/iu.test(location);
  const allowed = isWeb ? `${VISITS}, ${[...FORWARDED].join(", ")}` : VISITS;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: allowed } });
  if (method === "POST" && gps && location !== undefined)
    return parts.positions.take(request, codeId);
  if (!isWeb || !FORWARDED.has(method)) return replyRefused(allowed);
  await parts.recorder.record({ codeId, sender }).held;
  return replyTo(location, 307);
}

const PLAIN_PATH = /^\/([A-Za-z\d-]+)\/?(?:\?|$)/u;

/** What the shortcut needs to know of a request. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly readSender: () => Sender;
}

/** A plain redirect (302), with its scan recorded. */
export interface PlainRedirect {
  readonly location: string;
  /** What the answer must wait for; undefined = nothing. */
  readonly held: Promise<void> | undefined;
}

/**
 * Where a plain redirect leads; undefined when the request needs more. It works without router,
 * request and response objects: see docs/decisions/2026-11-21-redirects-around-the-router.md.
 */
export function redirectPlainly(
  { targets, recorder }: Pick<RedirectParts, "targets" | "recorder">,
  { method, target: path, readSender }: PlainRequest,
): PlainRedirect | undefined {
  if (method !== "GET") return undefined;
  const slug = PLAIN_PATH.exec(path)?.[1];
  const target = slug === undefined ? undefined : targets.peek(slug);
  if (target?.location === undefined || target.gps) return undefined;
  const { held } = recorder.record({ codeId: target.codeId, sender: readSender() });
  return { location: target.location, held };
}
