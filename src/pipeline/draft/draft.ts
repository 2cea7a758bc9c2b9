/** The manifest, the sample and the schema that `init` writes. Pure: texts in, texts out. */
import type { ColumnType } from "../../job/job.ts";
import { nameColumns, quote, toKey, type NamedColumn } from "./column-names.ts";

/** A column of the spreadsheet that the manifest names. */
export interface DraftColumn {
  readonly header: string;
  readonly type: ColumnType;
}

export interface Draft {
  readonly name: string;
  /** As the manifest writes it. */
  readonly file: string;
  readonly sheetName: string | undefined;
  readonly otherSheets: readonly string[];
  /** Set where the header isn't found by itself. */
  readonly headerRow: number | undefined;
  /** What the codes hold. */
  readonly payload: DraftColumn;
  /** What identifies a row, and what stands under the code; may be empty. */
  readonly key: readonly DraftColumn[];
  /** What stands under the code when no column identifies it. */
  readonly label: DraftColumn | undefined;
  readonly isDynamic: boolean;
  /** Label sheet; undefined: artwork and archive only. */
  readonly labelSheet: string | undefined;
}

export const SCHEMA_FILE = "schema/job.v1.json";

const noteSheets = (others: readonly string[]): string =>
  others.length === 0 ? "" : `  # there are also ${others.map((name) => quote(name)).join(", ")}`;

/** What a row is made of in the sample: enough for a second sheet of no label. */
const ROOMS = ["North hall", "Cold store", "Büro", "Café"] as const;
const SHELVES_PER_ROOM = 3;

export const sampleColumns = {
  payload: { header: "url", type: "url" },
  key: [{ header: "shelf", type: "text" }],
} as const satisfies Pick<Draft, "payload" | "key">;

export function makeSample(): string {
  const lines = ROOMS.flatMap((room, at) =>
    Array.from({ length: SHELVES_PER_ROOM }, (_, n) => {
      const shelf = `${String.fromCharCode(65 + at)}-${String(n + 1).padStart(2, "0")}`;
      return `${shelf},${room},https://example.com/shelf/${shelf.toLowerCase()}`;
    }),
  );
  return `${["shelf,room,url", ...lines].join("\n")}\n`;
}

type NamedDraftColumn = DraftColumn & NamedColumn;

function nameDraftColumns({ key, label, payload }: Draft): NamedDraftColumn[] {
  const labels = key.length === 0 && label !== undefined ? [label] : key;
  const columns = new Map([...labels, payload].map((column) => [column.header, column]));
  return nameColumns([...columns.keys()]).map((named) => ({
    ...(columns.get(named.header) ?? payload),
    ...named,
  }));
}

function toRule({ name, header, type }: NamedDraftColumn, { key, payload }: Draft): string {
  const isNeeded = [...key, payload].some((one) => one.header === header);
  const parts = [
    ...(type === "text" ? [] : [`type: ${type}`]),
    ...(isNeeded ? ["required: true"] : []),
    ...(name === header.trim() ? [] : [`aliases: [${quote(header.trim())}]`]),
  ];
  return `    ${toKey(name)}: ${parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`}`;
}

/** `codes` job for the draft, with a word on every line that people change first. */
export function makeManifest(draft: Draft): string {
  const columns = nameDraftColumns(draft);
  const nameOfColumn = ({ header }: DraftColumn): string =>
    columns.find((column) => column.header === header)?.name ?? header;
  const key = draft.key.map(nameOfColumn);
  const payload = nameOfColumn(draft.payload);
  const isLink = draft.payload.type === "url";
  const labels = key.length === 0 ? [nameOfColumn(draft.label ?? draft.payload)] : key;
  const label = labels.map((name) => `{{ ${name} }}`).join(" / ");
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_FILE}`,
    "version: 1",
    `name: ${draft.name}`,
    "kind: codes",
    "source:",
    `  file: ${quote(draft.file)}`,
    ...(draft.sheetName === undefined
      ? []
      : [`  sheet: ${quote(draft.sheetName)}${noteSheets(draft.otherSheets)}`]),
    ...(draft.headerRow === undefined ? [] : [`  header_row: ${draft.headerRow}`]),
    ...(key.length === 0
      ? ["  # key: [...]  # columns that identify a row, so that a change becomes an update"]
      : [`  key: [${key.map(toKey).join(", ")}]  # what identifies a row when you run again`]),
    "  columns:",
    ...columns.map((column) => toRule(column, draft)),
    "code:",
    `  type: ${isLink ? "Link" : "Text"}`,
    draft.isDynamic
      ? "  dynamic: true  # a short link that can lead elsewhere later"
      : "  dynamic: false  # the text itself; can't be changed once it is printed",
    `  qr_data: "{{ ${payload} }}"`,
    `  display_name: "${label}"`,
    "output:",
    `  dir: out/${draft.name}`,
    "  files: [svg, png]",
    "  zip: true",
    ...(draft.labelSheet === undefined
      ? []
      : [
          `  sheets: { sheet: ${draft.labelSheet}, caption: "${label}" }  # makeready sheets lists them`,
        ]),
    "  index: [csv, xlsx]",
  ];
  return `${lines.join("\n")}\n`;
}
