import { isUrl } from "../../base/url.ts";

/** A page of another site sent its visitor's browser here (CSRF). */
export function isForeign({ headers, url }: Request, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null || origin === "null" || !isUrl(origin)) return false;
  return ![url, publicUrl].some((own) => new URL(own).host === new URL(origin).host);
}
