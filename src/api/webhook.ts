/**
 * The contract with webhook receivers (docs/spec/api.md section 6, docs/spec/design.md section 5):
 * events, headers, bodies, the signature.
 */
import { timingSafeEqual } from "node:crypto";
import { isAnyArrayBuffer, isUint8Array } from "node:util/types";

import { z } from "zod";

import { badUsage } from "../base/errors.ts";
import { hmacSha256 } from "../base/ids/ids.ts";

import { FormResponse } from "./form.ts";

/** Event -> when it happens. */
export const webhookEvents = {
  scan: "a dynamic code was scanned, or a short link clicked; the body is its activity record",
  "form.submitted": "a respondent sent a form; the body is the response, as the API lists it",
} as const;

export type WebhookEvent = keyof typeof webhookEvents;

export const webhookEventNames = Object.keys(webhookEvents) as readonly WebhookEvent[];

export const webhookHeaders = {
  /** Lower-case hex of HMAC-SHA256 over the raw body. */
  signature: "x-signature",
  event: "x-event-type",
  /** The same for every try to deliver one report to one receiver. */
  delivery: "x-delivery-id",
  /** Counts from 1. */
  attempt: "x-delivery-attempt",
} as const;

/** Body of `form.submitted`. Recognise repeated deliveries by `id`. */
export const FormSubmitted = FormResponse.extend({
  type: z.literal("form.submitted"),
  form_id: z.string(),
});
export type FormSubmitted = z.infer<typeof FormSubmitted>;

/** The signature of a body; the key is the secret's UTF-8 bytes. */
export const signWebhook = (secret: string, body: string | Uint8Array): string =>
  Buffer.from(hmacSha256(secret, body)).toString("hex");

export interface ReceivedWebhook {
  /** The raw body, before parsing: every byte counts. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The header `x-signature`; a missing or doubled one is wrong. */
  readonly signature: string | readonly string[] | null | undefined;
  readonly secret: string;
}

function toRaw(body: ReceivedWebhook["body"]): string | Uint8Array {
  if (typeof body === "string" || isUint8Array(body)) return body;
  if (isAnyArrayBuffer(body)) return new Uint8Array(body);
  throw badUsage(
    `body must be the raw body of the request as text or bytes, got ${typeof body}`,
    "hand in the body as it came, before it is parsed",
  );
}

/**
 * True when the sender knows the secret. Takes the same time for every wrong signature. Throws
 * "bad-usage" for a body that was parsed already.
 */
export function verifyWebhook({ body, signature, secret }: ReceivedWebhook): boolean {
  if (typeof signature !== "string" || secret === "") return false;
  const right = Buffer.from(signWebhook(secret, toRaw(body)));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}
