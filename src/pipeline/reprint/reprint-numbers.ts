/** The numbers that labels show once more when they are printed again. */
import { badUsage } from "../../base/errors.ts";
import type { UnitEvent, UnitPlace } from "../../state/unit-ledger.ts";
import {
  type FinishedNumbers,
  hasCounters,
  readNumbers,
  readStandIns,
  type RowNumbers,
} from "../paper/label-numbers.ts";
import type { NamedLabel } from "./named-label.ts";
import type { LabelPlace } from "./reprint-labels.ts";
import { listReprints } from "./reprints.ts";
import type { Examined, LabelNumbers } from "../stages/sheet-records.ts";
import { recallNumbers, recallSettings } from "../stages/sheets.ts";
import type { SheetGroup } from "../stages/stage.ts";
import type { UnitWork } from "../units/unit-job.ts";

type Counts = RowNumbers["counts"];

interface OfGroup {
  readonly group: SheetGroup;
  readonly whole: Pick<Examined, "options" | "settings">;
}

interface Labels extends OfGroup {
  /** How many labels of each row. */
  readonly keys: ReadonlyMap<string, number>;
  /** Labels whose place they take, where the ledger is told of them. */
  readonly spoiled: readonly UnitEvent[];
  /** Labels that somebody points at. */
  readonly places: readonly LabelPlace[] | undefined;
}

/** Undefined where it can't be told which label lies where. */
function readSure(
  { state }: UnitWork,
  { group: { name }, whole: { options, settings } }: OfGroup,
  wants: Parameters<typeof readNumbers>[2]["wants"],
): FinishedNumbers | undefined {
  const found = readNumbers({ state }, name, { options, wants });
  const isSame = recallSettings(state, name) === settings;
  return isSame || found?.isInOrder === true ? found : undefined;
}

/** The numbers of fresh serials, where their PDF shows those of the labels whose place they take. */
function readFresh(
  work: UnitWork,
  { group: { name }, whole: { options: common } }: OfGroup,
): Promise<LabelNumbers | undefined> | undefined {
  const { serials, state } = work;
  if (serials === undefined || !recallNumbers(state, name)) return undefined;
  const replaced = serials.ledger.replacements(serials.owner);
  return readStandIns(work, name, { common, replaced });
}

/** Of whole sheets; undefined where labels have no counters, or lie where the sheets have them anyway. */
export async function numberSheets(
  work: UnitWork,
  { sheets, ...at }: OfGroup & { readonly sheets: ReadonlySet<number> },
): Promise<LabelNumbers | undefined> {
  if (!hasCounters(at.whole.options)) return undefined;
  const fresh = await readFresh(work, at);
  if (fresh !== undefined) return fresh;
  const found = readSure(work, at, ({ labels }) => labels.some(({ sheet }) => sheets.has(sheet)));
  return found && new Map([...found.byKey].map(([key, { counts }]) => [key, counts]));
}

/** Which label of its row lies at a place of a PDF that was printed again. */
function copyInReprint({ state }: UnitWork, key: string, place: UnitPlace): number | undefined {
  const found = listReprints(state).find(
    ({ file, sha256 }) => file === place.file && sha256 === (place.sha256 ?? sha256),
  );
  const copy = found?.cells.find(
    (cell) =>
      cell.key === key &&
      cell.page === place.page &&
      cell.row === place.row &&
      cell.column === place.column,
  )?.copy;
  return copy === undefined ? undefined : copy - 1;
}

interface Chosen {
  readonly key: string;
  readonly count: number;
  /** Labels whose place is known. */
  readonly places: readonly UnitPlace[];
  /** How many labels of the row were spoiled before. */
  readonly before: number;
}

/** The labels of known places; where no place is known, the row's labels in turn. */
function chooseCopies(
  work: UnitWork,
  own: RowNumbers,
  { key, count, places, before }: Chosen,
): number[] {
  let turn = before;
  return Array.from({ length: count }, (_, at) => {
    const place = places[at];
    const copy =
      place === undefined ? undefined : (own.copyAt(place) ?? copyInReprint(work, key, place));
    if (copy !== undefined) return copy;
    turn += 1;
    return (turn - 1) % own.counts.length;
  });
}

interface NumberedLabels {
  readonly numbers: LabelNumbers;
  /** Keys of rows with several labels. */
  readonly several: ReadonlySet<string>;
}

/**
 * Of single labels: those that they had. Undefined where labels have no counters. Throws `bad-usage`
 * where the numbers of finished sheets are not known.
 */
export async function numberLabels(
  work: UnitWork,
  { keys, spoiled, places: pointed = [], ...at }: Labels,
): Promise<NumberedLabels | undefined> {
  if (!hasCounters(at.whole.options)) return undefined;
  const found = readSure(work, at, ({ key }) => keys.has(key));
  const fresh = await readFresh(work, at);
  const noted = spoiled.length === 0 ? [] : work.units.list(work.owner);
  const numbers = new Map<string, Counts>();
  const several = new Set<string>();
  for (const [key, count] of keys) {
    const own = found?.byKey.get(key);
    if (own === undefined || own.counts.length === 0) throw refuseUnknown(work, at);
    if (own.counts.length > 1) several.add(key);
    const told = spoiled.flatMap(({ unit, place }) => (unit === key ? (place ?? []) : []));
    const meant = pointed.filter((one) => one.key === key);
    const places = meant.length > 0 ? meant : told;
    const before = noted.filter(({ unit, what }) => unit === key && what === "spoiled").length;
    const copies = chooseCopies(work, own, { key, count, places, before });
    const shown = fresh?.get(key) ?? own.counts;
    numbers.set(
      key,
      copies.flatMap((copy) => shown[copy] ?? []),
    );
  }
  return { numbers, several };
}

const refuseUnknown = ({ commandOf }: UnitWork, { group: { name } }: OfGroup) =>
  badUsage(
    `labels with counters must lie in ${name} as the job lays them, got others: their numbers are not known`,
    `the rows or the settings have changed since it was made; make it anew first: ${commandOf("run")}`,
  );

/** Says which label of its row it is, where the row has several. */
export function nameCopies(
  labels: readonly NamedLabel[],
  numbered: NumberedLabels | undefined,
): readonly NamedLabel[] {
  if (numbered === undefined || numbered.several.size === 0) return labels;
  const left = new Map([...numbered.numbers].map(([key, counts]) => [key, [...counts]]));
  return labels.map((label) => {
    const copy = left.get(label.key)?.shift()?.copy;
    return copy === undefined || !numbered.several.has(label.key)
      ? label
      : { ...label, copy: copy + 1 };
  });
}
