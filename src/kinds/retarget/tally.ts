/** Counts of a retarget's plan, and its rows. */
import type { Problem } from "../../base/errors.ts";
import { toSecondsAtLimit } from "../../plan/cost.ts";
import { toWishHashes } from "../../plan/hash.ts";
import { isNoChange, type PlannedTarget, type TargetChange } from "../../plan/retarget.ts";
import { EMPTY_SUMMARY, type PlanSummary } from "../../plan/tally.ts";
import { toFolderPaths } from "../../run/folders.ts";
import type { PlannedRow } from "../../state/row.ts";

/** How many problems a person reads; all of them go to `failed-rows.csv`. */
const PROBLEMS_KEPT = 1000;

const writesOf = ({ fields, tags }: TargetChange): number =>
  Number(Object.keys(fields).length > 0) + Number(tags.length > 0);

/** Adds up the changes of a plan. */
export class RetargetTally {
  readonly changes = new Map<string, TargetChange>();
  readonly #folders = new Set<string>();
  readonly #problems: Problem[] = [];
  #good = 0;
  #bad = 0;
  #writes = 0;
  #untold = 0;
  #retags = 0;

  good({ code, change }: PlannedTarget): void {
    this.#good += 1;
    if (isNoChange(change)) return;
    this.changes.set(code.id, change);
    this.#untold += Number(code.isDynamic && code.shortLink === null);
    this.#writes += writesOf(change);
    this.#retags += Number(change.tags.length > 0);
    for (const folder of toFolderPaths([change.fields.folder ?? null])) this.#folders.add(folder);
  }

  bad(problems: readonly Problem[]): void {
    this.#bad += 1;
    for (const problem of problems) {
      if (this.#problems.length < PROBLEMS_KEPT) this.#problems.push(problem);
    }
  }

  /** `hasFolder`: the job knows a folder already, which is not asked for again. */
  summary(hasFolder: (path: string) => boolean): PlanSummary {
    const newFolders = [...this.#folders].filter((path) => !hasFolder(path)).length;
    const writes = this.#writes + newFolders;
    const changed = this.changes.size;
    return {
      ...EMPTY_SUMMARY,
      rows: this.#good + this.#bad,
      good: this.#good,
      bad: this.#bad,
      problems: this.#problems,
      updates: changed,
      retags: this.#retags,
      unchanged: this.#good - changed,
      folders: [...this.#folders],
      writes,
      // A code whose short link the list leaves out is asked for it.
      reads: this.#untold,
      secondsAtLimit: toSecondsAtLimit(writes),
    };
  }
}

/** The code of a row, as the state keeps it. */
export function toRetargetRow(
  target: PlannedTarget,
  row: { line: number; cells: PlannedRow["cells"] },
  seq: number,
): PlannedRow {
  const { code, wanted } = target;
  return {
    key: code.id,
    seq,
    line: row.line,
    cells: row.cells,
    wanted,
    ...toWishHashes(wanted),
    placing: { fileBase: code.id, zip: null, sheets: null, caption: [] },
    again: false,
  };
}
