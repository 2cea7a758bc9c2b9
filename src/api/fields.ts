/**
 * The kinds of request fields. Messages begin with "Must"; the server appends the value. All are
 * strict about what would break later (NUL, lone surrogates, lengths) and about nothing else.
 */
import { z } from "zod";

import { isHexColor } from "../base/color/color.ts";
import { isUrl } from "../base/text/url.ts";

import { ownLimits } from "./limits.ts";

/** A string whose length is checked first: a longer one isn't examined further. */
export const stringUpTo = (max: number, { type, long }: { type: string; long: string }) =>
  z.string({ error: type }).max(max, { error: long, abort: true });

/** Any Unicode text that can be stored and drawn: no NUL, no lone surrogate, at most `max` characters. */
export const text = (max: number) =>
  stringUpTo(max, { type: "Must be a string", long: `Must have at most ${max} characters` }).refine(
    (value) => value.isWellFormed() && !value.includes("\u0000"),
    {
      error: "Must be well-formed text without NUL characters",
    },
  );

/** The same, with more than white space in it. */
export const filledText = (max: number) =>
  text(max).refine((value) => value.trim() !== "", { error: "Must not be blank" });

export const flag = z.boolean({ error: "Must be true or false" });

const NO_COLOR = "Must be a hex colour like #1a2b3c";
/** `#rgb` or `#rrggbb`. */
export const hexColor = stringUpTo("#rrggbb".length, { type: NO_COLOR, long: NO_COLOR })
  .refine(isHexColor, { error: NO_COLOR })
  .meta({ pattern: "^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$" });

const URL_START = /^(?:https?|ftps?):\/\/[^\s/?#@:]+|^(?:mailto|tel|sms|geo):[^\s]+/iu;
/** Control characters and spaces never belong into an address. */
export const NOT_IN_URL = /[\u0000-\u0020\u007f]/u;

/** True for an absolute address that a scanner can open; never `javascript:`, `data:` and the like. */
export function isOpenableUrl(value: string): boolean {
  return (
    value.length <= ownLimits.maxUrl &&
    value.isWellFormed() &&
    !NOT_IN_URL.test(value) &&
    URL_START.test(value) &&
    isUrl(value)
  );
}

/** True for an address that a server can fetch from. */
export const isWebUrl = (url: string): boolean => isOpenableUrl(url) && /^https?:/iu.test(url);

/** What an address must be: people may write it with letters of any script, which `format: uri` forbids. */
const urlSchema = { maxLength: ownLimits.maxUrl, examples: ["https://example.com/"] };
export const NO_URL = `Must be a URL of at most ${ownLimits.maxUrl} characters`;
export const NO_WEB_URL = "Must be an http or https URL";
/** A URL that a scan may lead to. It is stored byte for byte. */
export const openableUrl = stringUpTo(ownLimits.maxUrl, { type: "Must be a URL", long: NO_URL })
  .refine(isOpenableUrl, { error: NO_URL })
  .meta(urlSchema);

/** An http(s) URL that the server fetches from. */
export const webUrl = stringUpTo(ownLimits.maxUrl, { type: "Must be a URL", long: NO_URL })
  .refine(isWebUrl, { error: NO_WEB_URL })
  .meta(urlSchema);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** True for a text that reads as an id. */
export const isUuid = (value: string): boolean => UUID.test(value);

/** An id as it is stored: upper and lower case of a UUID are the same (RFC 9562 section 4). */
export const toId = (value: string): string => (isUuid(value) ? value.toLowerCase() : value);

/** What ids look like in examples. */
export const exampleIds = {
  workspace: "0b6f0c1e-6a0e-4d8a-9d7e-3c1f2a4b5c6d",
  thing: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
} as const;

/**
 * An id, or an id or slug: any short text; if it doesn't exist, the answer is a 404 or the server's
 * own.
 */
export const reference = filledText(200).transform(toId);

/**
 * A field that may be missing or null; both mean `value`, which its description names. With a
 * `default` in the schema, many generated clients would require the field, or send it unasked.
 */
export const orDefault = <Value extends string | boolean>(
  shape: z.ZodType<Value, Value>,
  value: NoInfer<Value>,
) => shape.nullish().transform((given) => given ?? value);

const MAX_SLUG = 100;
const NO_SLUG = `Must consist of 1 to ${MAX_SLUG} letters, digits and hyphens`;
/** Rules for a slug in a code's address (docs/spec/api.md section 4.5). */
export const slug = stringUpTo(MAX_SLUG, { type: "Must be a string", long: NO_SLUG }).regex(
  /^[A-Za-z0-9-]+$/u,
  { error: NO_SLUG },
);

/** The id of a workspace; an unknown one, or one of another account, is a 404. */
export const workspaceId = reference.meta({
  format: "uuid",
  description: "Id of the workspace.",
  examples: [exampleIds.workspace],
});

/** An id in an answer. */
export const idOf = (thing: string) =>
  z
    .string()
    .min(1)
    .meta({ description: `Id of the ${thing}.`, examples: [exampleIds.thing] });
/** A time in an answer, ISO 8601 (docs/spec/api.md section 2). */
export const timestamp = z
  .string()
  .meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });
export const created = timestamp.describe("When it was made.");
/** An address that the service itself made, in an answer: percent-encoded. */
export const address = z.string().meta({ format: "uri" });
/** A colour in an answer. */
export const colorAnswer = z.string().meta({ examples: ["#111111"] });

/** One of `values`, exactly as written. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `Must be one of ${values.join(", ")}` });

/** A value of a query string; `schema` describes its meaning. */
const queryValue = <Value>(schema: Readonly<Record<string, unknown>>) =>
  z.custom<Value | string>().meta(schema);

/** A whole number in a query string: `"5"` on the wire, 5 in calls. `schema` = further rules. */
export const wholeNumber = (
  min: number,
  max: number,
  schema: { default?: number; maximum?: number } = {},
) => {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  const bounds = { minimum: min, ...(isOpen ? {} : { maximum: max }) };
  return queryValue<number>({ type: "integer", ...bounds, ...schema }).transform(
    (value, context) => {
      const number = typeof value === "string" && !/^\d{1,15}$/u.test(value) ? Number.NaN : +value;
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      const rule = isOpen ? `${min} or more` : `${min} to ${max}`;
      const message = `Must be a whole number, ${rule}`;
      context.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    },
  );
};

const flagWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** `true`, `false`, `1`, `0` of a query string. */
export const queryFlag = queryValue<boolean>({ type: "boolean" }).transform((value, context) => {
  const flag = flagWords.get(String(value).toLowerCase());
  if (flag !== undefined) return flag;
  context.issues.push({ code: "custom", message: "Must be true or false", input: value });
  return z.NEVER;
});
