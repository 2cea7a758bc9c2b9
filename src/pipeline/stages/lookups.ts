/** Index and sheet map, for people and programs that look things up. */
import path from "node:path";

import { sha256 } from "../../base/ids/ids.ts";
import { DEFAULT_DELIMITER } from "../../pack/csv.ts";
import type { WrittenFile } from "../../pack/hashed-file.ts";
import { writeIndexCsv, writeIndexXlsx, type IndexRow } from "../../pack/index-file.ts";
import { writeSheetMap, type SheetMapCell, type SheetMapVolume } from "../../pack/sheet-map.ts";
import type { Cell, ListedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { toListedAs } from "../standing/left.ts";
import { PUBLIC_URL } from "../address/public-address.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import { toPayload } from "./payload.ts";
import { findSymbolText } from "./symbol-text.ts";
import type { Work } from "./work.ts";
import { drawPictures, type Pictures } from "./index-pictures.ts";
import { type SheetOf, toSheetOf } from "./sheet-of.ts";
import { loadJobSheet } from "./sheet-options.ts";
import type { SheetGroup, Stage, ZipFile } from "./stage.ts";
import type { OwnFile } from "./sweep.ts";
import { toZipFinder } from "./zip-places.ts";

const MAP = "sheet-map.json";

/** The first place of a row; the sheet map has all, by page. */
function toIndexCell(cell: Cell | undefined, sheetOf: SheetOf): Partial<IndexRow> {
  if (cell === undefined) return {};
  const { file: sheetFile, row, column } = cell;
  return { sheetFile, sheet: sheetOf(cell), row, column };
}

/**
 * The address of a hosted thing. The embedded service names files by the port that it had while the
 * job ran; here they get its public address, like the short links.
 */
function toHosted(url: string | undefined, publicUrl: string | undefined): string | undefined {
  if (url === undefined || publicUrl === undefined || !isLoopbackUrl(url)) return url;
  return url.startsWith(`${publicUrl}/`) ? url : `${publicUrl}${new URL(url).pathname}`;
}

/** Where a scan leads: for a product to its default link, for what is hosted to its address. */
function toDestination(
  { wanted, made, parts }: ListedRow,
  publicUrl: string | undefined,
): string | undefined {
  const { qrData, gs1Product, product } = made ?? wanted;
  const link = product?.links.find((one) => one.is_default);
  const own = qrData ?? gs1Product?.["destination_url"] ?? link?.destination_url;
  return own ?? toHosted(parts.url, publicUrl);
}

/** How a list names files and archives. */
interface IndexNames {
  /** Of the embedded service; undefined for any other. */
  readonly publicUrl: string | undefined;
  readonly toName?: (file: string) => string;
  readonly toZip?: (row: ListedRow) => string | undefined;
  readonly sheetOf: SheetOf;
}

/** A row as the index shows it; `toName` renames its files, as an archive does. */
export function toIndexRow(
  row: ListedRow,
  {
    publicUrl,
    toName = (file) => file,
    toZip = ({ placing }) => placing.zip ?? undefined,
    sheetOf,
  }: IndexNames,
): IndexRow {
  const wanted = row.made ?? row.wanted;
  const files = row.artwork?.files ?? [];
  return {
    key: row.key,
    line: row.line,
    displayName: wanted.displayName,
    folder: wanted.folder ?? undefined,
    id: row.remoteId ?? undefined,
    shortLink: row.shortLink ?? undefined,
    destination: toDestination(row, publicUrl),
    type: wanted.type,
    files: files.map(({ name }) => toName(name)),
    sha256: files.map((file) => file.sha256),
    zip: toZip(row),
    ...toIndexCell(row.labels[0], sheetOf),
    state: row.state,
  };
}

function* toIndexRows(
  work: Work,
  zips: readonly ZipFile[],
  pictures?: Pictures,
): Iterable<IndexRow> {
  const { state, job } = work;
  const find = toZipFinder(zips);
  // An archive without any picture of a row is not named for it.
  const isPacked = ({ artwork }: ListedRow): boolean =>
    job.output.files.length === 0 || (artwork?.files ?? []).length > 0;
  const toZip = (row: ListedRow): string | undefined => (isPacked(row) ? find(row) : undefined);
  const publicUrl = state.meta(PUBLIC_URL);
  const names = { publicUrl, toZip, sheetOf: toSheetOf(work) };
  for (const row of state.listing.rows(toListedAs(job.kind))) {
    yield { ...toIndexRow(row, names), picture: pictures?.get(row.key) };
  }
}

/** The delimiter of lists: that of the spreadsheet, so that the same program opens them. */
export const toDelimiter = ({
  input,
}: {
  readonly input: Pick<Work["input"], "delimiter">;
}): string => input.delimiter || DEFAULT_DELIMITER;

/** Keeps the hash of what was written, for `verify`; returns the file. */
function remember({ state, folder }: Work, { file, sha256 }: WrittenFile): string {
  const name = path.relative(folder, file);
  state.setPackaged(`file ${name}`, sha256, { file: name, sha256 });
  return file;
}

/** Writes the index in the formats that the job asks for; answers the files. */
async function writeIndexes(work: Work, zips: readonly ZipFile[]): Promise<string[]> {
  const { job, folder, createdAt } = work;
  const files: string[] = [];
  if (job.output.index.includes("csv")) {
    const file = path.join(folder, "index.csv");
    const rows = toIndexRows(work, zips);
    files.push(remember(work, await writeIndexCsv(file, rows, toDelimiter(work))));
  }
  if (job.output.index.includes("xlsx")) {
    const file = path.join(folder, "index.xlsx");
    const { indexPictures: hasPictures } = job.output;
    const pictures = hasPictures ? await drawPictures(work) : undefined;
    // Stopped: the next run writes all of it.
    if (hasPictures && pictures === undefined) return files;
    const options = { createdAt: new Date(createdAt), hasPictures };
    const rows = toIndexRows(work, zips, pictures);
    files.push(remember(work, await writeIndexXlsx(file, rows, options)));
  }
  return files;
}

function* toMapCells({ state, job }: Work, group: string, file: string): Iterable<SheetMapCell> {
  for (const row of state.sheetRows(group, [
    "key",
    "wanted",
    "made",
    "shortLink",
    "placing",
    "labels",
  ])) {
    for (const place of row.labels) {
      if (place.file !== file) continue;
      const { page, row: sheetRow, column, side, part, symbol, item } = place;
      const said = findSymbolText(job.output.sheets, row.placing.caption, place)?.says;
      const payloadSha256 = sha256(said ?? toPayload(row));
      const at = { page, row: sheetRow, column, side, part, symbol, item };
      yield { ...at, key: row.key, payloadSha256 };
    }
  }
}

function* toMapVolumes(work: Work, groups: readonly SheetGroup[]): Iterable<SheetMapVolume> {
  for (const group of groups) {
    for (const { file, sha256: hash, pages } of group.volumes) {
      yield { file, sha256: hash, pages, cells: toMapCells(work, group.name, file) };
    }
  }
}

/** Writes `sheet-map.json` when there are sheets; answers the file. */
async function writeMap(work: Work, groups: readonly SheetGroup[]): Promise<string | null> {
  const { job, folder } = work;
  if (job.output.sheets === null) return null;
  const sheet = await loadJobSheet(job.output.sheets, path.dirname(job.file));
  const written = await writeSheetMap(path.join(folder, MAP), {
    job: job.name,
    sheet: sheet.name,
    volumes: toMapVolumes(work, groups),
  });
  return remember(work, written);
}

/** The state remembers both by their names. */
const writtenFiles = (state: State): OwnFile[] =>
  state.allPackaged("file").map(({ result }) => result as OwnFile);

export const indexStage: Stage = {
  name: "index",
  isTimed: true,
  make: async (work, { zips }) => ({ indexes: await writeIndexes(work, zips) }),
  recall: ({ job, folder }) => ({
    indexes: job.output.index.map((format) => path.join(folder, `index.${format}`)),
  }),
  describe: (_work, { indexes }) => indexes.map((file) => ({ role: "index", file })),
  watched: (state) => writtenFiles(state).map(({ file }) => file),
  written: writtenFiles,
};

export const mapStage: Stage = {
  name: "map",
  isTimed: false,
  make: async (work, { sheets }) => ({ map: await writeMap(work, sheets) }),
  recall: ({ job, folder }) => ({
    map: job.output.sheets === null ? null : path.join(folder, MAP),
  }),
  describe: (_work, { map }) => (map === null ? [] : [{ role: "sheet-map", file: map }]),
};
