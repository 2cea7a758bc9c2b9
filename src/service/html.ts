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
}

/** The style is allowed by its hash, so that none that slipped in is. */
function toPolicy(style: string): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function replyPage(
  { title, style, body }: Page,
  headers: Record<string, string> = {},
): Response {
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
</body>
</html>
`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": toPolicy(style),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}
