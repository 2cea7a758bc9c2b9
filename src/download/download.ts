/** Stage 4: fetches the files of every code, checks them and names them after their row. */

import path from "node:path";

import { isCarriable } from "../api/carried.ts";
import type { ToldCode } from "../api/code.ts";
import { writeSmallFileAtomic } from "../base/files/atomic-file.ts";
import type { Clock } from "../base/time/clock.ts";
import { toDiskError } from "../base/files/disk-error.ts";
import { AppError, toMessage } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import { quoteText } from "../base/text/words.ts";
import type { Client } from "../client/client.ts";
import type { Artwork, StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import { checkSvg, findSvgFault } from "../svg/check-svg.ts";
import { MAX_SVG_BYTES } from "../svg/read-svg.ts";
import type { ArtworkQueue } from "./artwork-queue.ts";
import { findPngFault } from "./check-png.ts";
import { isAsWritten, stampPicture } from "./picture-files.ts";

/** URLs of a code's pictures; undefined for files that the API doesn't have. */
interface ArtworkUrls {
  readonly svg: string | undefined;
  readonly png: string | undefined;
}

/** For a short link, the API answers the files directly (docs/spec/api.md section 4.5). */
const toLinkUrls = (id: string): ArtworkUrls => {
  const path = `link/${encodeURIComponent(id)}/qr/`;
  return { svg: `${path}?format=svg`, png: `${path}?format=png` };
};

/** Asks for the files of a row's code. A form's code may have no id: then it has no files. */
async function findArtworkUrls(
  client: Pick<Client, "downloadCode">,
  row: StateRow,
  id: string,
): Promise<ArtworkUrls> {
  const { wanted, parts } = row;
  if (wanted.link !== undefined) return toLinkUrls(id);
  if (wanted.form !== undefined && parts.codeId === undefined) {
    return { svg: undefined, png: undefined };
  }
  const urls = await client.downloadCode(parts.codeId ?? id);
  return { svg: urls.svg_url, png: urls.png_url };
}

/** An SVG or PNG of a code is a few kB; this limits a broken server. */
const MAX_FILE_BYTES = { svg: MAX_SVG_BYTES, png: 16 * 1024 * 1024 } as const;

const TYPES = { svg: "image/svg+xml", png: "image/png" } as const;

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 250;

export type ArtworkFormat = "svg" | "png";

export interface DownloadContext {
  readonly state: State;
  readonly client: Client;
  readonly clock: Clock;
  readonly folder: string;
  readonly formats: readonly ArtworkFormat[];
  readonly signal: AbortSignal;
  /** The server is our own service, which answers pictures directly when asked for their type. */
  readonly answersPictures?: boolean | undefined;
  /** PNG from an SVG, for codes that the server gives only as SVG. */
  readonly draw?: ((svg: string) => Promise<Uint8Array>) | undefined;
  /** The text in an SVG's code, for servers that don't give it; undefined when it can't be read. */
  readonly read?: ((svg: string) => Promise<string | undefined>) | undefined;
  /** The design of a row's code as JSON, where it isn't the row's. */
  readonly drawnAs?: ((key: string) => string | undefined) | undefined;
  /** What identifies the drawing behind the address of a PNG, where the server tells. */
  readonly markOf?: ((png: string) => string | undefined) | undefined;
  readonly events: {
    fetched(row: StateRow): void;
    failed(row: StateRow, message: string): void;
  };
}

/** Path of a row's file, relative to the output folder. */
export function toArtworkName(fileBase: string, format: string): string {
  return `artwork/${fileBase}.${format}`;
}

/** A dynamic code whose short link is not known. */
export const lacksLink = ({ made, wanted, shortLink }: StateRow): boolean =>
  (made ?? wanted).dynamic && shortLink === null;

/**
 * The destination of a form's code is known when the form is published; later its code can be
 * requested.
 */
const hasLink = (row: StateRow): boolean =>
  (row.wanted.form !== undefined && row.parts.codeId === undefined) || !lacksLink(row);

/**
 * True when a row's files are there as they were written, with their current names and design, and
 * none was found spoiled.
 */
export function hasArtwork(row: StateRow, folder: string, formats: readonly string[]): boolean {
  const { artwork, placing } = row;
  if (formats.length === 0) return hasLink(row);
  if (artwork === null || artwork.base !== placing.fileBase) return false;
  if (artwork.spoiled !== undefined) return false;
  if (artwork.designHash !== row.madeDesignHash || artwork.files.length !== formats.length) {
    return false;
  }
  return artwork.files.every(
    (file, at) =>
      file.name === toArtworkName(artwork.base, formats[at] ?? "") && isAsWritten(folder, file),
  );
}

async function checkFile(
  format: ArtworkFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  if (format === "svg") return checkSvg(bytes, signal);
  const fault = await findPngFault(bytes);
  if (fault === undefined) return;
  throw new AppError("answer-unusable", `the PNG of the code ${fault}`, {
    hint: "run the same command again to fetch it anew",
  });
}

/** Fetches until the file is complete: a cut-off image is the server's fault, not the row's. */
async function fetchWhole(
  { clock, signal }: DownloadContext,
  format: ArtworkFormat,
  ask: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const bytes = await ask();
      await checkFile(format, bytes, signal);
      return bytes;
    } catch (error) {
      const isUnusable = error instanceof AppError && error.code === "answer-unusable";
      if (!isUnusable || attempt >= ATTEMPTS || signal.aborted) throw error;
      await clock.sleep(FIRST_DELAY_MS * 2 ** attempt, signal);
    }
  }
}

const toBytes = (svg: string | null): Uint8Array | undefined =>
  svg === null ? undefined : new TextEncoder().encode(svg);

/**
 * The id of a code whose picture the server answers. Addresses of several codes are found with one
 * read; those of short links are known.
 */
function toAnsweredId(
  { answersPictures }: DownloadContext,
  { wanted, parts }: StateRow,
  { id, missing }: { readonly id: string; readonly missing: readonly ArtworkFormat[] },
): string | undefined {
  if (answersPictures !== true || missing.length > 1 || wanted.link !== undefined) return undefined;
  return parts.codeId ?? (wanted.form === undefined ? id : undefined);
}

const askForPicture = (
  context: DownloadContext,
  codeId: string,
  format: ArtworkFormat,
): Promise<Uint8Array> =>
  fetchWhole(context, format, () =>
    context.client.readPicture(codeId, TYPES[format], MAX_FILE_BYTES[format]),
  );

interface Fetched {
  readonly files: ReadonlyMap<ArtworkFormat, Uint8Array>;
  /** The design that they show as JSON, where it isn't the row's. */
  readonly drawnAs: string | undefined;
  /** Identifies the drawing, where the server told it with the files. */
  readonly mark: string | undefined;
}

/** The drawing that came with a code may show another look than a PNG that is fetched now. */
const keepsDrawing = (formats: readonly ArtworkFormat[], drawnAs: string | undefined): boolean =>
  formats.includes("svg") && (drawnAs === undefined || !formats.includes("png"));

async function fetchFiles(context: DownloadContext, row: StateRow, id: string): Promise<Fetched> {
  const { formats, state, signal } = context;
  const files = new Map<ArtworkFormat, Uint8Array>();
  const svg = state.svg(row.key);
  const drawnAs = context.drawnAs?.(row.key);
  const own = keepsDrawing(formats, drawnAs) ? toBytes(svg) : undefined;
  if (own !== undefined && (await findSvgFault(own, signal)) === undefined) files.set("svg", own);
  const missing = formats.filter((format) => !files.has(format));
  if (missing.length === 0) return { files, drawnAs: undefined, mark: undefined };
  const codeId = toAnsweredId(context, row, { id, missing });
  if (codeId !== undefined) {
    for (const format of missing) files.set(format, await askForPicture(context, codeId, format));
    return { files, drawnAs, mark: undefined };
  }
  const urls = await findArtworkUrls(context.client, row, id);
  for (const format of missing) {
    const bytes = await fetchFile(context, format, { url: urls[format], svg, own });
    if (bytes !== undefined) files.set(format, bytes);
  }
  const mark = urls.png === undefined ? undefined : context.markOf?.(urls.png);
  return { files, drawnAs, mark };
}

/** A file by its address; without one, made from the drawing that came with the code, if possible. */
async function fetchFile(
  context: DownloadContext,
  format: ArtworkFormat,
  {
    url,
    svg,
    own,
  }: {
    readonly url: string | undefined;
    readonly svg: string | null;
    readonly own: Uint8Array | undefined;
  },
): Promise<Uint8Array | undefined> {
  const { client, draw, signal } = context;
  if (url !== undefined) {
    const [maxBytes, expect] = [MAX_FILE_BYTES[format], TYPES[format]];
    const ask = () => client.fetchAsset(url, { maxBytes, expect, signal });
    return fetchWhole(context, format, ask);
  }
  if (format === "svg" && own !== undefined) await checkFile(format, own, signal);
  return format === "png" && svg !== null ? draw?.(svg) : undefined;
}

/**
 * Asks for the short link of a code that was found on the server or moved with it, and of a page
 * whose create didn't return it.
 */
async function askForLink(context: DownloadContext, row: StateRow): Promise<void> {
  const { remoteId } = row;
  if (remoteId === null || !lacksLink(row)) return;
  const shown = await readShown(context, row, remoteId);
  if (shown === undefined) return;
  const svg = shown.svg ?? context.state.svg(row.key);
  const seen = shown.shortlink_url ?? (svg === null ? undefined : await context.read?.(svg));
  const shortLink = seen ?? row.parts.url;
  if (shortLink !== undefined && !isCarriable(shortLink)) {
    const got = quoteText(shortLink.slice(0, 100));
    throw new AppError(
      "answer-unusable",
      `the short link of a code must be a web address, got ${got}`,
    );
  }
  if (shortLink === undefined) {
    throw new AppError(
      "answer-unusable",
      "the server must tell what a dynamic code says, got nothing",
      {
        hint: "it is neither in shortlink_url nor to be read in the picture",
      },
    );
  }
  context.state.journal.relinked(row.key, shortLink, svg);
}

type Shown = Partial<Pick<ToldCode, "qr_type" | "qr_data" | "shortlink_url">> & {
  readonly svg?: string | null | undefined;
};

/** What the server shows for a row's code; undefined for a form's, which only publishing shows. */
export async function readShown(
  { client }: Pick<DownloadContext, "client">,
  { wanted, parts }: StateRow,
  id: string,
): Promise<Shown | undefined> {
  if (wanted.link !== undefined) return client.getLink(id);
  if (wanted.form !== undefined && parts.codeId === undefined) return undefined;
  return client.getCode(parts.codeId ?? id);
}

/** Reads that `downloadRows` takes for a row whose files are all to be fetched. */
export function countReads(
  { state, formats }: Pick<DownloadContext, "state" | "formats">,
  row: StateRow,
): number {
  const { remoteId: id, wanted, parts } = row;
  if (id === null || row.madeDesignHash === null) return 0;
  const isWithoutCode = wanted.form !== undefined && parts.codeId === undefined;
  const isLink = wanted.link !== undefined;
  const asks = lacksLink(row) && !isWithoutCode;
  // A short link is shown with its drawing.
  const isDrawn = state.svg(row.key) !== null || (asks && isLink);
  const missing = formats.filter((format) => format !== "svg" || !isDrawn);
  // Only those of short links are answered one by one.
  const files = isLink ? missing.length : Number(missing.length > 0 && !isWithoutCode);
  return Number(asks) + files;
}

async function fetchRow(context: DownloadContext, row: StateRow): Promise<void> {
  const { state, folder, formats } = context;
  if (row.remoteId === null || row.madeDesignHash === null) return;
  await askForLink(context, row);
  if (formats.length === 0) return;
  const { files, drawnAs, mark } = await fetchFiles(context, row, row.remoteId);
  const written: Artwork["files"][number][] = [];
  for (const format of formats) {
    const bytes = files.get(format);
    if (bytes === undefined) continue;
    const name = toArtworkName(row.placing.fileBase, format);
    // A file lost in a power cut is fetched again: waiting for the disk each time isn't worth it.
    const full = path.join(folder, name);
    writeSmallFileAtomic(full, bytes);
    written.push({ name, sha256: sha256(bytes), stamp: stampPicture(full) });
  }
  const artwork: Artwork = {
    base: row.placing.fileBase,
    files: written,
    designHash: mark ?? row.madeDesignHash,
    ...(drawnAs !== undefined && { drawnAs }),
  };
  await state.commit(() => {
    if (mark !== undefined) state.selected.drawn(row.key, mark);
    state.pictures.set(row.key, artwork);
  });
}

/** Fetches the files of every row in `keys`. A row's failure is reported, not thrown. */
export async function downloadRows(context: DownloadContext, keys: ArtworkQueue): Promise<void> {
  const { client, state, events, signal } = context;
  const work = async (key: string): Promise<void> => {
    const row = state.row(key);
    if (row === undefined) return;
    try {
      await fetchRow(context, row);
      events.fetched(row);
    } catch (error) {
      if (error instanceof AppError && error.kind === "auth") throw error;
      // An interruption is no failure: the next run fetches it.
      if (signal.aborted) return;
      // A disk that is full is no failure of the row, either.
      const ofDisk = toDiskError(error);
      if (ofDisk !== undefined) throw ofDisk;
      state.journal.stepFailed(key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
    }
  };
  await client.eachRead(keys, work, { signal });
}
