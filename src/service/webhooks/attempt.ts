/** One try to deliver a report: what is sent, and which answers count as received. */
import { signWebhook, webhookHeaders } from "../../api/webhook.ts";
import { toMessage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { headOf } from "../../base/text/words.ts";
import type { PostBytes } from "../http/guarded-fetch.ts";

export interface Outcome {
  /** The receiver's status; null when none came. */
  readonly status: number | null;
  /** Undefined = received. */
  readonly fault?: string;
}

/** What is sent, and to whom. */
export interface Delivery {
  readonly receiver: {
    readonly id: string;
    readonly url: string;
    readonly secret: string;
    /** 1 = may have a private address. */
    readonly trusted: number;
  };
  readonly event: string;
  readonly recordId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly body: string;
}

const ID_CHARACTERS = 32;

/** The same for every try, even after a restart. */
const toDeliveryId = ({ receiver, event, recordId }: Delivery): string =>
  sha256(`${receiver.id} ${event} ${recordId}`).slice(0, ID_CHARACTERS);

/** Posts the body unchanged; any 2xx means received (docs/spec/design.md section 5). Never throws. */
export async function attempt(post: PostBytes, delivery: Delivery): Promise<Outcome> {
  const { receiver, event, body } = delivery;
  const headers = {
    "content-type": "application/json",
    "user-agent": "makeready-webhook",
    [webhookHeaders.signature]: signWebhook(receiver.secret, body),
    [webhookHeaders.event]: event,
    [webhookHeaders.delivery]: toDeliveryId(delivery),
    [webhookHeaders.attempt]: String(delivery.attempt),
  };
  try {
    const status = await post(receiver.url, {
      body: Buffer.from(body),
      headers,
      allowPrivate: receiver.trusted === 1,
    });
    if (status >= 200 && status < 300) return { status };
    const isMoved = status >= 300 && status < 400;
    return {
      status,
      fault: `the receiver answered ${status}${isMoved ? "; redirects are not followed" : ""}`,
    };
  } catch (error) {
    return { status: null, fault: headOf(toMessage(error), 500) };
  }
}
