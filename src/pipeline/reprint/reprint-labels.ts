/**
 * Labels to be printed again: found in whichever PDF they lie, and named before they are written.
 */
import { takeBad } from "./bad-labels.ts";
import { toOwnKeys } from "./asked-keys.ts";
import { badUsage, type Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { quoteText } from "../../base/text/words.ts";
import { sayRow, toRowWord } from "../../plan/row-place.ts";
import type { StateRow } from "../../state/row.ts";
import { toPlaceText, type UnitPlace } from "../../state/unit-ledger.ts";
import { PRESENT_NO_COPIES, VANISHED } from "../../state/which-rows.ts";
import type { NamedLabel } from "./named-label.ts";
import type { SheetGroup } from "../stages/stage.ts";
import type { Work } from "../stages/work.ts";

export interface PickedLabels {
  readonly group: SheetGroup;
  readonly labels: readonly NamedLabel[];
  /** Those that somebody points at, or of the volume that is asked for; undefined where nobody does. */
  readonly places: readonly LabelPlace[] | undefined;
}

/** Where a label of a row lies that somebody points at. */
export interface LabelPlace extends UnitPlace {
  readonly key: string;
}

export interface LabelWish {
  readonly lines?: ReadonlySet<number> | undefined;
  /** One that is named twice is printed twice. */
  readonly keys?: readonly string[] | undefined;
  /** Which labels of these rows are meant; of other rows the first ones. */
  readonly places?: readonly LabelPlace[] | undefined;
}

/** The last run did not end: what that means, and how to go on. */
export interface MaybeCutShort {
  readonly cutShort?: Problem | undefined;
}

const SHOWN = 10;
const KEYS_HINT = "index.csv has the keys; sheet-map.json those of every cell";
const LINES_HINT =
  "lines are those of the last run, as index.csv has them; sheet-map.json lists the keys of every cell";

const GONE_HINT = "put it back into the list and run the job: that prints its label";

const sayGone = (gone: readonly string[], isAll: boolean): string => {
  if (isAll && gone.length === 1) return "its row is gone, so no PDF has its label";
  if (isAll) return "their rows are gone, so no PDF has their labels";
  const named = gone.slice(0, SHOWN).map((key) => quoteText(key));
  return `no PDF has labels of rows that are gone, as of ${named.join(", ")}`;
};

const NO_COPIES_HINT =
  "write into the row how many labels it gets, and run the job: that prints them";

function sayNoCopies(names: readonly string[], isAll: boolean): string {
  if (isAll && names.length === 1) return "the copies of its row are 0, so it has no label";
  if (isAll) return "the copies of their rows are 0, so they have no labels";
  return `rows whose copies are 0 have no label, as ${names.slice(0, SHOWN).join(", ")}`;
}

/** Rows that were asked for and want no label. */
function listNoCopies({ state }: Work, open: ReadonlySet<number | string>): (number | string)[] {
  const found: (number | string)[] = [];
  for (const { key, line } of state.rows(PRESENT_NO_COPIES)) {
    found.push(...[key, line].filter((one) => open.has(one)));
  }
  return found;
}

const toPlaceWords = ({ job: { source } }: Work, row: Pick<StateRow, "line" | "cells">): string =>
  source === null ? `line ${row.line}` : sayRow(source, row);

/** Key -> how often it is there. */
export function countKeys(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

/** One place of each of a row's labels, in their order: the front's, where it has any. */
function placesOf({ labels }: Pick<StateRow, "labels">, volume: string | undefined): UnitPlace[] {
  const meant = labels.filter(({ file }) => file === (volume ?? file));
  const fronts = meant.filter(({ side }) => side !== "back");
  const cells = fronts.length > 0 ? fronts : meant;
  return [...new Map(cells.map((cell) => [toPlaceText(cell), cell])).values()];
}

/** Those of one PDF; what was found is struck off `open`. */
function pickOf(
  work: Work,
  group: SheetGroup,
  wish: Pick<LabelWish, "places"> &
    MaybeCutShort & {
      readonly lines: ReadonlySet<number>;
      readonly keys: ReadonlyMap<string, number>;
      readonly volume: string | undefined;
    },
  open: Set<number | string>,
): PickedLabels {
  const labels: NamedLabel[] = [];
  const places: LabelPlace[] = [];
  const { volume, places: pointed } = wish;
  for (const row of work.state.sheetRows(group.name, [
    "key",
    "line",
    "cells",
    "placing",
    "labels",
  ])) {
    const { key, line, placing } = row;
    const cells = placesOf(row, volume);
    const times = wish.keys.get(key) ?? Number(wish.lines.has(line));
    // It lies in another volume, or its code was made by a run that did not come to its sheet.
    const isElsewhere = row.labels.length > 0 ? cells.length === 0 : wish.cutShort !== undefined;
    if (times === 0 || isElsewhere) continue;
    open.delete(key);
    open.delete(line);
    // A text may stand on the front and on the back.
    const caption = [...new Set(placing.caption)].join(" · ");
    const label = { line, place: toPlaceWords(work, row), key, caption };
    const lie = Array.from({ length: times }, (_, nth) => cells[nth % cells.length]);
    labels.push(...lie.map((place) => ({ ...label, file: place?.file ?? group.name })));
    places.push(...lie.flatMap((place) => (place === undefined ? [] : { ...place, key })));
  }
  return { group, labels, places: pointed ?? (volume === undefined ? undefined : places) };
}

/**
 * Finds labels by line and key in these PDFs. Throws `bad-usage` for those that are in none of
 * them.
 */
export function pickLabels(
  work: Work,
  groups: readonly SheetGroup[],
  {
    lines = new Set(),
    keys: asked = [],
    places,
    cutShort,
    volume,
  }: LabelWish & MaybeCutShort & { readonly volume?: string | undefined },
): PickedLabels[] {
  const keys = toOwnKeys(work.state, asked);
  const open = new Set<number | string>([...lines, ...keys]);
  const wish = { lines, keys: countKeys(keys), places, cutShort, volume };
  const picked = groups.map((group) => pickOf(work, group, wish, open));
  const openKeys = new Set(keys.filter((key) => open.has(key)));
  const openLines = new Set([...lines].filter((line) => open.has(line)));
  const bad = takeBad(work, { keys: openKeys, lines: openLines });
  if (bad !== undefined) throw badUsage(bad.message, bad.hint);
  const { source } = work.job;
  const nameOf = (one: number | string): string =>
    typeof one === "number"
      ? `${source === null ? "line" : toRowWord(source)} ${one}`
      : JSON.stringify(one);
  const missing = [...open].map(nameOf);
  if (missing.length === 0) return picked.filter(({ labels }) => labels.length > 0);
  const names = volume ?? groups.map(({ name }) => name).join(", ");
  const got = `labels to print again must be in ${names}, got ${missing.slice(0, SHOWN).join(", ")}`;
  const gone = keys.filter((key) => open.has(key) && work.state.is(key, VANISHED));
  if (gone.length > 0)
    throw badUsage(`${got}: ${sayGone(gone, gone.length === missing.length)}`, GONE_HINT);
  const none = listNoCopies(work, open).map(nameOf);
  if (none.length > 0)
    throw badUsage(`${got}: ${sayNoCopies(none, none.length === missing.length)}`, NO_COPIES_HINT);
  if (cutShort !== undefined) throw badUsage(`${got}: ${cutShort.message}`, cutShort.hint);
  if (volume !== undefined)
    throw badUsage(got, "leave --from out: labels are found in any PDF of the job");
  throw badUsage(got, [...open].some((one) => typeof one === "number") ? LINES_HINT : KEYS_HINT);
}

/** Lines are those of the last run: the spreadsheet may have been sorted since. */
export async function findMovedLines(work: Work): Promise<Problem[]> {
  const { file, from } = work.job.source ?? {};
  const known = work.input.sha256;
  // Other rows have no lines, or those of a kept copy.
  if (file === undefined || from !== "spreadsheet" || known === "") return [];
  const now = await hashFile(file).catch(() => undefined);
  if (now === undefined || now === known) return [];
  const message = "has changed since the job last ran: lines are those that it had then";
  return [{ message, where: { file }, hint: "a key names its row wherever it stands" }];
}
