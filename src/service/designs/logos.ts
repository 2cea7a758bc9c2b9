/** Logos of requests: checked, normalised, stored by content. */
import { limits } from "../../api/limits.ts";
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { toLogoImage } from "../../qr/png/logo-file.ts";
import { decodeBase64 } from "../http/base64.ts";
import type { FetchFile } from "../http/guarded-fetch.ts";
import { Refusal, refuse } from "../http/reply.ts";
import type { Store } from "../store/store.ts";
import { toRefusal } from "./drawing.ts";

/** Image in any accepted format -> PNG as designs take it; throws an AppError on anything else. */
export type NormalizeLogo = (image: Uint8Array, maxBytes?: number) => Promise<Uint8Array>;

interface LogoParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly fetch: FetchFile;
  readonly normalize: NormalizeLogo;
}

/** A job may send the same address ten thousand times: it is fetched once in this time. */
const FETCHED_KEPT_MS = 5 * 60_000;
const FETCHED_KEPT = 100;

/**
 * Drawings are accepted from the operator only: the API takes none (docs/spec/api.md section 4.1).
 */
async function asPicture(image: Uint8Array): Promise<Uint8Array> {
  try {
    return await toLogoImage(image);
  } catch (error) {
    throw refuse.field("logo", `${toMessage(error)}.`);
  }
}

export class Logos {
  readonly #parts: LogoParts;
  readonly #fetched = new Map<string, { readonly hash: string; readonly untilMs: number }>();

  constructor(parts: LogoParts) {
    this.#parts = parts;
  }

  /**
   * Stores the image behind `logo_url`; answers its hash. An image that can't be fetched is a 400.
   */
  async fromUrl(url: string): Promise<string> {
    const nowMs = this.#parts.clock.nowMs();
    const known = this.#fetched.get(url);
    if (known !== undefined && known.untilMs > nowMs) return known.hash;
    const image = await this.#fetch(url, limits.maxLogoBytes - 1);
    const hash = await this.#save(image, "logo_url");
    if (this.#fetched.size >= FETCHED_KEPT) this.#fetched.clear();
    this.#fetched.set(url, { hash, untilMs: nowMs + FETCHED_KEPT_MS });
    return hash;
  }

  /** Stores the image of `logo_base64`; answers its hash. */
  async fromBase64(text: string): Promise<string> {
    return this.#keep(await this.pngFromBase64(text));
  }

  /** The image of `logo_base64`, stored nowhere. */
  async pngFromBase64(text: string): Promise<Uint8Array> {
    const image = decodeBase64(text);
    if (image === undefined) throw refuse.field("logo_base64", "Must be base64.");
    if (image.length >= limits.maxLogoBytes) {
      throw refuse.field("logo_base64", "Must be an image under 2 MB.");
    }
    return this.#normalize(image, { field: "logo_base64" });
  }

  /** Stores an image that the operator put beside a template; answers its hash. */
  async fromFile(image: Uint8Array): Promise<string> {
    return this.#save(await asPicture(image), "logo");
  }

  /** The image behind a form's `logo_url`, exactly 2 MB allowed (docs/spec/api.md section 8). */
  async pngFromUrl(url: string): Promise<Uint8Array> {
    const image = await this.#fetch(url, limits.maxLogoBytes);
    return this.#normalize(image, { field: "logo_url", maxBytes: limits.maxLogoBytes });
  }

  async #fetch(url: string, maxBytes: number): Promise<Uint8Array> {
    try {
      return await this.#parts.fetch(url, maxBytes);
    } catch (error) {
      throw refuse.field("logo_url", `Must lead to an image, but ${toMessage(error)}.`);
    }
  }

  async #save(image: Uint8Array, field: string): Promise<string> {
    return this.#keep(await this.#normalize(image, { field }));
  }

  async #keep(png: Uint8Array): Promise<string> {
    const hash = sha256(png);
    await this.#parts.store.write((tx) =>
      tx
        .insertInto("logos")
        .values({ hash, png })
        .onConflict((conflict) => conflict.column("hash").doNothing())
        .execute(),
    );
    return hash;
  }

  async #normalize(
    image: Uint8Array,
    { field, maxBytes }: { readonly field: string; readonly maxBytes?: number },
  ): Promise<Uint8Array> {
    try {
      return await this.#parts.normalize(image, maxBytes);
    } catch (error) {
      const refusal = toRefusal(error);
      if (!(refusal instanceof Refusal)) throw refusal;
      throw refuse.field(field, `Must be a JPEG, PNG, GIF or WebP image: ${toMessage(error)}.`);
    }
  }
}
