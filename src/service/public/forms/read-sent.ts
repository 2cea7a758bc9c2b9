/** The body of a submitted form: urlencoded, or multipart when it has files; both limited in size. */
import { readBytes } from "../../http/body.ts";
import type { FormContent } from "../../resources/forms/rows.ts";
import type { Sent } from "./answers.ts";
import { MAX_IMAGE_MB } from "./field-rules.ts";

const MEGABYTE = 1024 * 1024;
const MAX_TEXT_BYTES = MEGABYTE;
/** All images of one submission together. */
const MAX_FILES_MB = 25;
/** The form may have had more fields when its page was opened. */
const SPARE_VALUES = 1000;

/** Limits of a submission. */
export interface Bounds {
  readonly bytes: number;
  readonly values: number;
}

const toType = ({ headers }: Request): string => headers.get("content-type") ?? "";

export function toBounds({ fields }: FormContent, request: Request): Bounds {
  // Files come only as multipart.
  const isText = !/^multipart\//iu.test(toType(request));
  const images = isText ? 0 : fields.filter(({ field_type: type }) => type === "image").length;
  const options = fields.reduce((sum, field) => sum + (field.options ?? []).length, 0);
  return {
    bytes: MAX_TEXT_BYTES + Math.min(images * MAX_IMAGE_MB, MAX_FILES_MB) * MEGABYTE,
    values: fields.length + options + SPARE_VALUES,
  };
}

const TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/iu;

/** The separator of values: a body with very many isn't parsed. */
function toSeparator(type: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/iu.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? "&" : `--${boundary}`;
}

function hasMore(bytes: Uint8Array, separator: string, most: number): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf(separator); at >= 0; at = buffer.indexOf(separator, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** Null when the body is no form; throws a Refusal when it is too long or breaks off. */
export async function readSent(request: Request, bounds: Bounds): Promise<Sent | null> {
  const type = toType(request);
  if (!TYPES.test(type)) return null;
  const bytes = await readBytes(request, bounds.bytes);
  if (hasMore(bytes, toSeparator(type), bounds.values)) return null;
  try {
    const body = new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": type },
    });
    return await sortByName(await body.formData());
  } catch {
    return null;
  }
}

async function sortByName(values: FormData): Promise<Sent> {
  const texts = new Map<string, string[]>();
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of values) {
    if (typeof value !== "string") {
      if (value.size > 0) files.set(name, new Uint8Array(await value.arrayBuffer()));
      continue;
    }
    const same = texts.get(name);
    if (same === undefined) texts.set(name, [value]);
    else same.push(value);
  }
  return { texts, files };
}
