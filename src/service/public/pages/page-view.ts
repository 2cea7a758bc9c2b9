/** The public landing page: title, text, buttons in their order (docs/spec/api.md section 2.10). */
import { toButtonText, type PageLink } from "../../../api/page.ts";
import type { PageRow } from "../../store/tables.ts";
import { escapeHtml, replyPage } from "../html.ts";
import { toStyle } from "../public-style.ts";
import type { Words } from "../words/en.ts";
import { drawIcon, findIcon } from "./icons.ts";

const STYLE = `
header{text-align:center}
ul{list-style:none;margin:2rem 0 0;padding:0;display:grid;gap:.75rem}
li a{display:flex;align-items:center;gap:.9rem;min-height:3.75rem;padding:.7rem 1.1rem;border:1px solid var(--soft);border-radius:1rem;background:var(--surface);font-weight:600;line-height:1.3;text-decoration:none;box-shadow:0 1px 2px #0000000f,0 6px 16px -8px #00000026}
li a:hover{border-color:var(--edge)}
li a:active{transform:scale(.985)}
li span{flex:1;min-width:0}
li .icon:last-child{width:1.1rem;height:1.1rem;opacity:.55}
`;

const toItem = (link: PageLink): string =>
  `<li><a href="${escapeHtml(link.url)}" rel="noopener noreferrer">${drawIcon(findIcon(link))}<span dir="auto">${escapeHtml(toButtonText(link))}</span>${drawIcon("next")}</a></li>`;

export function replyLandingPage(row: PageRow, { language }: Words): Response {
  const { title, description } = row;
  const links = JSON.parse(row.links) as PageLink[];
  const about =
    description.trim() === "" ? "" : `\n<p class="about" dir="auto">${escapeHtml(description)}</p>`;
  const list = links.length === 0 ? "" : `\n<ul>\n${links.map(toItem).join("\n")}\n</ul>`;
  const body = `<main>
<header><h1 dir="auto">${escapeHtml(title)}</h1>${about}</header>${list}
</main>`;
  return replyPage(
    { title, language, style: toStyle(row, STYLE), body, description },
    { "cache-control": "no-cache" },
  );
}
