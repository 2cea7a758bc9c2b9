/** Files in full or in part (RFC 9110 section 14): browsers fetch long PDFs in parts. */
import type { OpenFile } from "../store/media.ts";
import { PIECE_BYTES } from "./transfers.ts";

interface Range {
  readonly first: number;
  readonly last: number;
}

const RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/iu;

/**
 * The one range requested; "all" when there is none, several or none that is well-formed; "none"
 * when it is outside of the file.
 */
export function readRange(header: string | null, size: number): Range | "all" | "none" {
  const [, from, to] = RANGE.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return "all";
  if (from === "") return readTail(Number(to), size);
  const first = Number(from);
  const last = to === "" ? size - 1 : Number(to);
  if (first >= size) return "none";
  return last < first ? "all" : { first, last: Math.min(last, size - 1) };
}

function readTail(length: number, size: number): Range | "none" {
  return Math.min(length, size) === 0
    ? "none"
    : { first: Math.max(0, size - length), last: size - 1 };
}

const isSame = (list: string, tag: string): boolean =>
  list.split(",").some((one) => [tag, "*"].includes(one.trim().replace(/^W\//u, "")));

/** A part of another version is useless to a reader with the rest of this one (`If-Range`). */
function readWanted({ headers }: Request, { size }: OpenFile, tag: string) {
  const ifRange = headers.get("if-range");
  return ifRange === null || ifRange === tag ? readRange(headers.get("range"), size) : "all";
}

/** Headers of the answer, and the bytes that belong to it. */
interface Part {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  readonly first: number;
  readonly length: number;
}

function toPart(range: Range | "all", size: number): Part {
  const first = range === "all" ? 0 : range.first;
  const length = range === "all" ? size : range.last - first + 1;
  // For HEAD too: PDF readers ask for the length before they ask for parts.
  const told = { "content-length": String(length) };
  if (range === "all") return { status: 200, headers: told, first, length };
  const headers = { ...told, "content-range": `bytes ${first}-${range.last}/${size}` };
  return { status: 206, headers, first, length };
}

/** The file, or the requested range of it; closes the file at the end or when the reader leaves. */
export async function replyPart(
  request: Request,
  file: OpenFile,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const tag = `"${file.version}"`;
  const all = { ...headers, "accept-ranges": "bytes", etag: tag };
  const known = request.headers.get("if-none-match");
  const range = readWanted(request, file, tag);
  const isKnown = known !== null && isSame(known, tag);
  if (isKnown || range === "none" || request.method === "HEAD") await file.close();
  if (isKnown) return new Response(null, { status: 304, headers: all });
  if (range === "none") {
    const only = { "accept-ranges": "bytes", "content-range": `bytes */${file.size}` };
    return new Response(null, { status: 416, headers: only });
  }
  const { status, first, length, headers: own } = toPart(range, file.size);
  const isBodiless = request.method === "HEAD";
  const body = isBodiless ? null : await readPart(file, first, length);
  return new Response(body, { status, headers: { ...all, ...own } });
}

/** A short part at once, a long one in pieces, each read when it is needed. */
async function readPart(
  file: OpenFile,
  first: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (length > PIECE_BYTES) return streamPart(file, first, first + length);
  try {
    return (await file.read(first, length)) as Uint8Array<ArrayBuffer>;
  } finally {
    await file.close();
  }
}

function streamPart(file: OpenFile, first: number, end: number): ReadableStream<Uint8Array> {
  let at = first;
  let reading: Promise<Uint8Array> | undefined;
  const readOn = async (): Promise<Uint8Array> => {
    const piece = await file.read(at, Math.min(PIECE_BYTES, end - at));
    if (piece.length === 0) throw new Error("the file ended before its time");
    at += piece.length;
    return piece;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          controller.enqueue(await (reading = readOn()));
          if (at < end) return;
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        await file.close();
      },
      async cancel() {
        await reading?.catch(() => {});
        await file.close();
      },
    },
    { highWaterMark: 0 },
  );
}
