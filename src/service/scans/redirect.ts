/** The short link: `GET /{slug}`. */
import type { Vcard } from "../../api/vcard.ts";
import type { Addresses } from "../addresses.ts";
import { toDestination } from "../code-rows.ts";
import type { Store } from "../store/store.ts";
import type { CodeRow } from "../store/tables.ts";
import { replyContactFile, replyContactPage } from "./contact-page.ts";
import type { ScanRecorder } from "./recorder.ts";

const FIND = "SELECT id, vcard, qr_data, pdf_file, pdf_name, hosted_path FROM codes WHERE slug = ?";

type Target = Pick<CodeRow, "id" | "vcard" | "qr_data" | "pdf_file" | "pdf_name" | "hosted_path">;

/** Every answer must reach the service the next time, or scans would go uncounted. */
const fresh = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not found</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><h1>Not found</h1><p>This link leads nowhere: it was never made, or it was deleted.</p></body></html>
`;

export function replyNotFound(): Response {
  return new Response(NOT_FOUND_PAGE, {
    status: 404,
    headers: {
      ...fresh,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
    },
  });
}

/** A header takes ASCII only; a destination may hold any letter. */
const toLocation = (url: string): string =>
  /^[\u0021-\u007e]*$/u.test(url) ? url : new URL(url).href;

/** Who asks for a vCard by its type gets the file itself. */
const wantsFile = (request: Request): boolean =>
  /\btext\/(?:x-)?vcard\b/iu.test(request.headers.get("accept") ?? "");

function replyContact(vcard: string, request: Request, slug: string): Response {
  const contact = JSON.parse(vcard) as Vcard;
  return wantsFile(request)
    ? replyContactFile(contact, contact.version ?? "3.0")
    : replyContactPage(contact, slug);
}

/** `GET /{slug}.vcf`, of a page that was counted already; `?version=4.0` or `3.0`. */
export function replyVcf(
  { store }: Pick<RedirectParts, "store">,
  url: URL,
  slug: string,
): Response {
  const vcard = store.raw.get<Target>(FIND, slug)?.vcard ?? null;
  if (vcard === null) return replyNotFound();
  const contact = JSON.parse(vcard) as Vcard;
  const wanted = url.searchParams.get("version");
  const version = wanted === "3.0" || wanted === "4.0" ? wanted : (contact.version ?? "3.0");
  return replyContactFile(contact, version);
}

function replyTo(target: Target, addresses: Addresses): Response {
  return new Response(null, {
    status: 302,
    headers: { ...fresh, location: toLocation(toDestination(addresses, target)) },
  });
}

export interface RedirectParts {
  readonly store: Store;
  readonly recorder: ScanRecorder;
  readonly addresses: Addresses;
}

/** Answers a visit; a GET counts as a scan, a HEAD only looks. */
export function redirect(
  { store, recorder, addresses }: RedirectParts,
  request: Request,
  { slug, ip }: { readonly slug: string; readonly ip: string },
): Response {
  const target = store.raw.get<Target>(FIND, slug);
  if (target === undefined) return replyNotFound();
  const reply =
    target.vcard === null ? replyTo(target, addresses) : replyContact(target.vcard, request, slug);
  if (request.method === "GET") {
    recorder.record({
      codeId: target.id,
      ip,
      userAgent: request.headers.get("user-agent") ?? "",
    });
  }
  return reply;
}
