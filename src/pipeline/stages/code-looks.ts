/**
 * How the codes of rows look on the server, and how they are built: sheets are compared with this.
 */
import path from "node:path";

import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { encodeQr } from "../../qr/encode/encode.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { isRowKind, type Kind } from "../../kinds/names.ts";
import type { JobSheets } from "../../job/job.ts";
import {
  type Design,
  type Look,
  lostLooks,
  toTemplateName,
  withTemplate,
} from "../../plan/looks.ts";
import { hasLogo, isTold, toLevel, toNamedLevel } from "../../api/design.ts";
import { type DrawingLook, lookAtDrawing } from "../../print/art/drawing-look.ts";
import { type PressDesign, readLogoShapes } from "../../print/art/logo-shapes.ts";
import { recallLogo, recallLogoDrawing } from "../../run/logo-places.ts";
import { recallTemplate } from "../../run/templates.ts";
import type { ShownRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { toPayload } from "./payload.ts";
import { NO_LOGO, PrintDesigns, type PrintLogo, readLogo, sayPictures } from "./print-designs.ts";

/** A row's code as its artwork has it. */
export interface CodeLook {
  readonly level: QrLevel;
  /** 1 where it is as small as possible. */
  readonly minVersion: number;
  /** Parts of its design that the sheets don't show. */
  readonly lost: readonly Look[];
  /** The inks of its design; undefined for plain black. */
  readonly design?: PressDesign | undefined;
}

export interface LookInput {
  readonly state: State;
  readonly kind: Kind;
  readonly sheets: Pick<JobSheets, "print" | "artwork" | "artworkInks" | "codeStyle">;
  /** The drawing of a row's code; undefined when there is none. */
  readonly drawingOf: (row: ShownRow) => string | undefined;
}

/** What is known of a code before its drawing is looked at. */
interface Expected {
  readonly lost: readonly Look[];
  /** Its design is known, with its template. */
  readonly isKnown?: boolean;
}

const toLogoKey = ({ template, logo_url: url, logo_file: file }: Design): string =>
  JSON.stringify([template, url, file]);

/** Looks at rows; a design that several rows have is looked at once. */
export class CodeLooks {
  readonly #input: LookInput;
  readonly #templates = new Map<string, Design | undefined>();
  readonly #known = new Map<string, CodeLook>();
  readonly #designs = new PrintDesigns();
  readonly #logos = new Map<string, PrintLogo>();
  /** Drawings that are printed as pictures, by what they have beside shapes. */
  readonly #pictures = new Map<string, string>();

  constructor(input: LookInput) {
    this.#input = input;
  }

  async of(row: ShownRow): Promise<CodeLook> {
    const look = await this.#lookOf(row);
    if (this.#input.sheets.print !== "designed") return look;
    const { whole, isKnown } = this.#wholeOf(row);
    if (!isKnown) return look;
    if (hasLogo(whole)) await this.#readLogo(row, whole);
    const design = this.designOf(row, look.level);
    if (design === undefined) return { ...look, lost: ["design"] };
    return { ...look, design, lost: hasLogo(whole) && design.logo === null ? ["logo"] : look.lost };
  }

  /** The design of a row that was looked at before. */
  designOf(row: ShownRow, level?: QrLevel): PressDesign | undefined {
    if (this.#input.sheets.print !== "designed") return undefined;
    const { whole, isKnown } = this.#wholeOf(row);
    if (!isKnown) return undefined;
    const logo = this.#logos.get(toLogoKey(whole)) ?? NO_LOGO;
    return this.#designs.of(whole, level ?? toLevel({ design: whole }), logo);
  }

  /** A row's design with that of its template; not known where either is missing. */
  #wholeOf(row: ShownRow): { readonly whole: Design; readonly isKnown: boolean } {
    const { design } = row.made ?? row.wanted;
    const name = toTemplateName(design);
    const facts = name === undefined ? undefined : this.#recall(name);
    const isKnown = isRowKind(this.#input.kind)
      ? name === undefined || facts !== undefined
      : isTold(design);
    return { whole: withTemplate(design, facts), isKnown };
  }

  /** The first drawing with a logo stands for all that name the same one. */
  async #readLogo(row: ShownRow, whole: Design): Promise<void> {
    const key = toLogoKey(whole);
    if (this.#logos.has(key)) return;
    const svg = this.#input.drawingOf(row);
    const picture = (svg === undefined ? undefined : await readLogo(svg)) ?? null;
    this.#logos.set(key, { picture, ...(picture && { shapes: await this.#readShapes(whole) }) });
  }

  /** The shapes of the drawing that the code's picture was made of. */
  async #readShapes({ logo_file: mark }: Design): Promise<PrintLogo["shapes"]> {
    const { state } = this.#input;
    const svg = typeof mark === "string" ? recallLogoDrawing(state, mark) : undefined;
    if (svg === undefined || typeof mark !== "string") return undefined;
    const shapes = await readLogoShapes(Buffer.from(svg));
    if (typeof shapes !== "string") return shapes;
    this.#pictures.set(path.basename(recallLogo(state, mark) ?? mark), shapes);
    return undefined;
  }

  /** Logos that are drawings, and are printed as pictures all the same. */
  get warnings(): PressWarning[] {
    return sayPictures(this.#pictures);
  }

  async #lookOf(row: ShownRow): Promise<CodeLook> {
    const design = (row.made ?? row.wanted).design;
    const { whole, isKnown } = this.#wholeOf(row);
    if (!isRowKind(this.#input.kind)) {
      // Codes that exist may have more than the manifest says.
      const lost: readonly Look[] = isKnown ? lostLooks(whole, this.#input.sheets) : ["design"];
      return this.#lookAt(row, whole, { lost, isKnown });
    }
    const name = toTemplateName(design);
    const level = toLevel({ design: whole });
    const lost: readonly Look[] = isKnown
      ? lostLooks(whole, this.#input.sheets)
      : [`template ${name}`];
    // Lists show no level: a code that was taken back may have that of another manifest.
    if (row.made?.isTakenBack === true) return this.#lookAt(row, whole, { lost, isKnown });
    const isTold = name === undefined || toNamedLevel(whole) !== undefined;
    if (isKnown && isTold && !hasLogo(whole)) return { level, minVersion: 1, lost };
    return this.#lookOnce(row, whole, { lost, isKnown });
  }

  /** The first row of a look stands for all of them. */
  async #lookOnce(row: ShownRow, design: Design, given: Expected): Promise<CodeLook> {
    const { template: name } = design;
    const key = JSON.stringify([name, toLevel({ design }), hasLogo(design), given]);
    const known = this.#known.get(key) ?? (await this.#lookAt(row, design, given));
    this.#known.set(key, known);
    return known;
  }

  /** `lost`: what the sheets don't show, unless the drawing shows that the code has none of it. */
  async #lookAt(
    row: ShownRow,
    design: Design,
    { lost, isKnown = false }: Expected,
  ): Promise<CodeLook> {
    const svg = this.#input.drawingOf(row);
    const look = svg === undefined ? undefined : await lookAtDrawing(svg);
    if (look === undefined) return { level: toLevel({ design }), minVersion: 1, lost };
    return { ...toMatrix(row, look), lost: look.isPlain && !isKnown ? [] : lost };
  }

  #recall(name: string): Design | undefined {
    if (!this.#templates.has(name))
      this.#templates.set(name, recallTemplate(this.#input.state, name));
    return this.#templates.get(name);
  }
}

/** Codes with logos have more modules than their text needs. */
function toMatrix(
  row: ShownRow,
  { level, version }: DrawingLook,
): Pick<CodeLook, "level" | "minVersion"> {
  const own = encodeQr(toPayload(row), { level }).version;
  return { level, minVersion: version > own ? version : 1 };
}
