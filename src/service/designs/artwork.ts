/**
 * The PNG and SVG files of codes. A file's name follows from what is drawn, so a stale file is
 * recognised by its name.
 */
import { hmacSha256, toBase32 } from "../../base/ids/ids.ts";
import { Remembered } from "../../base/flow/remembered.ts";

import { drawingRevision } from "../../qr/draw/revision.ts";
import type { Media } from "../store/media.ts";
import type { Drawings } from "./drawing.ts";
import type { Drawing } from "./stored-design.ts";

/** `png`: as wide as the design says; `print`: the high-resolution one. */
export type ArtworkKind = "png" | "svg" | "print";

const NAME_CHARACTERS = 32;
/** Names of pictures that were drawn once; at most twice as many are remembered. */
const DRAWN_KEPT = 10_000;

/** One code as it is drawn now. */
export interface Subject {
  readonly codeId: string;
  readonly drawing: Drawing;
}

export class Artwork {
  readonly #key: string;
  readonly #media: Media;
  readonly #drawings: Drawings;
  readonly #drawn = new Remembered<true>(DRAWN_KEPT);

  /** `key` is the service's secret behind the names. */
  constructor(key: string, media: Media, drawings: Drawings) {
    this.#key = key;
    this.#media = media;
    this.#drawings = drawings;
  }

  /**
   * Name of the file, whether it exists or not. Everything that changes the picture changes the name.
   */
  nameOf(kind: ArtworkKind, { codeId, drawing }: Subject): string {
    const { text, design } = drawing;
    const revision = drawingRevision({ ...design, hasLogo: design.logo !== undefined });
    const about = [kind, codeId, text, JSON.stringify(design), ...revision].join("\n");
    const name = toBase32(hmacSha256(this.#key, about)).slice(0, NAME_CHARACTERS);
    return `${name}.${kind === "svg" ? "svg" : "png"}`;
  }

  /** Makes the file when it isn't there; answers its name. */
  async make(kind: ArtworkKind, subject: Subject): Promise<string> {
    const name = this.nameOf(kind, subject);
    if (!(await this.#media.has(name)))
      await this.#media.save(name, await this.#draw(kind, subject));
    return name;
  }

  /**
   * The bytes of the picture, and the name of its file, if it has one. Plain codes have none: drawing
   * one is faster than writing or reading a file. Other pictures are kept in a file when they are
   * requested a second time, since most are requested once. Only a file with the `noted` name is
   * looked for.
   */
  async read(
    kind: ArtworkKind,
    subject: Subject,
    noted: string | null,
  ): Promise<{ name?: string; bytes: Uint8Array }> {
    if (await this.#drawings.isPlain(subject.drawing))
      return { bytes: await this.#draw(kind, subject) };
    const name = this.nameOf(kind, subject);
    const kept = noted === name ? await this.#media.read(name) : undefined;
    if (kept !== undefined) return { name, bytes: kept };
    const bytes = await this.#draw(kind, subject);
    if (this.#drawn.get(name) !== true) {
      this.#drawn.set(name, true);
      return { bytes };
    }
    await this.#media.save(name, bytes);
    return { name, bytes };
  }

  async #draw(kind: ArtworkKind, { drawing }: Subject): Promise<Uint8Array> {
    if (kind === "svg") return Buffer.from(await this.#drawings.svg(drawing));
    return kind === "png" ? this.#drawings.png(drawing) : this.#drawings.printPng(drawing);
  }
}
