/** What stands on the sheets of a group, looked at before it is written: its records and its fingerprint. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { sha256 } from "../../base/ids.ts";
import { toLevel } from "../../api/design.ts";
import {
  type CaptionSetting,
  openCaptionSizes,
  type SheetOptions,
  type SheetRecord,
} from "../../print/sheets.ts";
import type { StateRow } from "../../state/row.ts";
import { toPayload } from "../payload.ts";
import type { AnewReason } from "../results.ts";
import type { Work } from "../work.ts";

/** The drawing that was fetched as a file; undefined when there is none. */
function readArtwork(folder: string, { artwork }: StateRow): string | undefined {
  const drawing = artwork?.files.find(({ name }) => name.endsWith(".svg"));
  const file = drawing && path.join(folder, drawing.name);
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Records of a group, in the order of its rows. */
export function* toRecords(
  { state, folder }: Pick<Work, "state" | "folder">,
  name: string,
  artwork: SheetOptions["artwork"],
): Iterable<SheetRecord> {
  for (const row of state.sheetRows(name)) {
    yield {
      key: row.key,
      payload: toPayload(row),
      level: toLevel(row.made ?? row.wanted),
      caption: row.placing.caption,
      ...(artwork === "server" ? { svg: state.svg(row.key) ?? readArtwork(folder, row) } : {}),
    };
  }
}

/** Pictures on the labels of a job. */
function imageFiles({ label, back }: SheetOptions): string[] {
  const items = [...(label?.items ?? []), ...(back?.label?.items ?? [])];
  return items.flatMap((item) => (item.kind === "image" ? [item.file] : []));
}

/** Where sheets of today differ from those that makeready 0.1.0 made of the same rows and options. */
export type NewInPrint = Exclude<AnewReason, "roll-margin">;

/** A group of sheets before it is written. */
export interface Examined {
  readonly options: SheetOptions;
  readonly captions: CaptionSetting;
  readonly isNew: readonly NewInPrint[];
  /** By which makeready 0.1.0 knew such sheets. */
  readonly before: string;
  /** The same, where nothing that is new can be seen on them. */
  readonly fingerprint: string;
}

type Printing = Pick<Work, "state" | "folder" | "writer">;

async function hashOptions({ writer }: Printing, options: SheetOptions): Promise<string> {
  const profile = options.icc === undefined ? null : await hashFile(options.icc.file);
  const named = [...imageFiles(options), ...(options.fonts ?? [])];
  const files = await Promise.all(named.map(hashFile));
  return sha256(JSON.stringify([writer, options, profile, files]));
}

/** Looks at all records of a group. */
export async function examineSheets(
  work: Printing,
  options: SheetOptions,
  name: string,
): Promise<Examined> {
  const hash = createHash("sha256").update(await hashOptions(work, options));
  const sizes = (await openCaptionSizes(options))();
  for (const record of toRecords(work, name, options.artwork)) {
    hash.update(`\n${JSON.stringify(record)}`);
    sizes.add(record);
  }
  const before = hash.digest("hex");
  const captions = sizes.setting();
  const isNew: NewInPrint[] = [
    ...(captions.isUneven ? (["captions"] as const) : []),
    ...(captions.isPoster ? (["posters"] as const) : []),
  ];
  const fingerprint = isNew.length === 0 ? before : sha256(JSON.stringify([before, isNew]));
  return { options, captions, isNew, before, fingerprint };
}
