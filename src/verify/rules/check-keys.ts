import { backOf, spareCells } from "../../print/layout/imposition.ts";
import { countOvers } from "../../print/layout/repeat-records.ts";
import { symbolsOn } from "../../print/symbols/face-symbols.ts";
import { makeSheetJob, type SheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import type { Finding } from "./finding.ts";
import type { ExpectedCell } from "./sheet-context.ts";

interface KeysToCheck {
  readonly options: SheetOptions;
  readonly volumes: readonly { readonly file: string; readonly volume?: number | undefined }[];
  readonly cells: readonly ExpectedCell[];
  readonly isPart?: boolean | undefined;
  /** Row -> its labels, overs not included, where rows say how many; default: as many as of all. */
  readonly copies?: ReadonlyMap<string, number> | undefined;
}

interface KeyFault {
  readonly message: string;
  readonly key?: string;
}

/** Rows that are not on as many labels as asked. */
function repeatFaults(
  { repeats }: SheetJob,
  cells: readonly ExpectedCell[],
  own: ReadonlyMap<string, number> = new Map(),
): KeyFault[] {
  const printed = [...own].filter(([, copies]) => copies > 0);
  const seen = new Map(printed.map(([key]) => [key, 0]));
  for (const { key } of cells) seen.set(key, (seen.get(key) ?? 0) + 1);
  const wanted = countOvers(seen.size, repeats);
  let overs = wanted;
  const faults = [...seen].flatMap(([key, times]) => {
    const copies = own.get(key) ?? repeats.copies;
    if (times === copies) return [];
    if (times === copies + 1 && overs > 0) {
      overs -= 1;
      return [];
    }
    return [{ key, message: `row must be on ${copies} labels, got ${times}` }];
  });
  if (overs === 0) return faults;
  return [...faults, { message: `overs must be ${wanted} labels, got ${wanted - overs}` }];
}

/** Spare cells with wrong content. */
function spareFaults(
  { spareLabels }: SheetJob,
  spare: readonly ExpectedCell[],
  cells: readonly ExpectedCell[],
): KeyFault[] {
  if (spareLabels === "empty")
    return spare.map(({ key }) => ({ key, message: "spare cell must be empty, got a label" }));
  const onSheet = new Set(cells.map(({ sheet, key }) => `${sheet} ${key}`));
  return spare
    .filter(({ sheet, key }) => !onSheet.has(`${sheet} ${key}`))
    .map(({ key }) => ({ key, message: "spare cell must repeat a label of its own sheet" }));
}

/** Codes of a label in the order of printing: `back 2` is the second one on its back. */
const slotOf = ({ side, part, item }: ExpectedCell): string =>
  item === undefined ? `${side ?? "front"} ${part ?? 1}` : symbolSlot(side ?? "front", item);

const symbolSlot = (side: string, item: number): string => `${side} item ${item}`;

/** Every code that a label must have. */
function slotsOf({ faces }: SheetJob): string[] {
  const codes = faces.flatMap(({ side, rooms }) => rooms.map((_, index) => `${side} ${index + 1}`));
  const symbols = faces.flatMap((face) =>
    symbolsOn(face).map(({ number }) => symbolSlot(face.side, number)),
  );
  return [...codes, ...symbols];
}

/** Labels without all of their codes, and codes that no label has. */
function slotFaults(job: SheetJob, cells: readonly ExpectedCell[], first: string): KeyFault[] {
  const slots = slotsOf(job);
  const count = (slot: string): number => cells.filter((cell) => slotOf(cell) === slot).length;
  const wanted = count(first);
  const missing = slots
    .filter((slot) => count(slot) !== wanted)
    .map((slot) => ({
      message: `code "${slot}" must be on all ${wanted} labels, got it on ${count(slot)}`,
    }));
  const foreign = cells
    .filter((cell) => !slots.includes(slotOf(cell)))
    .map((cell) => ({
      key: cell.key,
      message: `code "${slotOf(cell)}" must be one of the label's: ${slots.join(", ")}`,
    }));
  return [...missing, ...foreign];
}

/** Backs that don't lie behind their fronts. */
function backFaults(
  job: SheetJob,
  cells: readonly ExpectedCell[],
  { back }: SheetOptions,
): KeyFault[] {
  if (back === undefined) return [];
  const fronts = new Map(
    cells
      .filter(({ side }) => side !== "back")
      .map((cell) => [`${cell.sheet}/${cell.row}/${cell.column}`, cell.key]),
  );
  if (fronts.size === 0) return [];
  return cells.flatMap((cell) => {
    if (cell.side !== "back") return [];
    const turned = backOf(
      { sheet: 0, row: cell.row - 1, column: cell.column - 1 },
      job.sheet,
      back.flip,
    );
    const key = fronts.get(`${cell.sheet}/${turned.row + 1}/${turned.column + 1}`);
    return key === cell.key
      ? []
      : [
          {
            key: cell.key,
            message: `back must lie behind its front, got ${key ?? "nothing"} there`,
          },
        ];
  });
}

/** Rule 24 over all volumes: every row as often as asked, spares as asked, no cell without a file. */
export function checkKeys({ options, cells, volumes, isPart, copies }: KeysToCheck): Finding[] {
  const job = makeSheetJob(options);
  const { rows, columns } = job.sheet;
  const { order: mode, spares } = job;
  const { corner } = options;
  const first = slotsOf(job)[0] ?? "front 1";
  const places = new Set(
    spareCells({ rows, columns, mode, spares, corner, count: 1 }).map(
      ({ row, column }) => `${row + 1}/${column + 1}`,
    ),
  );
  const isSpare = ({ row, column, side }: ExpectedCell): boolean => {
    const at = { sheet: 0, row: row - 1, column: column - 1 };
    const front =
      side === "back" && options.back !== undefined ? backOf(at, job.sheet, options.back.flip) : at;
    return places.has(`${front.row + 1}/${front.column + 1}`);
  };
  // One code of each label stands for it.
  const labels = cells.filter((cell) => slotOf(cell) === first);
  const own = labels.filter((cell) => !isSpare(cell));
  const known = new Set(volumes.map(({ volume }, index) => volume ?? index + 1));
  const lost = cells
    .filter((cell) => !known.has(cell.volume))
    .map(({ key, volume }) => ({
      key,
      message: `cell is in volume ${volume}, which was not handed in`,
    }));
  const faults = [
    ...(isPart === true ? [] : repeatFaults(job, own, copies)),
    ...spareFaults(job, labels.filter(isSpare), own),
    ...slotFaults(job, cells, first),
    ...backFaults(job, cells, options),
    ...lost,
  ];
  const file = volumes[0]?.file ?? "";
  return faults.map((fault) => ({ severity: "error", rule: "sheet-map", ...fault, file }));
}
