/** What the service sends to receivers: docs/spec/api.md section 6. */
import { z } from "zod";

import { named } from "../announce.ts";
import { FormResponseSent } from "../form.ts";
import { ActivitySent } from "../scan.ts";
import { webhookHeaders, type WebhookEvent as EventName } from "../webhook.ts";

interface WebhookEvent {
  /** What comes before `on…` in generated code. */
  readonly id: string;
  readonly summary: string;
  readonly note: string;
  readonly body: z.ZodType;
}

const RECEIVED =
  "Any 2xx receives it. A failure is tried again for 24 hours, later and later, so that it may come twice: tell doubles by its id.";

const FormSubmitted = named(
  "FormSubmitted",
  FormResponseSent.extend({
    type: z.literal("form.submitted").describe("The event."),
    form_id: z.string().describe("Id of the form."),
  }).describe("What one respondent sent, as a webhook reports it."),
);

export const webhookEvents = {
  scan: {
    id: "onScan",
    summary: "A dynamic code was scanned, or a short link clicked.",
    note: `Robots and link previews are not reported, though activity lists them. ${RECEIVED} Scans of one code come in order.`,
    body: ActivitySent,
  },
  "form.submitted": {
    id: "onFormSubmitted",
    summary: "A respondent sent a form.",
    note: `${RECEIVED} Responses of one form come in order.`,
    body: FormSubmitted,
  },
} as const satisfies Record<EventName, WebhookEvent>;

const header = (name: string, description: string, type = "string") => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type },
});

/** Headers of every delivery. */
export const deliveryHeaders = [
  header(
    webhookHeaders.signature,
    "HMAC-SHA256 of the raw body under the webhook's secret, in lower-case hex. Verify it before you read the body.",
  ),
  header(webhookHeaders.event, "The event."),
  header(webhookHeaders.delivery, "The same for every try of one delivery."),
  header(webhookHeaders.attempt, "Number of the try: 1, 2, 3 and so on.", "integer"),
] as const;
