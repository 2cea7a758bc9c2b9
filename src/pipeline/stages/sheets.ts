/** The sheets of every group. */
import path from "node:path";

import { invariant } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { cutKey } from "../../base/text/words.ts";
import { isRoll } from "../../print/layout/label-sheet.ts";
import { writeSheets } from "../../print/sheets.ts";
import type { State } from "../../state/state.ts";
import { hasCounters, readReplaced, readStandIns } from "../paper/label-numbers.ts";
import { toRound } from "../../plan/wish.ts";
import type { Work } from "./work.ts";
import { listUnreplaced, makeGroups } from "./groups.ts";
import { type Examined, examineSheets, type LabelNumbers, toRecords } from "./sheet-records.ts";
import { makeSheetOptions } from "./sheet-options.ts";
import { atStart, rememberEnd } from "./sheet-start.ts";
import type { Finishing, Made, SheetGroup, Stage } from "./stage.ts";
import { warnOfVoid } from "../units/void-on-sheets.ts";
import { findKept, type KeptFile } from "./sweep.ts";

/** Meta: when finished sheets were last made anew, ISO. */
const REMADE_AT = "sheets_remade_at";

/** A group remembers so many earlier ends, the last ones. */
const MOST_ENDS = 100;

/** Undefined where none were, and where only an older makeready did so. */
export const recallRemade = (state: Pick<State, "meta">): string | undefined =>
  state.meta(REMADE_AT);

/** A group as the state keeps it. */
interface Kept extends Omit<SheetGroup, "isNew"> {
  /** The result of writing it. */
  readonly written?: readonly PressWarning[] | undefined;
  /** Missing in older states. */
  readonly settings?: string | undefined;
  /** Counters of its fresh serials show the numbers of the labels whose place they take. */
  readonly hasNumbers?: true;
}

/** Older states have warnings of sheets as sentences only. */
const ofBefore = ({ warnings }: Kept): PressWarning[] =>
  warnings.length === 0
    ? []
    : [{ code: "sheet-warnings", count: warnings.length, rows: [], what: [] }];

/** A group with all that differs on it; kept for runs that find nothing to do. */
function keepPress({ state }: Work, kept: Kept, found: Examined | undefined): Kept {
  const press = [...(found?.press ?? []), ...(kept.written ?? ofBefore(kept))];
  const name = `sheets ${kept.name}`;
  const known = state.packaged(name);
  const told = { ...kept, press, grades: found?.grades ?? [] };
  const isKept = JSON.stringify(known?.result) === JSON.stringify(told);
  if (known !== undefined && !isKept) state.setPackaged(name, known.fingerprint, told);
  return told;
}

/** How many rows sheets had each time before they are made anew: paper of then may be scanned. */
function listEnds(before: Kept | undefined): number[] {
  if (before === undefined) return [];
  const { ends = [], volumes, rows } = before;
  const last = rows ?? volumes.reduce((sum, { codes }) => sum + codes, 0);
  return [...new Set([...ends, last])].slice(-MOST_ENDS);
}

/** Paper that was printed from the PDFs of before is not of those that are there now. */
function isOther(before: Kept["volumes"], now: Kept["volumes"], folder: string): boolean {
  const hashes = new Map(now.map(({ file, sha256 }) => [path.relative(folder, file), sha256]));
  return before.some(({ file, sha256 }) => hashes.get(file) !== sha256);
}

/** A group before it is written; `numbers` where it has fresh serials. */
interface Numbered extends Examined {
  readonly numbers: LabelNumbers | undefined;
}

/** The warning about a label, with the name of its code where its row is only an id. */
function nameCode({ state, job }: Pick<Work, "state" | "job">, message: string): string {
  const id = job.source === null ? /^row (\S+): /u.exec(message)?.[1] : undefined;
  const name = id === undefined ? "" : state.row(id)?.wanted.displayName;
  return id === undefined || !name ? message : message.replace(id, () => cutKey(name));
}

async function writeGroup(
  work: Finishing,
  { options, captions, drawn, looks, settings, numbers }: Numbered,
  group: { name: string; rows: number; labels: number | null },
): Promise<Kept> {
  const { state, folder, clock } = work;
  const before = state.packaged(`sheets ${group.name}`)?.result as Kept | undefined;
  state.labels.clear(group.name);
  const printed = { artwork: options.artwork, drawn, looks, numbers };
  const {
    volumes,
    warnings,
    press: written,
  } = await writeSheets(
    { ...options, count: group.rows, labels: group.labels ?? undefined },
    { [Symbol.iterator]: () => toRecords(work, group.name, printed)[Symbol.iterator]() },
    path.join(folder, group.name),
    {
      captions,
      signal: work.signal,
      drawer: work.drawer,
      onCells: (cells, volume) =>
        state.labels.add(
          // A symbol's text follows from its row, like a code's.
          cells.map(({ key, payloadHash: _hash, text: _text, copy: _copy, ...cell }) => ({
            key,
            cell: { ...cell, file: path.relative(folder, volume.file) },
          })),
        ),
    },
  );
  if (before !== undefined && isOther(before.volumes, volumes, folder))
    state.setMeta(REMADE_AT, new Date(clock.nowMs()).toISOString());
  return {
    name: group.name,
    rows: group.rows,
    ends: listEnds(before),
    settings,
    ...(numbers === undefined ? {} : { hasNumbers: true }),
    warnings: warnings.map((message) => nameCode(work, message)),
    // They hold as long as the file, and codes stay void.
    written: [...written, ...warnOfVoid({ ...work, dataDir: work.run.dataDir }, group.name)],
    ...(options.designInks === undefined ? {} : { designInks: options.designInks }),
    isRoll: isRoll(options.sheet),
    volumes: volumes.map(({ volume: _number, ...volume }) => ({
      ...volume,
      file: path.relative(folder, volume.file),
    })),
  };
}

/** Of fresh serials. */
async function findNumbers(
  work: Finishing,
  { options: common }: Examined,
  { name }: { name: string },
) {
  if (toRound(name) === undefined || !hasCounters(common)) return undefined;
  const replaced = readReplaced(work, work.run.dataDir);
  return readStandIns(work, name, { common, replaced });
}

/** What finished sheets were made with beside their rows; undefined in older states. */
export const recallSettings = (state: Work["state"], name: string): string | undefined =>
  (state.packaged(`sheets ${name}`)?.result as Kept | undefined)?.settings;

/** True for a PDF of fresh serials that show the numbers of the labels whose place they take. */
export const recallNumbers = (state: Work["state"], name: string): boolean =>
  (state.packaged(`sheets ${name}`)?.result as Kept | undefined)?.hasNumbers === true;

export function toSheetGroup(kept: unknown): SheetGroup {
  const group = kept as Kept;
  return { ...group, press: group.press ?? ofBefore(group), isNew: false };
}

/** The PDFs that a run made, as the state remembers them. */
export function readSheetGroups({ state }: Pick<Work, "state">): SheetGroup[] {
  if (state.allPackaged("sheets").length === 0) return [];
  return state.groups("sheets").flatMap(({ name }) => {
    const kept = state.packaged(`sheets ${name}`);
    return kept === undefined ? [] : [toSheetGroup(kept.result)];
  });
}

/** One PDF or several of each group, made anew only when something on them changed. */
async function makeSheets(work: Finishing): Promise<Pick<Made, "sheets" | "swept">> {
  const common = await makeSheetOptions(work.job, work);
  if (common === undefined) return { sheets: [], swept: [] };
  const examined = new Map<string, Examined>();
  const lost = work.state.labels.lostGroups();
  const { groups, swept } = await makeGroups<Kept>(work, {
    kind: "sheets",
    shownAs: "sheets",
    async fingerprint({ name }) {
      const found = await examineSheets(work, await atStart(work, common, name), name);
      examined.set(name, found);
      const known = work.state.packaged(`sheets ${name}`)?.fingerprint;
      const isSame = found.earlier.some(
        (then) => then.fingerprint === known && then.lacks.length === 0,
      );
      return isSame && known !== undefined ? known : found.fingerprint;
    },
    async write(group) {
      const found = examined.get(group.name);
      invariant(found !== undefined, "a group must be looked at before it is written");
      const written = await writeGroup(
        work,
        { ...found, numbers: await findNumbers(work, found, group) },
        group,
      );
      await rememberEnd(work, found.options, group);
      return written;
    },
    filesOf: ({ volumes }) => volumes,
    isKnown: ({ name }) => !lost.has(name),
    // Their numbers are those of labels that lie by then.
    isLater: ({ name }) => toRound(name) !== undefined,
  });
  const sheets = groups.map(({ kept, isNew }) => ({
    ...keepPress(work, kept, examined.get(kept.name)),
    isNew,
  }));
  return { sheets, swept };
}

const namesOf = (groups: readonly SheetGroup[]): string[] =>
  groups.flatMap(({ volumes }) => volumes.map(({ file }) => file));

/** PDFs of groups whose rows are bad now, but for those whose names are those of today's. */
function keepSheets(
  { state, folder, job }: Work,
  today: readonly SheetGroup[],
): Promise<KeptFile[]> {
  if (job.output.sheets === null) return Promise.resolve([]);
  const groups = listUnreplaced(state, "sheets").map(({ result }) => toSheetGroup(result));
  const taken = new Set(namesOf(today));
  return findKept(
    folder,
    namesOf(groups).filter((file) => !taken.has(file)),
  );
}

/** Warnings to read before printing, such as captions that can't be drawn. */
function warnOfSheets({ on }: Work, sheets: readonly SheetGroup[]): void {
  const messages = [...new Set(sheets.flatMap(({ warnings }) => warnings))];
  if (messages.length === 0) return;
  on({ type: "sheet-warnings", problems: messages.map((message) => ({ message })) });
}

export const sheetStage: Stage = {
  name: "sheets",
  isTimed: true,
  async make(work, { kept }) {
    const { sheets, swept } = await makeSheets(work);
    warnOfSheets(work, sheets);
    return { sheets, swept, kept: [...kept, ...(await keepSheets(work, sheets))] };
  },
  async recall(work, { kept }) {
    // A job that no longer has sheets leaves its old ones alone.
    const packed = work.job.output.sheets === null ? [] : work.state.allPackaged("sheets");
    const unreplaced = new Set(listUnreplaced(work.state, "sheets").map(({ name }) => name));
    const sheets = packed
      .filter(({ name }) => !unreplaced.has(name))
      .map(({ result }) => toSheetGroup(result));
    warnOfSheets(work, sheets);
    return { sheets, kept: [...kept, ...(await keepSheets(work, sheets))] };
  },
  describe({ folder, job }, { sheets }) {
    const standard = job.output.sheets?.standard ?? "";
    const isTwoSided = (job.output.sheets?.back ?? null) !== null;
    return sheets.flatMap(({ volumes, isRoll: hasRepeats = false }) =>
      volumes.map(({ file, pages, codes, labels, bytes }) => ({
        role: "sheets" as const,
        file: path.join(folder, file),
        bytes,
        pages,
        codes,
        ...(labels !== undefined && { labels }),
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
