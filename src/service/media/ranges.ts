/** Files in full or in part (RFC 9110 section 14): readers fetch long PDFs piece by piece. */

interface Range {
  readonly first: number;
  readonly last: number;
}

const RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/iu;

/**
 * The one range asked for; "all" when none, several, or none that is well-formed; "none" when it
 * lies outside.
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

/** The bytes, or those of the range that was asked for. */
export function replyBytes(
  request: Request,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { ...headers, "accept-ranges": "bytes" };
  const range = readRange(request.headers.get("range"), bytes.length);
  if (range === "none") {
    const only = { "accept-ranges": "bytes", "content-range": `bytes */${bytes.length}` };
    return new Response(null, { status: 416, headers: only });
  }
  const whole = bytes as Uint8Array<ArrayBuffer>;
  // Told to HEAD too: readers of PDFs ask for the length before they ask for parts.
  const lengthOf = (length: number) => ({ ...all, "content-length": String(length) });
  if (range === "all") return new Response(whole, { headers: lengthOf(bytes.length) });
  const { first, last } = range;
  return new Response(whole.subarray(first, last + 1), {
    status: 206,
    headers: {
      ...lengthOf(last - first + 1),
      "content-range": `bytes ${first}-${last}/${bytes.length}`,
    },
  });
}
