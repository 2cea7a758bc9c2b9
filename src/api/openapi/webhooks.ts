/** What the service sends to receivers: docs/spec/api.md section 6. */
import type { z } from "zod";

import { ActivitySent } from "../scan.ts";

interface WebhookEvent {
  readonly summary: string;
  readonly note: string;
  readonly body: z.ZodType;
}

export const webhookEvents = {
  scan: {
    summary: "A dynamic code was scanned, or a short link clicked.",
    note: "Any 2xx receives it. A failure is tried again for 24 hours, later and later, so that a scan may come twice: tell doubles by its id. Scans of one code come in order.",
    body: ActivitySent,
  },
} as const satisfies Record<string, WebhookEvent>;

export type WebhookName = keyof typeof webhookEvents;

export const signatureHeader = {
  name: "x-signature",
  description:
    "HMAC-SHA256 of the raw body under the webhook's secret, in lower-case hex. Verify it before you read the body.",
} as const;
