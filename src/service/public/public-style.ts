/** The shared look of landing pages, forms and their notices. */
import { BODY_FONT, HEAD_FONT } from "../../style/house.ts";
import { escapeHtml, replyPage } from "./html.ts";
import type { Words } from "./words/en.ts";
import { toColorStyle, type ChosenColors } from "./page-colors.ts";

const SHARED = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:1.0625rem/1.55 ${BODY_FONT};overflow-wrap:anywhere}
main{max-width:36rem;margin:0 auto;padding:max(2.5rem,env(safe-area-inset-top)) 1.25rem 4rem}
h1{margin:0;font-family:${HEAD_FONT};font-weight:600;font-size:clamp(1.6rem,1.2rem + 2vw,2.1rem);line-height:1.2;letter-spacing:-.015em;text-wrap:balance}
.about{margin:.75rem 0 0;color:var(--muted);white-space:pre-line}
a{color:inherit}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.icon{flex:none;width:1.5rem;height:1.5rem}
@media(prefers-reduced-motion:no-preference){a,button,label{transition:background-color .15s,border-color .15s,transform .15s}}
`;

/** The whole style of a page: its colours, the shared part, its own part. */
export const toStyle = (colors: ChosenColors, own: string): string =>
  `${toColorStyle(colors)}${SHARED}${own}`;

const NOTICE = `
main{min-height:100vh;display:flex;flex-direction:column;justify-content:center;text-align:center}
`;

export interface Notice {
  /** Of title and text. Default: en. */
  readonly language?: string;
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** A link below the text. */
  readonly link?: { readonly href: string; readonly text: string };
  readonly colors?: ChosenColors;
  readonly headers?: Record<string, string>;
}

const noColors: ChosenColors = { bg_color: null, text_color: null };

/** A page with a single message. */
export function replyNotice(notice: Notice): Response {
  const { language, status, title, text, link, colors = noColors, headers = {} } = notice;
  const onward =
    link === undefined
      ? ""
      : `\n<p class="about"><a href="${escapeHtml(link.href)}" rel="noopener noreferrer">${escapeHtml(link.text)}</a></p>`;
  const body = `<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="about" dir="auto">${escapeHtml(text)}</p>${onward}
</main>`;
  const style = toStyle(colors, NOTICE);
  const page = { title, style, body, ...(language !== undefined && { language }) };
  return replyPage(page, { "cache-control": "no-store", ...headers }, status);
}

/** For an address that was never made or isn't published. */
export const replyUnknown = (what: "form" | "page", { language, notFound }: Words): Response =>
  replyNotice({ language, status: 404, title: notFound.title, text: notFound[what] });
