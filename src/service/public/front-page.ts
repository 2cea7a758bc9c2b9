/**
 * `GET /`: the operator's text about this service. The first line of `front-page.txt` in the data
 * folder is the title, paragraphs follow; `front-page.de.txt` is the same for German visitors.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { escapeHtml, replyPage } from "./html.ts";
import { toStyle } from "./public-style.ts";
import type { Words } from "./words/en.ts";
import { headOf } from "../../base/text/words.ts";

/** Language -> text; the empty key is for all other languages. */
export type FrontPages = ReadonlyMap<string, string>;

const NAME = /^front-page(?:\.([a-z]{2}))?\.txt$/u;
const MAX_CHARACTERS = 20_000;

/** Read once, at the start of the service. */
export async function readFrontPages(folder: string | undefined): Promise<FrontPages> {
  const pages = new Map<string, string>();
  if (folder === undefined) return pages;
  for (const name of await readdir(folder)) {
    const found = NAME.exec(name);
    if (found === null) continue;
    const text = await readFile(path.join(folder, name), "utf8");
    pages.set(
      found[1] ?? "",
      headOf(text, MAX_CHARACTERS)
        .replace(/^\uFEFF/u, "")
        .trim(),
    );
  }
  return pages;
}

const STYLE = `
main{min-height:100vh;display:flex;flex-direction:column;justify-content:center}
p{margin:1rem 0 0;color:var(--muted);white-space:pre-line}
`;

const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/gu;

/** Web addresses become links; everything else stays text. */
function toHtml(text: string): string {
  let html = "";
  let at = 0;
  for (const { 0: url, index } of text.matchAll(LINK)) {
    html += `${escapeHtml(text.slice(at, index))}<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(url)}</a>`;
    at = index + url.length;
  }
  return html + escapeHtml(text.slice(at));
}

/** The operator's page in the visitor's language, else the one for all languages, else ours. */
export function replyFrontPage(pages: FrontPages, { language, front }: Words): Response {
  const own = pages.get(language) ?? pages.get("");
  const [title = "", ...lines] =
    own === undefined ? [front.title, front.text] : own.split(/\r?\n/u);
  const paragraphs = lines
    .join("\n")
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
  const body = `<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p dir="auto">${toHtml(text)}</p>`).join("\n")}
</main>`;
  const style = toStyle({ bg_color: null, text_color: null }, STYLE);
  return replyPage({ title, language, style, body }, { "cache-control": "no-cache" });
}
