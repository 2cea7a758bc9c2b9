/**
 * The parts of a worksheet around its rows (ISO/IEC 29500-1, 18.3.1.99) that change what people see.
 */
import { parseArea, type Area } from "./xlsx-address.ts";
import { ZipFault } from "./zip-file.ts";
import { prefixed, type Attributes } from "./xml.ts";

export interface SheetLink {
  readonly area: Area;
  /** Relationship with the address; undefined for places within the workbook. */
  readonly id: string | undefined;
  readonly fragment: string | undefined;
}

export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";
const isFalse = (value: string | undefined): boolean => value === "0" || value === "false";

const isHiddenColumn = ({ hidden, width = "1" }: Attributes): boolean =>
  isTrue(hidden) || Number(width) === 0;

type Read = (attributes: Attributes) => void;

/** Merged cells, links, rules, tables and hidden columns of a sheet: each takes hundreds of bytes. */
const MOST_PARTS = 250_000;

export class SheetFrame {
  readonly merged: Area[] = [];
  readonly links: SheetLink[] = [];
  /** Relationships. */
  readonly tables: string[] = [];
  /** Positions from 1, as ranges. */
  readonly hiddenColumns: (readonly [number, number])[] = [];
  hidesZeros = false;
  showsFormulas = false;
  #parts = 0;
  /** Area of the current conditional formatting. */
  #area = "";
  readonly #rules: { area: string; format: number | undefined }[] = [];
  /** The text of an area, which stands behind the rules that Excel has had since 2010. */
  #areaText: string | undefined;
  readonly #reads: Readonly<Record<string, Read>> = {
    sheetView: ({ showZeros, showFormulas }) => {
      this.hidesZeros ||= isFalse(showZeros);
      this.showsFormulas ||= isTrue(showFormulas);
    },
    col: (attributes) => {
      if (!isHiddenColumn(attributes)) return;
      this.hiddenColumns.push([Number(attributes["min"]), Number(attributes["max"])]);
    },
    mergeCell: ({ ref = "" }) => this.merged.push(parseArea(ref)),
    hyperlink: (attributes) => {
      const { ref = "", location } = attributes;
      const id = prefixed(attributes, "id");
      this.links.push({ area: parseArea(ref), id, fragment: location });
    },
    tablePart: (attributes) => this.tables.push(prefixed(attributes, "id") ?? ""),
    conditionalFormatting: ({ sqref = "" }) => {
      this.#area = sqref;
    },
    cfRule: ({ dxfId }) => {
      if (dxfId !== undefined) this.#rules.push({ area: this.#area, format: Number(dxfId) });
    },
    iconSet: (attributes) => this.#addBare(attributes),
    dataBar: (attributes) => this.#addBare(attributes),
    numFmt: () => this.#addBare({ showValue: "0" }),
    sqref: () => {
      this.#areaText = "";
    },
  };

  /** @throws ZipFault when there are too many parts */
  open(name: string, attributes: Attributes): void {
    if (!Object.hasOwn(this.#reads, name)) return;
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) {
      const most = MOST_PARTS.toLocaleString("en");
      const what = "merged cells, links and rules";
      throw new ZipFault(
        `sheet must have at most ${most} ${what}, got more`,
        `save the sheet as CSV: CSV has no ${what}`,
      );
    }
    this.#reads[name]?.(attributes);
  }

  text(text: string): void {
    if (this.#areaText !== undefined) this.#areaText += text;
  }

  close(name: string): void {
    if (name !== "sqref") return;
    for (const rule of this.#rules) rule.area ||= this.#areaText ?? "";
    this.#areaText = undefined;
  }

  /** Rules that show a picture or a format of their own, and not the value. */
  #addBare({ showValue }: Attributes): void {
    if (isFalse(showValue)) this.#rules.push({ area: this.#area, format: undefined });
  }

  /** @param formats of rules: those with a number format */
  listRuled(formats: ReadonlySet<number>): string[] {
    const found = this.#rules.filter(({ format }) => format === undefined || formats.has(format));
    return [...new Set(found.map(({ area }) => area))];
  }
}
