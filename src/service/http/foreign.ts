import { isUrl } from "../../base/text/url.ts";

/** True for a request that another site's page made the visitor's browser send (CSRF). */
export function isForeign({ headers, url }: Request, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null || origin === "null" || !isUrl(origin)) return false;
  return ![url, publicUrl].some((own) => new URL(own).host === new URL(origin).host);
}
