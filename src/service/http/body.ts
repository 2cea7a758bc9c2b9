import { isRecord } from "../../base/is-record.ts";
import { Refusal, refuse } from "./reply.ts";

const JSON_TYPE = /^application\/json\s*(?:;|$)/iu;

/** What to do about a body of more than `bytes`, before the rest of it is read. */
export interface Beyond {
  readonly bytes: number;
  /** If it throws a `Refusal`, the reading ends. */
  readonly ask: () => Promise<void>;
}

const FIRST_BYTES = 16 * 1024;
/**
 * From this length on, the announced size is allocated at once; a shorter body may never be
 * completed.
 */
const EARNEST_BYTES = 64 * 1024;

/** Joins pieces into one array, without keeping the pieces. */
class Row {
  #bytes: Uint8Array;
  #size = 0;
  /** What the sender announced; 0 when it did not. */
  readonly #announced: number;

  constructor(announced: number) {
    this.#announced = announced;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(announced || FIRST_BYTES, FIRST_BYTES));
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) this.#widen(size);
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  toBytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  #widen(size: number): void {
    const expected = size > EARNEST_BYTES ? this.#announced : 0;
    const wider = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#bytes.length, expected));
    wider.set(this.toBytes());
    this.#bytes = wider;
  }
}

type Pieces = AsyncIterable<Uint8Array>;

/** Guarded bodies by their requests: web streams would cost as much as everything else together. */
const guarded = new WeakMap<Request, Pieces>();

/** From now on `readBytes` reads the body of this request from `pieces`. */
export function guardBody(request: Request, pieces: Pieces): void {
  guarded.set(request, pieces);
}

/** The same request at another address; its body goes along. */
export function atAddress(request: Request, url: string): Request {
  const pieces = guarded.get(request);
  if (pieces === undefined) return new Request(url, request);
  const { method, headers, signal } = request;
  const moved = new Request(url, { method, headers, signal });
  guarded.set(moved, pieces);
  return moved;
}

/** Bytes of a body, at most `maxBytes` in memory; a longer body is a 400. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  beyond?: Beyond,
): Promise<Uint8Array> {
  const tooLong = () => refuse.whole(`The body must have at most ${maxBytes} bytes.`);
  const announced = Number(request.headers.get("content-length")) || 0;
  if (announced > maxBytes) throw tooLong();
  let left = beyond;
  const look = async (size: number): Promise<void> => {
    if (left === undefined || size <= left.bytes) return;
    const { ask } = left;
    left = undefined;
    await ask();
  };
  await look(announced);
  const body = guarded.get(request) ?? (request.body as Pieces | null);
  if (body === null) return new Uint8Array();
  const row = new Row(announced);
  try {
    for await (const piece of body) {
      const size = row.size + piece.length;
      if (left !== undefined) await look(size);
      if (size > maxBytes) throw tooLong();
      row.add(piece);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The sender is gone: nobody reads this answer, and it is not our fault.
    throw refuse.whole("The body broke off.");
  }
  return row.toBytes();
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse.whole("The body must be UTF-8.");
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse.whole("The body must be well-formed JSON.");
  }
}

export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

function refuseCompressed(request: Request): void {
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") throw refuse.coding(coding.slice(0, 100));
}

/**
 * The JSON of a request. Another content type or a compressed body is a 415, even when it is empty; a
 * body that is neither an object nor (where `array`) an array is a 400. An empty body without a type
 * counts as `{}`, so that the answer names the missing fields.
 */
export async function readJson(
  request: Request,
  options: { readonly maxBytes: number; readonly array: boolean },
): Promise<JsonBody> {
  const type = request.headers.get("content-type");
  if (type !== null && !JSON_TYPE.test(type)) throw refuse.mediaType(type.slice(0, 100));
  refuseCompressed(request);
  const bytes = await readBytes(request, options.maxBytes);
  if (bytes.length === 0) return { value: options.array ? [] : {}, bytes };
  if (type === null) throw refuse.mediaType("");
  const value = parseJson(bytes);
  const fits = options.array ? Array.isArray(value) : isRecord(value);
  if (!fits) throw refuse.whole(`The body must be a JSON ${options.array ? "array" : "object"}.`);
  return { value, bytes };
}
