/** A request to render labels: rows and how their labels look, as JSON (docs/render.md). */
import { z } from "zod";

import { isRecord } from "../base/is-record.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { formatCount } from "../base/text/words.ts";

/** Limits of one request. */
export const renderCaps = {
  bodyBytes: 4 * 1024 * 1024,
  rows: 1000,
  columns: 100,
  /** With copies and overs. */
  labels: 2000,
  /** Characters of all texts of all rows, but for what filters add. */
  text: 4_000_000,
  /** Items of all labels, one of each row. */
  items: 100_000,
  /** Of the page of a PNG. */
  pixels: 50_000_000,
  problems: 100,
} as const;

/** Holds the place of each row in the request; templates may use it. */
export const ROW_COLUMN = "row";

/** JSON's numbers lose digits beyond these bounds before anybody sees them. */
const MOST = Number.MAX_SAFE_INTEGER;

const value = z
  .union([z.string(), z.number(), z.boolean(), z.null()], {
    error: "must be a text, a number, true, false or null",
  })
  .refine((given) => typeof given !== "number" || Math.abs(given) <= MOST, {
    error: `must be a text: as a number, it lost digits beyond ${MOST}`,
  });

const part = z.record(z.string(), z.unknown(), {
  error: ({ input }) => (input === undefined ? "must be given" : "must be a map of fields"),
});

const FIELDS = "rows, columns, code, sheets, format or dpi";

const bodyFields = {
  rows: z
    .array(z.record(z.string(), value, "must be a map of columns"), "must be a list of rows")
    .min(1, "must have at least one row")
    .max(renderCaps.rows, `must have at most ${formatCount(renderCaps.rows)} rows`),
  columns: part.default({}),
  code: part,
  sheets: part,
  format: z.enum(["pdf", "png"], "must be pdf or png").default("pdf"),
  dpi: z
    .int("must be a whole number")
    .min(72, "must be at least 72")
    .max(1200, "must be at most 1200")
    .default(300),
};

const RenderBody = z.strictObject(bodyFields, "must be a map with rows, code and sheets");

export interface RenderFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface RenderOrder {
  /** YAML of the job. */
  readonly manifest: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Logo and pictures that came along, beside the manifest. */
  readonly files: readonly RenderFile[];
  readonly format: "pdf" | "png";
  readonly dpi: number;
}

/** Fields that would name files of the server, ask others, or keep something. */
const REFUSED: readonly (readonly [part: "code" | "sheets", field: string, why: string])[] = [
  ["code", "dynamic", "codes that are rendered say what their rows say: they have no short link"],
  ["code", "domain", "codes that are rendered have no short link"],
  ["code", "folder", "nothing is filed"],
  ["code", "tags", "nothing is filed"],
  ["sheets", "per", "one file is made"],
  ["sheets", "name", "one file is made"],
  ["sheets", "fonts", "files are not taken"],
  ["sheets", "background", "files are not taken"],
  ["sheets", "printer", "files are not taken"],
  ["sheets", "artwork", "codes are drawn here"],
  ["sheets", "reprint", "nothing is kept that could be printed again"],
  ["sheets", "volume_codes", "one file is made"],
];

const NOT_IN_DESIGN = {
  template: "templates are the account's; write out their fields",
  logo_url: "no other server is asked; logo_file takes a data: URL",
} as const;

const NO_GS1: Problem = {
  message:
    'code.type must be Link, Text or vCard, got "GS1": it belongs to a product of an account',
  hint: "take type Link, and the Digital Link as qr_data, such as https://id.example.com/01/{{ gtin }}",
  where: { field: "code.type" },
};

const refused = (field: string, why: string): Problem => ({
  message: `${field} must not be given: ${why}`,
  where: { field },
});

const SETTINGS = /\.(?:json|ya?ml)$/iu;

const notName = (field: string, what: string, got: string): Problem => ({
  message: `${field} must be the name of a ${what}, got ${JSON.stringify(got)}`,
  hint: "files are not taken",
  where: { field },
});

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

const DATA_RULE = "must be a data: URL of a picture in base64, such as data:image/png;base64,…";

/** The picture of a `data:` URL; undefined for anything else. */
function readDataUrl(
  text: string,
): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const comma = text.indexOf(",");
  const head = text.slice(0, Math.max(0, comma)).toLowerCase();
  if (!head.startsWith("data:") || !head.endsWith(";base64")) return undefined;
  const media = head.slice("data:".length, -";base64".length);
  const type = Object.hasOwn(IMAGE_TYPES, media) ? IMAGE_TYPES[media] : undefined;
  const bytes = Buffer.from(text.slice(comma + 1), "base64");
  return type === undefined || bytes.length === 0 ? undefined : { type, bytes };
}

/** Fields of the request that hold a picture. */
const isPicture = (field: string): boolean =>
  field === "code.design.logo_file" || /^sheets\..*\.image$/u.test(field);

/** Pictures that come along become files beside the manifest, which names them. */
class Pictures {
  readonly files: RenderFile[] = [];
  readonly problems: Problem[] = [];

  /** `given` with the names of the files. */
  take(given: unknown, field: string): unknown {
    if (isPicture(field) && given !== undefined) return this.#takeOne(given, field);
    if (Array.isArray(given)) return given.map((one, at) => this.take(one, `${field}[${at}]`));
    if (!isRecord(given)) return given;
    return Object.fromEntries(
      Object.entries(given).map(([name, below]) => [name, this.take(below, `${field}.${name}`)]),
    );
  }

  #takeOne(given: unknown, field: string): string {
    const read = typeof given === "string" ? readDataUrl(given) : undefined;
    if (read === undefined) {
      this.problems.push({ message: `${field} ${DATA_RULE}`, where: { field } });
      return "";
    }
    const name = `picture-${this.files.length + 1}.${read.type}`;
    this.files.push({ name, bytes: read.bytes });
    return name;
  }
}

/** Profiles and pages are files, wherever they stand. */
function findFiles(given: unknown, field: string): Problem[] {
  if (Array.isArray(given))
    return given.flatMap((one, index) => findFiles(one, `${field}[${index}]`));
  if (!isRecord(given)) return [];
  return Object.entries(given).flatMap(([name, below]) => {
    const place = `${field}.${name}`;
    return ["file", "background"].includes(name)
      ? [refused(place, "files are not taken")]
      : findFiles(below, place);
  });
}

/** A label sheet, or a template of labels, by its name: a path or a file of settings is none. */
const isName = (text: string): boolean => /^\w[\w.-]*$/u.test(text) && !SETTINGS.test(text);

/** Where a label template stands, if it isn't named by a name of its own. */
function findLabelFile(face: unknown, field: string): Problem[] {
  const label = isRecord(face) ? face["label"] : undefined;
  const [place, name] = isRecord(label)
    ? [`${field}.label.template`, label["template"]]
    : [`${field}.label`, label];
  return typeof name !== "string" || isName(name) ? [] : [notName(place, "label template", name)];
}

function findRefused({ code, sheets }: z.output<typeof RenderBody>): Problem[] {
  const parts = { code, sheets };
  const fields = REFUSED.filter(([part, field]) => parts[part][field] !== undefined);
  const found = fields.map(([part, field, why]) => refused(`${part}.${field}`, why));
  const { design } = code;
  const named = isRecord(design) ? design : {};
  const foreign = Object.entries(NOT_IN_DESIGN).filter(([name]) => named[name] !== undefined);
  const { sheet, start } = sheets;
  return [
    ...found,
    ...foreign.map(([name, why]) => refused(`code.design.${name}`, why)),
    ...(code["type"] === "GS1" ? [NO_GS1] : []),
    ...(typeof sheet !== "string" || isName(sheet)
      ? []
      : [notName("sheets.sheet", "label sheet", sheet)]),
    ...findLabelFile(sheets, "sheets"),
    ...findLabelFile(sheets["back"], "sheets.back"),
    ...(start === "continue" ? [refused("sheets.start: continue", "nothing is kept")] : []),
    // A field that is refused as a whole is not checked further.
    ...findFiles({ ...sheets, background: undefined }, "sheets").filter(
      ({ where }) => where?.field !== "sheets.background",
    ),
  ];
}

/** Texts as they stand: no variable of this computer is put into them. */
function withoutVariables(given: unknown): unknown {
  if (typeof given === "string") return given.replaceAll("$", "$$$$");
  if (Array.isArray(given)) return given.map(withoutVariables);
  if (!isRecord(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, below]) => [name, withoutVariables(below)]),
  );
}

type Rows = z.output<typeof RenderBody>["rows"];

function readColumns(rows: Rows): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > renderCaps.columns)
    throw refuseBody([
      { message: `rows must have at most ${renderCaps.columns} columns, got ${columns.length}` },
    ]);
  const own = columns.find((name) => name.trim().toLowerCase() === ROW_COLUMN);
  if (own === undefined) return columns;
  const message = `rows must have no column ${ROW_COLUMN}: it is the number of the row`;
  throw refuseBody([{ message, where: { field: own } }]);
}

interface Cells {
  readonly rows: number;
  /** Characters of the longest cell of each row, added up. */
  readonly longest: number;
}

function measureCells(rows: Rows, types: Readonly<Record<string, unknown>>): Cells {
  const defaults = Object.values(types).map((type) => (isRecord(type) ? type["default"] : ""));
  const least = Math.max(
    0,
    ...defaults.map((text) => (typeof text === "string" ? text.length : 0)),
  );
  const lengths = rows.map((row) =>
    Object.values(row).reduce<number>((most, cell) => Math.max(most, String(cell).length), least),
  );
  return { rows: rows.length, longest: lengths.reduce((sum, length) => sum + length, 0) };
}

/** Characters that texts have at most, filled in for all rows. */
function countText(given: unknown, cells: Cells): number {
  if (typeof given === "string")
    return given.length * cells.rows + (given.split("{{").length - 1) * cells.longest;
  const below = typeof given === "object" && given !== null ? Object.values(given) : [];
  return below.reduce<number>((sum, one) => sum + countText(one, cells), 0);
}

/** Short templates of long cells would make texts without end, all of them before anything is drawn. */
function refuseLongTexts(templates: unknown, cells: Cells): void {
  if (countText(templates, cells) <= renderCaps.text) return;
  const most = formatCount(renderCaps.text);
  const message = `texts of all rows must have at most ${most} characters, got more`;
  throw refuseBody([{ message, hint: "send fewer rows at once, or shorter cells" }]);
}

const itemsOf = (face: unknown): number => {
  const label = isRecord(face) ? face["label"] : undefined;
  const items = isRecord(label) ? label["items"] : undefined;
  return Array.isArray(items) ? items.length : 0;
};

function refuseManyItems(sheets: Readonly<Record<string, unknown>>, rows: number): void {
  const count = (itemsOf(sheets) + itemsOf(sheets["back"])) * rows;
  if (count <= renderCaps.items) return;
  const message = `labels of all rows must have at most ${formatCount(renderCaps.items)} items, got ${formatCount(count)}`;
  throw refuseBody([{ message, hint: "send fewer rows at once", where: { field: "sheets" } }]);
}

export const refuseBody = (problems: readonly Problem[]): AppError =>
  new AppError("row-invalid", "this can't be rendered", { problems });

function readShape(body: unknown): z.output<typeof RenderBody> {
  const read = RenderBody.safeParse(body);
  if (read.success) return read.data;
  throw refuseBody(
    read.error.issues.slice(0, renderCaps.problems).map(({ path, message, code, ...issue }) => {
      const unknown = code === "unrecognized_keys" && "keys" in issue ? issue.keys : [];
      const [first, index, column] = path;
      // Rows are counted from 1, as in the answers of spreadsheets.
      const line = first === "rows" && typeof index === "number" ? index + 1 : undefined;
      const names = line === undefined ? path : column === undefined ? [] : [column];
      const field = [...names, ...unknown].map(String).join(".") || String(first ?? "body");
      const says = unknown.length > 0 ? `must be ${FIELDS}` : message;
      return {
        message: `${field} ${says}`,
        where: { field, ...(line === undefined ? {} : { line }) },
      };
    }),
  );
}

/** Throws `row-invalid` with every problem of a body that can't be rendered. */
export function readOrder(body: unknown): RenderOrder {
  const shape = readShape(body);
  const pictures = new Pictures();
  const code = pictures.take(shape.code, "code") as object;
  const sheets = pictures.take(shape.sheets, "sheets");
  const found = [...findRefused(shape), ...pictures.problems];
  if (found.length > 0) throw refuseBody(found);
  const { rows, columns: types, format, dpi } = shape;
  const columns = readColumns(rows);
  refuseManyItems(shape.sheets, rows.length);
  refuseLongTexts([code, sheets], measureCells(rows, types));
  const [first = ROW_COLUMN] = columns;
  const manifest = withoutVariables({
    version: 1,
    name: "labels",
    kind: "codes",
    source: {
      file: "rows.csv",
      key: [ROW_COLUMN],
      header_row: 1,
      encoding: "utf-8",
      delimiter: ",",
      columns: types,
    },
    // The caption is by default the code's name.
    code: { display_name: `{{ ${first} }}`, ...code, dynamic: false },
    output: { dir: "out", files: [], index: [], sheets },
  });
  return {
    manifest: JSON.stringify(manifest, null, 1),
    columns: [ROW_COLUMN, ...columns],
    rows: rows.map((row, index) => [
      String(index + 1),
      ...columns.map((name) => String(row[name] ?? "")),
    ]),
    files: pictures.files,
    format,
    dpi,
  };
}
