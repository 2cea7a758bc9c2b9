/**
 * Pages for people: everything that isn't ours is escaped, and nothing is loaded or run from other
 * sites.
 */
import { createHash } from "node:crypto";

import { toLength } from "../http/reply.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/gu, (character) => entities[character] ?? "");

export interface Page {
  readonly title: string;
  /** Language of our own words. Default: en. */
  readonly language?: string;
  readonly style: string;
  /** Finished HTML: the caller has escaped it. */
  readonly body: string;
  /** Our own script, at the end of the page. */
  readonly script?: string;
  /** The script may send requests to this service. */
  readonly speaks?: boolean;
  /** For search engines and previews; without it, the page asks them to stay away. */
  readonly description?: string;
  /** Where the page's forms may lead: `'self'`, and origins that the answer redirects to. */
  readonly formTargets?: readonly string[];
  /** The page shows pictures of this service. */
  readonly hasPictures?: boolean;
}

const toHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Style and script are allowed by their hashes, so that nothing injected runs. */
function toPolicy(page: Page): string {
  const { style, script, speaks = false, formTargets = [], hasPictures = false } = page;
  return [
    "default-src 'none'",
    `style-src ${toHash(style)}`,
    ...(script === undefined ? [] : [`script-src ${toHash(script)}`]),
    ...(speaks ? ["connect-src 'self'"] : []),
    ...(hasPictures ? ["img-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Tags for previews in messengers and search engines. */
function toMeta(title: string, description: string | undefined): string {
  if (description === undefined) return '<meta name="robots" content="noindex">';
  const [shownTitle, shown] = [title, description].map(escapeHtml);
  return [
    `<meta property="og:title" content="${shownTitle}">`,
    ...(description === ""
      ? []
      : [
          `<meta name="description" content="${shown}">`,
          `<meta property="og:description" content="${shown}">`,
        ]),
  ].join("\n");
}

export function replyPage(
  page: Page,
  headers: Record<string, string> = {},
  status: number = 200,
): Response {
  const { title, style, body, script, description, language = "en" } = page;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${toMeta(title, description)}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": toPolicy(page),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...toLength(html),
      ...headers,
    },
  });
}
