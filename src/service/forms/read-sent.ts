/** The body of a submitted form: urlencoded, or multipart where it has files; bounded either way. */
import { ownLimits } from "../../api/limits.ts";
import { readBytes } from "../body.ts";
import { MAX_IMAGE_MB } from "./field-rules.ts";
import type { Sent } from "./answers.ts";
import type { FormContent } from "./form-rows.ts";

const MEGABYTE = 1024 * 1024;
const MAX_TEXT_BYTES = MEGABYTE;
/** All images of one submission together. */
const MAX_FILES_MB = 25;
/** Every option of every field chosen, and something to spare. */
const MAX_VALUES = ownLimits.maxFormFields * ownLimits.maxFieldOptions + 100;

/** Most bytes of a submission. */
export function toMaxBytes({ fields }: FormContent): number {
  const images = fields.filter(({ field_type: type }) => type === "image").length;
  return MAX_TEXT_BYTES + Math.min(images * MAX_IMAGE_MB, MAX_FILES_MB) * MEGABYTE;
}

const TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/iu;

const toType = ({ headers }: Request): string => headers.get("content-type") ?? "";

/** The body may hold images. */
export const isLarge = (request: Request): boolean => /^multipart\//iu.test(toType(request));

/** Null when the body is no form; throws a Refusal when it is too long or breaks off. */
export async function readSent(request: Request, maxBytes: number): Promise<Sent | null> {
  const type = toType(request);
  if (!TYPES.test(type)) return null;
  const bytes = await readBytes(request, maxBytes);
  try {
    const body = new Response(Buffer.from(bytes), { headers: { "content-type": type } });
    return await sort([...(await body.formData())]);
  } catch {
    return null;
  }
}

/** By name; null for more values than the largest form has. */
async function sort(values: readonly [string, string | File][]): Promise<Sent | null> {
  if (values.length > MAX_VALUES) return null;
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
