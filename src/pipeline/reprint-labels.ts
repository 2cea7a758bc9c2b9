/** The labels that somebody wants once more: found in whichever PDF they lie, named before they are written. */
import { AppError, type Problem } from "../base/errors.ts";
import { hashFile } from "../base/hash-file.ts";
import type { SheetOptions, SheetRecord } from "../print/sheets.ts";
import type { NamedLabel } from "./results.ts";
import { toRecords } from "./stages/sheet-records.ts";
import type { SheetGroup } from "./stages/stage.ts";
import type { Work } from "./work.ts";

/** Labels of one PDF. */
export interface PickedLabels {
  readonly group: SheetGroup;
  readonly records: readonly SheetRecord[];
  readonly labels: readonly NamedLabel[];
}

export interface LabelWish {
  readonly lines?: ReadonlySet<number> | undefined;
  readonly keys?: readonly string[] | undefined;
}

const SHOWN = 10;

/** Those of one PDF; what was found is struck off `open`. */
function pickOf(
  work: Work,
  group: SheetGroup,
  wish: { readonly lines: ReadonlySet<number>; readonly keys: ReadonlySet<string> },
  at: { readonly artwork: SheetOptions["artwork"]; readonly open: Set<number | string> },
): PickedLabels {
  const { artwork, open } = at;
  const lineOf = new Map<string, number>();
  for (const row of work.state.sheetRows(group.name)) lineOf.set(row.key, row.line);
  const records: SheetRecord[] = [];
  const labels: NamedLabel[] = [];
  for (const record of toRecords(work, group.name, artwork)) {
    const { key, caption } = record;
    const line = lineOf.get(key) ?? 0;
    if (!wish.keys.has(key) && !wish.lines.has(line)) continue;
    open.delete(key);
    open.delete(line);
    records.push(record);
    labels.push({ line, key, caption: caption.join(" · "), file: group.name });
  }
  return { group, records, labels };
}

/**
 * Finds labels by line and key in these PDFs. Throws `bad-usage` for those that are in none: nothing
 * is left out in silence.
 */
export function pickLabels(
  work: Work,
  groups: readonly SheetGroup[],
  { lines = new Set(), keys = [] }: LabelWish,
  artwork: SheetOptions["artwork"],
): PickedLabels[] {
  const open = new Set<number | string>([...lines, ...keys]);
  const wish = { lines, keys: new Set(keys) };
  const picked = groups.map((group) => pickOf(work, group, wish, { artwork, open }));
  const missing = [...open].map((one) =>
    typeof one === "number" ? `line ${one}` : JSON.stringify(one),
  );
  if (missing.length === 0) return picked.filter(({ records }) => records.length > 0);
  const names = groups.map(({ name }) => name).join(", ");
  throw new AppError(
    "bad-usage",
    `labels to print again must be in ${names}, got ${missing.slice(0, SHOWN).join(", ")}`,
    {
      hint: "lines are those of the spreadsheet when the job last ran, as index.csv has them; sheet-map.json lists the keys of every cell",
    },
  );
}

/** Lines mean those of the last run: somebody may have sorted the spreadsheet since. */
export async function findMovedLines(work: Work): Promise<Problem[]> {
  const file = work.job.source?.file;
  const known = work.input.sha256;
  if (file === undefined || known === "") return [];
  const now = await hashFile(file).catch(() => undefined);
  if (now === undefined || now === known) return [];
  const message = "has changed since the job last ran: lines are those that it had then";
  return [{ message, where: { file }, hint: "--key names a row wherever it stands" }];
}
