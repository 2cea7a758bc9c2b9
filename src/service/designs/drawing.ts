/** From stored fields to pictures: the only file of the service that calls the QR engine. */
import { AppError } from "../../base/errors.ts";
import { Remembered } from "../../base/flow/remembered.ts";
import {
  designScanWarnings,
  gradeWarnings,
  resolveDesign,
  type Design,
} from "../../qr/draw/design.ts";
import type { QrEngine } from "../../qr/engine.ts";
import { isPlain } from "../../qr/png/plain-png.ts";

import { NON_FIELD } from "../../api/errors.ts";

import { Refusal, refuse } from "../http/reply.ts";
import type { Store } from "../store/store.ts";
import type { Drawing, StoredDesign } from "./stored-design.ts";

/** Fields of an answer. */
export interface Picture {
  readonly svg: string;
  readonly scan_warnings?: string[];
}

/** PNG files of the download are at least this wide (docs/spec/qr.md section 7). */
const PRINT_WIDTH_PX = 1000;
const LOGOS_KEPT = 32;
/** Drawings of new codes, at most twice as many: their files are usually requested next. */
const SVGS_KEPT = 64;
/** Larger drawings, such as those with a logo, are drawn again. */
const MAX_SVG_KEPT = 32_768;

/** A refusal names the field already. */
function toSentence(message: string, field: string): string {
  const own = message.startsWith(`${field} must`) ? message.slice(field.length + 1) : message;
  return `${own.replace(/^must/u, "Must")}.`;
}

/** Field problems of the engine as a 400; a problem without a field names the code as a whole. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== "input") return error;
  const problems = error.problems.length > 0 ? error.problems : [error];
  const fields: Record<string, string[]> = {};
  for (const { message, where } of problems) {
    const field = where?.field ?? (error.code.startsWith("payload") ? "qr_data" : NON_FIELD);
    (fields[field] ??= []).push(toSentence(message, field));
  }
  return refuse.fields(fields);
}

async function orRefuse<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Designs that were resolved lately, at most twice as many: most rows of a job share one. */
const DESIGNS_KEPT = 32;

/** A logo is identified by its hash. */
const toKey = ({ text, design }: Drawing): string => `${JSON.stringify(design)}\n${text}`;

/** Draws codes. Faults of text or design are 400s (`Refusal`). */
export class Drawings {
  readonly #store: Store;
  readonly #engine: QrEngine;
  readonly #logos = new Map<string, Uint8Array>();
  readonly #svgs = new Remembered<string>(SVGS_KEPT);
  readonly #designs = new Remembered<Design>(DESIGNS_KEPT);

  constructor(store: Store, engine: QrEngine) {
    this.#store = store;
    this.#engine = engine;
  }

  svg(drawing: Drawing): Promise<string> {
    return orRefuse(async () => {
      const known = this.#svgs.get(toKey(drawing));
      return known ?? this.#engine.svg(drawing.text, await this.resolve(drawing.design));
    });
  }

  /**
   * Fields of an answer: the SVG, and why scanners may fail on it (docs/spec/qr.md section 6). `logo` =
   * a PNG that is stored nowhere, instead of that of the design.
   */
  picture(drawing: Drawing, logo?: Uint8Array): Promise<Picture> {
    return orRefuse(async () => {
      const { text } = drawing;
      const design =
        logo === undefined
          ? await this.resolve(drawing.design)
          : resolveDesign({ ...drawing.design, logo });
      const { svg, warnings } = this.#engine.svgWithWarnings(text, design);
      if (logo === undefined && svg.length <= MAX_SVG_KEPT) this.#svgs.set(toKey(drawing), svg);
      return { svg, ...(warnings.length === 0 ? {} : { scan_warnings: warnings }) };
    });
  }

  /** As wide as the design says; without a width there, wide enough for the code. */
  async png(drawing: Drawing, widthPx?: number): Promise<Uint8Array> {
    try {
      return await this.#png(drawing, (design) => widthPx ?? design.sizePx);
    } catch (error) {
      const isTooSmall = error instanceof Refusal && error.reply.body?.["size"] !== undefined;
      if (!isTooSmall || typeof drawing.design.sizePx === "number") throw error;
      return this.printPng(drawing);
    }
  }

  /**
   * For a preview: as wide as asked or as the code needs, on white, since its background is unknown.
   */
  async lookPng({ text, design }: Drawing, widthPx: number): Promise<Uint8Array> {
    const backgroundColor = design.backgroundColor ?? "#ffffff";
    return this.png({ text, design: { ...design, backgroundColor, sizePx: undefined } }, widthPx);
  }

  /** For print: 1000 px wide or more. */
  printPng(drawing: Drawing): Promise<Uint8Array> {
    return this.#png(drawing, (design) => Math.max(PRINT_WIDTH_PX, design.sizePx));
  }

  /** True for what is drawn in less than a millisecond. */
  isPlain({ design }: Drawing): Promise<boolean> {
    return orRefuse(async () => isPlain(await this.resolve(design)));
  }

  async resolve(design: StoredDesign): Promise<Design> {
    const { logo, ...rest } = design;
    if (logo !== undefined) return resolveDesign({ ...rest, logo: await this.#readLogo(logo) });
    const key = JSON.stringify(rest);
    const known = this.#designs.get(key);
    if (known !== undefined) return known;
    const resolved = resolveDesign(rest);
    this.#designs.set(key, resolved);
    return resolved;
  }

  async #png(drawing: Drawing, width: (design: Design) => number): Promise<Uint8Array> {
    return orRefuse(async () => {
      const design = await this.resolve(drawing.design);
      return this.#engine.png(drawing.text, design, { widthPx: width(design) });
    });
  }

  async #readLogo(hash: string): Promise<Uint8Array | null> {
    const known = this.#logos.get(hash);
    if (known !== undefined) return known;
    const row = await this.#store.db
      .selectFrom("logos")
      .select("png")
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (row === undefined) return null;
    if (this.#logos.size >= LOGOS_KEPT) this.#logos.clear();
    this.#logos.set(hash, row.png);
    return row.png;
  }
}

/** What checks of designs found. */
const checked = new Remembered<readonly string[]>(DESIGNS_KEPT);

/** Refuses a design that can't be drawn; answers why scanners may fail on one that can. */
export function checkStoredDesign(design: StoredDesign): string[] {
  const key = JSON.stringify(design);
  const known = checked.get(key);
  if (known !== undefined) return [...known];
  const warnings = checkAnew(design);
  checked.set(key, warnings);
  return [...warnings];
}

function checkAnew({ logo, ...rest }: StoredDesign): readonly string[] {
  try {
    // Any logo will do: the checks only depend on whether there is one.
    const resolved = resolveDesign(logo === undefined ? rest : { ...rest, logo: new Uint8Array() });
    return [...designScanWarnings(resolved), ...gradeWarnings(resolved)];
  } catch (error) {
    throw toRefusal(error);
  }
}
