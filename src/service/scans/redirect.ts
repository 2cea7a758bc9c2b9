/** The short link: `GET /{slug}`. */
import type { Addresses } from "../addresses.ts";
import { toDestination } from "../code-rows.ts";
import type { Store } from "../store/store.ts";
import type { CodeRow } from "../store/tables.ts";
import type { ScanRecorder } from "./recorder.ts";

const FIND = "SELECT id, qr_type, qr_data, pdf_file, pdf_name FROM codes WHERE slug = ?";

type Target = Pick<CodeRow, "id" | "qr_type" | "qr_data" | "pdf_file" | "pdf_name">;

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

function replyTo(target: Target, addresses: Addresses): Response {
  if (target.qr_type === "vCard") {
    return new Response(target.qr_data, {
      headers: {
        ...fresh,
        "content-type": "text/vcard; charset=utf-8",
        "content-disposition": 'inline; filename="contact.vcf"',
      },
    });
  }
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
  const reply = replyTo(target, addresses);
  if (request.method === "GET") {
    recorder.record({
      codeId: target.id,
      ip,
      userAgent: request.headers.get("user-agent") ?? "",
    });
  }
  return reply;
}
