/** The parts that cells refer to: shared texts and number formats. */
import { numberFormatOf, type NumberFormat } from "../formats/number-format.ts";
import { decodeEscapes, readXml, type Attributes, type XmlReader } from "./xml.ts";
import { ZipFault } from "./zip-file.ts";

/**
 * Collects the text of one element: of `<t>`, rich text included, but not of the phonetic guides
 * (`<rPh>`) in Japanese and Chinese files.
 */
export class TextCollector {
  #text = "";
  #isText = false;
  #isPhonetic = false;

  open(name: string): void {
    if (name === "rPh") this.#isPhonetic = true;
    else if (name === "t") this.#isText = true;
  }

  add(text: string): void {
    if (this.#isText && !this.#isPhonetic) this.#text += text;
  }

  close(name: string): void {
    if (name === "rPh") this.#isPhonetic = false;
    else if (name === "t") this.#isText = false;
  }

  /** The collected text; starts anew. */
  take(): string {
    const text = decodeEscapes(this.#text);
    this.#text = "";
    return text;
  }
}

class StringsReader implements XmlReader {
  readonly strings: string[] = [];
  readonly #collector = new TextCollector();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  open(name: string): void {
    this.#collector.open(name);
  }

  text(text: string): void {
    this.#collector.add(text);
  }

  close(name: string): void {
    this.#collector.close(name);
    if (name !== "si") return;
    if (this.strings.push(this.#collector.take()) <= this.#most) return;
    throw new ZipFault(
      `workbook must have at most ${this.#most.toLocaleString("en")} different texts, got more`,
      "save the sheet as CSV: CSV has no such limit",
    );
  }
}

/** `sharedStrings.xml` (ISO/IEC 29500-1, 18.4): at most as many texts as there may be cells. */
export async function readStrings(chunks: AsyncIterable<Buffer>, most: number): Promise<string[]> {
  const reader = new StringsReader(most);
  await readXml(chunks, reader);
  return reader.strings;
}

const STYLE_PARTS = new Set(["numFmts", "cellXfs", "dxfs"]);

class StylesReader implements XmlReader {
  readonly codes = new Map<number, string>();
  readonly formatIds: number[] = [];
  readonly ruleFormats = new Set<number>();
  #rules = 0;
  #isIn: string | undefined;

  open(name: string, attributes: Attributes): void {
    if (STYLE_PARTS.has(name)) this.#isIn = name;
    else if (this.#isIn === "dxfs") this.#openInRules(name);
    else if (name === "numFmt" && this.#isIn === "numFmts") {
      this.codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
    } else if (name === "xf" && this.#isIn === "cellXfs") {
      this.formatIds.push(Number(attributes["numFmtId"] ?? 0));
    }
  }

  #openInRules(name: string): void {
    if (name === "dxf") this.#rules += 1;
    else if (name === "numFmt") this.ruleFormats.add(this.#rules - 1);
  }

  close(name: string): void {
    if (name === this.#isIn) this.#isIn = undefined;
  }
}

/** Number formats of `styles.xml` (18.8) by style number, and those of rules. */
export async function readFormats(
  chunks: AsyncIterable<Buffer>,
): Promise<{ formats: NumberFormat[]; ruleFormats: ReadonlySet<number> }> {
  const reader = new StylesReader();
  await readXml(chunks, reader);
  const known = new Map<number, NumberFormat>();
  const formats = reader.formatIds.map((id) => {
    const format = known.get(id) ?? numberFormatOf(id, reader.codes);
    known.set(id, format);
    return format;
  });
  return { formats, ruleFormats: reader.ruleFormats };
}
