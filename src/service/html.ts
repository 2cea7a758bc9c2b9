/** Pages for people: all that is not ours is escaped, and nothing may be loaded or run. */
import { createHash } from "node:crypto";

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
  readonly style: string;
  /** Finished HTML: whoever makes it escapes. */
  readonly body: string;
  /** Runs at the end of the page and may speak to this service. */
  readonly script?: string;
}

const toHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Style and script are allowed by their hashes, so that none that slipped in is. */
function toPolicy({ style, script }: Page): string {
  return [
    "default-src 'none'",
    `style-src ${toHash(style)}`,
    ...(script === undefined ? [] : [`script-src ${toHash(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function replyPage(page: Page, headers: Record<string, string> = {}): Response {
  const { title, style, body, script } = page;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": toPolicy(page),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}
