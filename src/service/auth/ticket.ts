/**
 * A signed ticket in a form page: when the page was shown, and a number used once. It proves that
 * the page was requested, shows how long the form took, and makes a submission that is sent twice
 * count once.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

import type { Clock } from "../../base/time/clock.ts";
import { hmacSha256, toBase32 } from "../../base/ids/ids.ts";

/** A form may stay open this long. */
const VALID_MS = 24 * 60 * 60 * 1000;
const NONCE_BYTES = 15;
const SHAPE = /^([0-9a-z]{1,12})\.([a-z2-7]{24})\.([a-z2-7]{52})$/u;

export interface Ticket {
  readonly nonce: string;
  readonly issuedMs: number;
}

export class Tickets {
  readonly #key: string;
  readonly #clock: Clock;
  readonly #validMs: number;

  constructor(key: string, clock: Clock, validMs: number = VALID_MS) {
    this.#key = key;
    this.#clock = clock;
    this.#validMs = validMs;
  }

  issue(formId: string): string {
    const shown = this.#clock.nowMs().toString(36);
    const nonce = toBase32(randomBytes(NONCE_BYTES));
    return `${shown}.${nonce}.${this.#sign(formId, shown, nonce)}`;
  }

  /** The ticket of a page of this form; undefined when it is foreign, forged or too old. */
  read(formId: string, text: string): Ticket | undefined {
    const [, shown = "", nonce = "", signature = ""] = SHAPE.exec(text) ?? [];
    const expected = Buffer.from(this.#sign(formId, shown, nonce));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const issuedMs = Number.parseInt(shown, 36);
    const ageMs = this.#clock.nowMs() - issuedMs;
    return ageMs > this.#validMs ? undefined : { nonce, issuedMs };
  }

  #sign(formId: string, shown: string, nonce: string): string {
    return toBase32(hmacSha256(this.#key, [formId, shown, nonce].join("\n")));
  }
}
