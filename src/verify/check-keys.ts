import { spareCells } from "../print/imposition.ts";
import { countOvers } from "../print/repeat-records.ts";
import { makeSheetJob, type SheetJob, type SheetOptions } from "../print/sheet-job.ts";
import type { Finding } from "./finding.ts";
import type { ExpectedCell } from "./sheet-context.ts";

interface KeysToCheck {
  readonly options: SheetOptions;
  readonly volumes: readonly { readonly file: string; readonly volume?: number | undefined }[];
  readonly cells: readonly ExpectedCell[];
}

interface KeyFault {
  readonly message: string;
  readonly key?: string;
}

/** Rows that are not on as many labels as asked. */
function repeatFaults({ repeats }: SheetJob, cells: readonly ExpectedCell[]): KeyFault[] {
  const { copies } = repeats;
  const seen = new Map<string, number>();
  for (const { key } of cells) seen.set(key, (seen.get(key) ?? 0) + 1);
  const wanted = countOvers(seen.size, repeats);
  let overs = wanted;
  const faults = [...seen].flatMap(([key, times]) => {
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

/** Spare cells that hold what they must not. */
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

/** Rule 24 over all volumes: every row as often as asked, spares as asked, no cell without a file. */
export function checkKeys({ options, cells, volumes }: KeysToCheck): Finding[] {
  const job = makeSheetJob(options);
  const { rows, columns } = job.sheet;
  const { order: mode, spares } = job;
  const { corner } = options;
  const places = new Set(
    spareCells({ rows, columns, mode, spares, corner, count: cells.length }).map(
      ({ row, column }) => `${row + 1}/${column + 1}`,
    ),
  );
  const isSpare = ({ row, column }: ExpectedCell): boolean => places.has(`${row}/${column}`);
  const own = cells.filter((cell) => !isSpare(cell));
  const known = new Set(volumes.map(({ volume }, index) => volume ?? index + 1));
  const lost = cells
    .filter((cell) => !known.has(cell.volume))
    .map(({ key, volume }) => ({
      key,
      message: `cell is in volume ${volume}, which was not handed in`,
    }));
  const faults = [
    ...repeatFaults(job, own),
    ...spareFaults(job, cells.filter(isSpare), own),
    ...lost,
  ];
  const file = volumes[0]?.file ?? "";
  return faults.map((fault) => ({ severity: "error", rule: "sheet-map", ...fault, file }));
}
