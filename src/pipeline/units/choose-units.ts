/**
 * Which codes or labels are meant: by key, by line, or those that the last scan-back found spoiled.
 */
import { toOwnKeys } from "../reprint/asked-keys.ts";
import { badUsage, type Problem } from "../../base/errors.ts";
import { formatMany, quoteText } from "../../base/text/words.ts";
import type { Cell, StateRow } from "../../state/row.ts";
import { toPlaceText } from "../../state/unit-ledger.ts";
import { VANISHED, VANISHED_DELETED, VANISHED_FILED } from "../../state/which-rows.ts";
import { takeBad } from "../reprint/bad-labels.ts";
import { findMovedLines, type LabelPlace } from "../reprint/reprint-labels.ts";
import { type KeptReprint, listReprints } from "../reprint/reprints.ts";
import type { Work } from "../stages/work.ts";
import { placesOf, readSpoiled, type ScannedPlace, type SpoiledByScan } from "./last-scan.ts";

export interface UnitWish {
  /** Lines of the last run, as `index.csv` has them. */
  readonly lines?: ReadonlySet<number> | undefined;
  readonly keys?: readonly string[] | undefined;
  /** Which labels of these rows are spoiled, where somebody points at them. */
  readonly places?: readonly LabelPlace[] | undefined;
  /** Those of `spoiled.csv` in the output folder. */
  readonly isSpoiled?: boolean | undefined;
}

/** A row, and its spoiled labels where they are known. */
export interface ChosenUnit {
  readonly row: StateRow;
  readonly places: readonly ScannedPlace[];
  /** What the scan said; empty where a person chose the row. */
  readonly reason: string;
}

const SHOWN = 10;

/** One code of each label: symbols beside it, further codes and backs are the same piece of paper. */
export function labelsOf({ labels }: Pick<StateRow, "labels">): Cell[] {
  const codes = labels.filter(({ symbol, part }) => symbol === undefined && part === undefined);
  const fronts = codes.filter(({ side }) => side !== "back");
  return fronts.length > 0 ? fronts : codes;
}

/** Sheets that were made anew since the scan may have another label there. */
function refuseMoved(
  row: StateRow,
  spoiled: readonly SpoiledByScan[],
  again: readonly KeptReprint[],
): void {
  const lie = placesOf(row, again);
  const moved = spoiled.find(({ place }) => !lie.has(toPlaceText(place)));
  if (moved === undefined) return;
  const { file, page, row: across, column } = moved.place;
  throw badUsage(
    `spoiled labels must lie where the job has them, got ${quoteText(row.key)} in ${file} page ${page}, row ${across}, column ${column}`,
    "the sheets were made anew since the scan: scan those that are printed now",
  );
}

/**
 * Throws `bad-usage` for a row that the job lacks or that is bad now, and where nothing was chosen. Warns of
 * labels of a scan whose rows are bad or gone, where it has others.
 */
export async function chooseUnits(work: Work, wish: UnitWish): Promise<ChosenUnit[]> {
  const spoiled =
    wish.isSpoiled === true ? await readSpoiled(work) : new Map<string, SpoiledByScan[]>();
  const keys = new Set([...toOwnKeys(work.state, wish.keys ?? []), ...spoiled.keys()]);
  const lines = new Set(wish.lines);
  if (wish.isSpoiled !== true && keys.size === 0 && lines.size === 0) {
    throw badUsage(
      "labels must be named, got none",
      "--spoiled takes those of the last scan-back; --key and --lines name rows",
    );
  }
  await warnOfMoved(work, lines);
  const again = spoiled.size === 0 ? [] : listReprints(work.state);
  const chosen: ChosenUnit[] = [];
  for (const row of work.state.rows()) {
    if (!keys.delete(row.key) && !lines.has(row.line)) continue;
    lines.delete(row.line);
    const found = spoiled.get(row.key) ?? [];
    refuseMoved(row, found, again);
    const reason = [...new Set(found.map((one) => one.reason))].join("; ");
    chosen.push({ row, places: found.map(({ place }) => place), reason });
  }
  const hasOthers = wish.isSpoiled === true && chosen.length > 0;
  tellLeft(work, takeBad(work, { keys, lines }), hasOthers);
  tellLeft(work, takeGone(work, keys), hasOthers);
  refuseUnknown([
    ...[...lines].map((line) => `line ${line}`),
    ...[...keys].map((key) => quoteText(key)),
  ]);
  return chosen;
}

/** A scan doesn't choose: its other labels are taken all the same. */
function tellLeft(work: Work, problem: Problem | undefined, hasOthers: boolean): void {
  if (problem === undefined) return;
  if (!hasOthers) throw badUsage(problem.message, problem.hint);
  work.on({ type: "warning", problem });
}

/** Takes keys of vanished rows out of those that are asked for; undefined where none is. */
function takeGone({ state, commandOf }: Work, keys: Set<string>): Problem | undefined {
  const gone = [...keys].filter((key) => state.is(key, VANISHED));
  for (const key of gone) keys.delete(key);
  if (gone.length === 0) return undefined;
  const isOne = gone.length === 1;
  const [rows, codes, are] = isOne
    ? ["row is", "its code", "is"]
    : ["rows are", "their codes", "are"];
  const isDone = gone.every((key) => state.is(key, `${VANISHED_FILED} OR ${VANISHED_DELETED}`));
  return {
    message: `labels must be rows of the job, but ${formatMany(gone.length, rows, rows)} gone: ${gone.slice(0, SHOWN).map(quoteText).join(", ")}${gone.length > SHOWN ? " …" : ""}`,
    hint: isDone
      ? `${codes} ${are} filed or deleted already`
      : `to file or delete ${codes}: ${commandOf("retire")}`,
  };
}

async function warnOfMoved(work: Work, lines: ReadonlySet<number>): Promise<void> {
  const problems = lines.size === 0 ? [] : await findMovedLines(work);
  for (const problem of problems) work.on({ type: "warning", problem });
}

function refuseUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw badUsage(
    `labels must be rows of the job, got ${unknown.slice(0, SHOWN).join(", ")}`,
    "index.csv has the keys and lines of the last run",
  );
}
