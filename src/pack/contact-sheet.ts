import { open } from "node:fs/promises";
import path from "node:path";

import { html, toRelativeHref, toWebHref, type Html } from "./html.ts";
import type { ReportGroup, ReportThumbnail } from "./report-data.ts";
import type { ReportWords } from "./report-words.ts";

/** Codes shown per group; the others are linked. */
const MAX_THUMBNAILS_PER_GROUP = 120;
const MAX_THUMBNAILS = 600;
const MAX_THUMBNAIL_BYTES = 128 * 1024;
const MAX_ALL_BYTES = 24 * 1024 * 1024;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** The bytes that the pictures of one report may still take. */
export interface PictureBudget {
  thumbnails: number;
  bytes: number;
}

export function makePictureBudget(): PictureBudget {
  return { thumbnails: MAX_THUMBNAILS, bytes: MAX_ALL_BYTES };
}

async function readSmallFile(file: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    return size <= maxBytes ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/**
 * The picture as a data address, or undefined when it's missing, too large or no picture. It is
 * shown through `img`, where a browser runs no script of an SVG and loads nothing for it.
 */
async function toDataAddress(file: string, budget: PictureBudget): Promise<string | undefined> {
  const type = MEDIA_TYPES[path.extname(file).toLowerCase()];
  if (type === undefined) return undefined;
  const bytes = await readSmallFile(file, Math.min(MAX_THUMBNAIL_BYTES, budget.bytes));
  if (bytes === undefined) return undefined;
  budget.bytes -= bytes.length;
  return `data:${type};base64,${bytes.toString("base64")}`;
}

function makeShortLink(shortLink: string | undefined): Html | undefined {
  if (shortLink === undefined) return undefined;
  const href = toWebHref(shortLink);
  const text = shortLink.replace(/^https?:\/\//iu, "");
  return href === undefined
    ? html`<span class="soft"><bdi>${text}</bdi></span>`
    : html`<span
        ><a href="${href}" rel="noreferrer noopener"><bdi>${text}</bdi></a></span
      >`;
}

const makeGrade = (grade: ReportThumbnail["grade"], { grades }: ReportWords): Html | undefined =>
  grade === undefined ? undefined : html`<small class="soft">${grades.of(grade)}</small>`;

const toPicture = (source: string | undefined, alt: string, notShown: string): Html =>
  source === undefined
    ? html`<small>${notShown}</small>`
    : html`<img src="${source}" alt="${alt}" loading="lazy" decoding="async" />`;

async function makeArtwork(
  { caption, artwork }: ReportThumbnail,
  budget: PictureBudget,
  { contacts }: ReportWords,
): Promise<Html | undefined> {
  if (artwork === undefined) return undefined;
  const source = await toDataAddress(artwork.path, budget);
  const picture = toPicture(source, contacts.code(caption), contacts.notShown);
  const href = toRelativeHref(artwork.name);
  return href === undefined
    ? html`<div class="tile">${picture}</div>`
    : html`<a class="tile" href="${href}">${picture}</a>`;
}

function makePrinted(
  { caption, printed }: ReportThumbnail,
  budget: PictureBudget,
  { contacts }: ReportWords,
): Html | undefined {
  if (printed === undefined) return undefined;
  const bytes = Buffer.from(printed);
  const isShown = bytes.length <= Math.min(MAX_THUMBNAIL_BYTES, budget.bytes);
  if (isShown) budget.bytes -= bytes.length;
  const source = isShown ? `data:image/svg+xml;base64,${bytes.toString("base64")}` : undefined;
  const picture = toPicture(source, contacts.printed(caption), contacts.notShown);
  return html`<div class="tile">${picture}</div>`;
}

/** Both where they differ, each by its name. */
async function makeThumbnail(
  thumbnail: ReportThumbnail,
  budget: PictureBudget,
  words: ReportWords,
): Promise<Html> {
  const artwork = await makeArtwork(thumbnail, budget, words);
  const printed = makePrinted(thumbnail, budget, words);
  const { contacts } = words;
  const tiles =
    artwork === undefined || printed === undefined
      ? [artwork, printed]
      : html`<div class="pair">
          <div>${artwork}<small>${contacts.artwork}</small></div>
          <div>${printed}<small>${contacts.onSheet}</small></div>
        </div>`;
  return html`<li>
    ${tiles}<span><bdi>${thumbnail.caption}</bdi></span
    >${makeShortLink(thumbnail.shortLink)}${makeGrade(thumbnail.grade, words)}
  </li> `;
}

function makeRest(
  group: ReportGroup,
  shown: number,
  { contacts, count, lists }: ReportWords,
): Html | undefined {
  if (shown >= group.total) return undefined;
  const href = group.link === undefined ? undefined : toRelativeHref(group.link);
  return html`<p class="soft">
    ${contacts.shown(count(shown), count(group.total))}
    ${href === undefined ? undefined : html`${lists.all} <a href="${href}">${group.link}</a>`}
  </p>`;
}

/** One group in pieces: heading, thumbnails, what isn't shown. Takes its cost off `budget`. */
export async function* makeContactSheet(
  group: ReportGroup,
  budget: PictureBudget,
  words: ReportWords,
): AsyncGenerator<Html> {
  yield html`<h3><bdi>${group.name}</bdi> <small>${words.count(group.total)}</small></h3>
    <ul class="contact">`;
  const most = Math.min(MAX_THUMBNAILS_PER_GROUP, budget.thumbnails);
  let shown = 0;
  for await (const thumbnail of group.thumbnails) {
    if (shown >= most) break;
    yield await makeThumbnail(thumbnail, budget, words);
    shown += 1;
  }
  budget.thumbnails -= shown;
  yield html`</ul>`;
  const rest = makeRest(group, shown, words);
  if (rest !== undefined) yield rest;
}
