/** Words that no slug may be, in lower case. */

/** First path segments that the service uses or may use itself: no slug may be one. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  ".well-known",
  "admin",
  "api",
  "assets",
  "console",
  "docs",
  "favicon.ico",
  "form",
  "forms",
  "gs1",
  "healthz",
  "login",
  "logout",
  "mcp",
  "media",
  "metrics",
  "oauth",
  "openapi",
  "page",
  "pages",
  "pdf",
  "readyz",
  "robots.txt",
  "static",
  "well-known",
]);

/** What whoever names one is told. */
export const SLUG_RESERVED =
  "makeready keeps this word for addresses of its own; give it another slug";
