/** The sheets of every group. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { sha256 } from "../../base/ids.ts";
import { toLevel } from "../../api/design.ts";
import { isRoll } from "../../print/layout/label-sheet.ts";
import { writeSheets, type SheetOptions, type SheetRecord } from "../../print/sheets.ts";
import type { StateRow } from "../../state/row.ts";
import { toPayload } from "../payload.ts";
import type { Work } from "../work.ts";
import { listUnreplaced, makeGroups } from "./groups.ts";
import { makeSheetOptions } from "./sheet-options.ts";
import { atStart, rememberEnd } from "./sheet-start.ts";
import type { SheetGroup, Stage } from "./stage.ts";
import { findKept, type KeptFile } from "./sweep.ts";

/** A group as the state keeps it. */
type Kept = Omit<SheetGroup, "isNew">;

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

async function toFingerprint(work: Work, options: SheetOptions, name: string): Promise<string> {
  const profile = options.icc === undefined ? null : await hashFile(options.icc.file);
  const named = [...imageFiles(options), ...(options.fonts ?? [])];
  const files = await Promise.all(named.map(hashFile));
  const hash = createHash("sha256");
  hash.update(sha256(JSON.stringify([work.writer, options, profile, files])));
  for (const record of toRecords(work, name, options.artwork))
    hash.update(`\n${JSON.stringify(record)}`);
  return hash.digest("hex");
}

async function writeGroup(
  work: Work,
  options: SheetOptions,
  group: { name: string; rows: number },
): Promise<Kept> {
  const { state, folder } = work;
  state.labels.clear(group.name);
  const { volumes, warnings } = await writeSheets(
    { ...options, count: group.rows },
    { [Symbol.iterator]: () => toRecords(work, group.name, options.artwork)[Symbol.iterator]() },
    path.join(folder, group.name),
    {
      onCells: (cells, volume) =>
        state.labels.add(
          cells.map(({ key, payloadHash: _hash, ...cell }) => ({
            key,
            cell: { ...cell, file: path.relative(folder, volume.file) },
          })),
        ),
    },
  );
  return {
    name: group.name,
    warnings,
    isRoll: isRoll(options.sheet),
    volumes: volumes.map(({ volume: _number, ...volume }) => ({
      ...volume,
      file: path.relative(folder, volume.file),
    })),
  };
}

export const toSheetGroup = (kept: unknown): SheetGroup => ({
  ...(kept as Kept),
  isNew: false,
});

/** The PDFs that a run made, as the state remembers them. */
export function readSheetGroups({ state }: Work): SheetGroup[] {
  return state.groups("sheets").flatMap(({ name }) => {
    const kept = state.packaged(`sheets ${name}`);
    return kept === undefined ? [] : [toSheetGroup(kept.result)];
  });
}

/** One PDF or several of each group, made anew only when something on them changed. */
async function makeSheets(work: Work): Promise<SheetGroup[]> {
  const common = await makeSheetOptions(work.job, work);
  if (common === undefined) return [];
  const optionsOf = (name: string): Promise<SheetOptions> => atStart(work, common, name);
  const groups = await makeGroups<Kept>(work, {
    kind: "sheets",
    shownAs: "sheets",
    fingerprint: async ({ name }) => toFingerprint(work, await optionsOf(name), name),
    async write(group) {
      const options = await optionsOf(group.name);
      const written = await writeGroup(work, options, group);
      await rememberEnd(work, options, group);
      return written;
    },
    filesOf: ({ volumes }) => volumes,
  });
  return groups.map(({ kept, isNew }) => ({ ...kept, isNew }));
}

/** PDFs of groups whose rows are bad now. */
function keepSheets({ state, folder, job }: Work): Promise<KeptFile[]> {
  if (job.output.sheets === null) return Promise.resolve([]);
  const groups = listUnreplaced(state, "sheets").map(({ result }) => toSheetGroup(result));
  return findKept(
    folder,
    groups.flatMap(({ volumes }) => volumes.map(({ file }) => file)),
  );
}

/** What a person should know of the paper before it is printed, such as captions that can't be drawn. */
function warnOfSheets({ on }: Work, sheets: readonly SheetGroup[]): void {
  const messages = [...new Set(sheets.flatMap(({ warnings }) => warnings))];
  if (messages.length === 0) return;
  on({ type: "sheet-warnings", problems: messages.map((message) => ({ message })) });
}

export const sheetStage: Stage = {
  name: "sheets",
  isTimed: true,
  async make(work, { kept }) {
    const sheets = await makeSheets(work);
    warnOfSheets(work, sheets);
    return { sheets, kept: [...kept, ...(await keepSheets(work))] };
  },
  async recall(work, { kept }) {
    // Those of a job that wants no sheets any more are left alone.
    const packed = work.job.output.sheets === null ? [] : work.state.allPackaged("sheets");
    const unreplaced = new Set(listUnreplaced(work.state, "sheets").map(({ name }) => name));
    const sheets = packed
      .filter(({ name }) => !unreplaced.has(name))
      .map(({ result }) => toSheetGroup(result));
    warnOfSheets(work, sheets);
    return { sheets, kept: [...kept, ...(await keepSheets(work))] };
  },
  describe({ folder, job }, { sheets }) {
    const standard = job.output.sheets?.standard ?? "";
    const isTwoSided = (job.output.sheets?.back ?? null) !== null;
    return sheets.flatMap(({ volumes, isRoll: hasRepeats = false }) =>
      volumes.map(({ file, pages, codes, bytes }) => ({
        role: "sheets" as const,
        file: path.join(folder, file),
        bytes,
        pages,
        codes,
        standard,
        isTwoSided,
        isRoll: hasRepeats,
      })),
    );
  },
  watched: (state) =>
    state
      .allPackaged("sheets")
      .flatMap(({ result }) => toSheetGroup(result).volumes.map(({ file }) => file)),
};
