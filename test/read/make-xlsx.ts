/** Workbooks by hand: XML parts in a ZIP of our own, so that no library reads what it wrote. */
import { constants, crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  /** Not packed at all. */
  readonly isStored?: boolean;
  /** Stands between the two halves of the content, again and again. */
  readonly repeated?: { readonly text: string; readonly times: number };
}

const flush = (data: Buffer): Buffer =>
  deflateRawSync(data, { finishFlush: constants.Z_FULL_FLUSH });

/** Packed piece by piece: what is repeated never is in memory as a whole. */
function pack({ content, isStored = false, repeated }: ZipPart) {
  const bytes = Buffer.from(content as string);
  if (isStored) return { packed: bytes, size: bytes.length, crc: crc32(bytes) };
  if (repeated === undefined)
    return { packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
  const half = bytes.length / 2;
  const piece = Buffer.from(repeated.text);
  const block = flush(piece);
  let crc = crc32(bytes.subarray(0, half));
  const blocks = [flush(bytes.subarray(0, half))];
  for (let i = 0; i < repeated.times; i += 1) {
    crc = crc32(piece, crc);
    blocks.push(block);
  }
  blocks.push(deflateRawSync(bytes.subarray(half)));
  crc = crc32(bytes.subarray(half), crc);
  return {
    packed: Buffer.concat(blocks),
    size: bytes.length + piece.length * repeated.times,
    crc,
  };
}

export function makeZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { name } = part;
    const { packed, size, crc } = pack(part);
    const nameBytes = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
    head.writeUInt32LE(crc, 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(size, 18);
    head.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), head, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), head, tail, nameBytes]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

export interface SheetSpec {
  readonly name?: string;
  readonly state?: "hidden" | "veryHidden";
  /** Inside of `<sheetData>`. */
  readonly rows: string;
  /** Behind `</sheetData>`. */
  readonly after?: string;
  /** Relationship id -> address. */
  readonly links?: Readonly<Record<string, string>>;
}

export interface BookSpec {
  readonly sheets: readonly SheetSpec[];
  readonly date1904?: boolean;
  readonly strings?: readonly string[];
  /** Format codes of the styles from 5 on. */
  readonly formats?: readonly string[];
  readonly more?: readonly ZipPart[];
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const FIRST_FORMAT = 200;

const makeStyles = (formats: readonly string[]): string => {
  const codes = formats.map(
    (code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escape(code)}"/>`,
  );
  const styles = formats.map(
    (_, at) => `<xf numFmtId="${FIRST_FORMAT + at}" applyNumberFormat="1"/>`,
  );
  return STYLES.replace("</numFmts>", `${codes.join("")}</numFmts>`).replace(
    "</cellXfs>",
    `${styles.join("")}</cellXfs>`,
  );
};

/** Style 1: `00000000000000`, 2: ISO date, 3: date and time, 4: text. */
const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="3"><numFmt numFmtId="164" formatCode="00000000000000"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/><numFmt numFmtId="166" formatCode="yyyy-mm-dd hh:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`;

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

export function makeXlsx({
  sheets,
  date1904 = false,
  strings = [],
  formats = [],
  more = [],
}: BookSpec): Buffer {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escape(name ?? `Sheet${at + 1}`)}" sheetId="${at + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${REL}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const parts: ZipPart[] = [
    {
      name: "[Content_Types].xml",
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    },
    {
      name: "xl/workbook.xml",
      content: `<?xml version="1.0"?><workbook ${MAIN} xmlns:r="${REL}"><workbookPr${date1904 ? ' date1904="1"' : ""}/><sheets>${list.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships ${PACKAGE}>${relations.join("")}<Relationship Id="rIdS" Type="${REL}/styles" Target="styles.xml"/><Relationship Id="rIdT" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    { name: "xl/styles.xml", content: makeStyles(formats) },
    {
      name: "xl/sharedStrings.xml",
      content: `<sst ${MAIN}>${strings.map((text) => `<si>${text.startsWith("<") ? text : `<t>${escape(text)}</t>`}</si>`).join("")}</sst>`,
    },
  ];
  for (const [at, { rows, after = "", links }] of sheets.entries()) {
    parts.push({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<?xml version="1.0"?><worksheet ${MAIN} xmlns:r="${REL}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
    });
    if (links === undefined) continue;
    const entries = Object.entries(links).map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${REL}/hyperlink" Target="${escape(target)}" TargetMode="External"/>`,
    );
    parts.push({
      name: `xl/worksheets/_rels/sheet${at + 1}.xml.rels`,
      content: `<Relationships ${PACKAGE}>${entries.join("")}</Relationships>`,
    });
  }
  return makeZip([...parts, ...more]);
}

/** A cell with an inline text, or with the XML given. */
export function cell(ref: string, text: string | { xml: string }): string {
  if (typeof text !== "string") return text.xml.replace("<c", `<c r="${ref}"`);
  return `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`;
}

export function row(
  number: number,
  cells: readonly (string | { xml: string })[],
  attributes = "",
): string {
  const inner = cells.map((content, at) =>
    cell(`${String.fromCharCode(65 + at)}${number}`, content),
  );
  return `<row r="${number}"${attributes}>${inner.join("")}</row>`;
}

export const number = (value: string | number, style = 0): { xml: string } => ({
  xml: `<c s="${style}"><v>${value}</v></c>`,
});

/** A sheet of texts, header first. */
export function textSheet(rows: readonly (readonly string[])[]): SheetSpec {
  return { rows: rows.map((cells, at) => row(at + 1, cells)).join("") };
}
