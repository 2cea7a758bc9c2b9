/** How the codes of rows look on the server, and how they are built: what sheets are held against. */
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
import { hasLogo, toLevel, toNamedLevel } from "../../api/design.ts";
import { type DrawingLook, lookAtDrawing } from "../../print/art/drawing-look.ts";
import { recallTemplate } from "../../run/templates.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { toPayload } from "../payload.ts";

/** A row's code as its artwork has it. */
export interface CodeLook {
  readonly level: QrLevel;
  /** 1 where it is as small as it can be. */
  readonly minVersion: number;
  /** What of its look the sheets don't show. */
  readonly lost: readonly Look[];
}

export interface LookInput {
  readonly state: State;
  readonly kind: Kind;
  readonly sheets: JobSheets;
  /** The drawing of a row's code; undefined when there is none. */
  readonly drawingOf: (row: StateRow) => string | undefined;
}

/** What is thought of a code before its drawing is looked at. */
interface Expected {
  readonly lost: readonly Look[];
  /** Its design is told, with its template. */
  readonly isKnown?: boolean;
}

/** Looks at rows; a design that several rows have is looked at once. */
export class CodeLooks {
  readonly #input: LookInput;
  readonly #templates = new Map<string, Design | undefined>();
  readonly #known = new Map<string, CodeLook>();

  constructor(input: LookInput) {
    this.#input = input;
  }

  async of(row: StateRow): Promise<CodeLook> {
    const design = (row.made ?? row.wanted).design;
    // Codes that exist have what nobody told.
    if (!isRowKind(this.#input.kind)) return this.#lookAt(row, design, { lost: ["design"] });
    const name = toTemplateName(design);
    const facts = name === undefined ? undefined : this.#recall(name);
    const whole = withTemplate(design, facts);
    const isKnown = name === undefined || facts !== undefined;
    const level = toLevel({ design: whole });
    const lost: readonly Look[] = isKnown
      ? lostLooks(whole, this.#input.sheets)
      : [`template ${name}`];
    const isTold = name === undefined || toNamedLevel(whole) !== undefined;
    if (isKnown && isTold && !hasLogo(whole)) return { level, minVersion: 1, lost };
    return this.#lookOnce(row, whole, { lost, isKnown });
  }

  /** The first row of a look stands for all of them. */
  async #lookOnce(row: StateRow, design: Design, given: Expected): Promise<CodeLook> {
    const { template: name } = design;
    const key = JSON.stringify([name, toLevel({ design }), hasLogo(design), given]);
    const known = this.#known.get(key) ?? (await this.#lookAt(row, design, given));
    this.#known.set(key, known);
    return known;
  }

  /** `lost`: what the sheets don't show, unless the drawing shows that there is nothing of it. */
  async #lookAt(
    row: StateRow,
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

/** Logos want more modules than the text does. */
function toMatrix(
  row: StateRow,
  { level, version }: DrawingLook,
): Pick<CodeLook, "level" | "minVersion"> {
  const own = encodeQr(toPayload(row), { level }).version;
  return { level, minVersion: version > own ? version : 1 };
}
