/** What the short link of a dynamic vCard shows: the contact as a page, and as the `.vcf` to keep. */
import { toFullName, toVcardFile, type VcardVersion } from "../../api/payload.ts";
import type { Vcard } from "../../api/vcard.ts";
import { toFileName } from "../../base/files/file-name.ts";
import { isUrl } from "../../base/text/url.ts";
import { BODY_FONT, COLORS, HEAD_FONT } from "../../style/house.ts";
import { escapeHtml, replyPage } from "./html.ts";
import type { Words } from "./words/en.ts";

const STYLE = `${COLORS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 ${BODY_FONT}; }
main { max-width: 30rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { margin: 0; font-family: ${HEAD_FONT}; font-weight: 600; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
.role { margin: .25rem 0 1.5rem; color: var(--soft); overflow-wrap: anywhere; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); }
dl div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
dt { font-size: .8125rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
a { color: var(--accent); }
.save { display: block; padding: .8rem 1rem; border-radius: .6rem; text-align: center; text-decoration: none;
  font-weight: 600; color: var(--on-accent); background: var(--accent); }
`;

const given = (value: string | null | undefined): string => (value ?? "").trim();

const toLink = (href: string, text: string): string =>
  `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${escapeHtml(text)}</a>`;

/** Only web addresses become links; a contact may hold any text here. */
function toWebsite(text: string): string {
  const url = /^[a-z][a-z0-9+.-]*:/iu.test(text) ? text : `https://${text}`;
  return /^https?:\/\//iu.test(url) && isUrl(url) ? toLink(url, text) : escapeHtml(text);
}

const toPhone = (text: string): string => {
  const number = text.replace(/[^\d+*#]/gu, "");
  return number === "" ? escapeHtml(text) : toLink(`tel:${encodeURIComponent(number)}`, text);
};

const toMail = (text: string): string => toLink(`mailto:${encodeURIComponent(text)}`, text);

function toAddress(vcard: Vcard): string {
  const town = [vcard.post_code, vcard.city].map(given).filter(Boolean).join(" ");
  const lines = [given(vcard.street), town, given(vcard.state), given(vcard.country)];
  return escapeHtml(lines.filter(Boolean).join("\n"));
}

const toRow = (label: string, value: string | null | undefined, show: (text: string) => string) =>
  [label, given(value) === "" ? "" : show(given(value))] as [string, string];

/** label -> finished HTML; empty ones are left out. */
function listRows(vcard: Vcard, { contact }: Words): [string, string][] {
  const rows: [string, string][] = [
    toRow(contact.mobile, vcard.mobile_number, toPhone),
    toRow(contact.phone, vcard.phone_number, toPhone),
    toRow(contact.email, vcard.email, toMail),
    toRow(contact.website, vcard.website, toWebsite),
    [contact.address, toAddress(vcard)],
    toRow(contact.about, vcard.description, escapeHtml),
  ];
  return rows.filter(([, html]) => html !== "");
}

const fresh = { "cache-control": "no-store" };

/** The page; `slug` is that of the short link, with the file below it. */
export function replyContactPage(vcard: Vcard, slug: string, words: Words): Response {
  const name = toFullName(vcard);
  const role = [vcard.position, vcard.company_name].map(given).filter(Boolean).join(", ");
  const rows = listRows(vcard, words).map(
    ([label, html]) => `<div><dt>${label}</dt><dd>${html}</dd></div>`,
  );
  const body = `<main>
<h1>${escapeHtml(name)}</h1>
${role === "" ? "" : `<p class="role">${escapeHtml(role)}</p>`}
${rows.length === 0 ? "" : `<dl>${rows.join("\n")}</dl>`}
<a class="save" href="${slug}.vcf" download>${words.contact.save}</a>
</main>`;
  return replyPage({ title: name, language: words.language, style: STYLE, body }, fresh);
}

/** The file, in the version asked for. */
export function replyContactFile(vcard: Vcard, version: VcardVersion): Response {
  const name = toFileName(toFullName(vcard), ".vcf");
  return new Response(toVcardFile(vcard, version), {
    headers: {
      ...fresh,
      "x-content-type-options": "nosniff",
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": `attachment; filename="contact.vcf"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    },
  });
}
