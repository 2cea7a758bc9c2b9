/** The codes that a manifest selects, as rows of a plan. */
import type { Problem } from "../../base/errors.ts";
import type { JobOutput } from "../../job/job.ts";
import type { SelectJob } from "../../kinds/any-job.ts";
import { NO_ACTION } from "../../plan/compare.ts";
import { toSecondsAtLimit } from "../../plan/cost.ts";
import type { DesignFields } from "../../plan/restyle.ts";
import { type SelectedOptions, SelectionPlanner } from "../../plan/selected.ts";
import {
  addLink,
  addTo,
  EMPTY_SUMMARY,
  toGroups,
  type Group,
  type PlanSummary,
} from "../../plan/tally.ts";
import { RowWarnings } from "../../plan/row-warnings.ts";
import { toFoundLink, type Catalog } from "../../run/catalog.ts";
import type { PlannedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { LabelCensus } from "../paper/label-census.ts";
import { Spool } from "../rows/spool.ts";
import type { PlannedSelection } from "./orchestrate.ts";
import { planFiles, type FilesAt, type PlannedFiles } from "./plan-files.ts";
import { NOT_VANISHED } from "../../state/which-rows.ts";

export interface SelectionPlan {
  readonly job: Pick<SelectJob, "schedule"> & { readonly output: JobOutput };
  /** Empty for jobs that change no design. */
  readonly design: DesignFields;
  readonly contrast: "refuse" | "warn";
  readonly textsFit: SelectedOptions["textsFit"];
  /** False: codes that have the design get it again. */
  readonly skipsUnchanged: boolean;
  readonly markOf: FilesAt["markOf"];
  /** GETs that finding the codes took; a run takes them, too. */
  readonly readsTaken: number;
  readonly state: State | undefined;
  readonly nowMs: number;
  /** Today's designs of codes, by id, as far as the server shows them. */
  readonly told: ReadonlyMap<string, DesignFields>;
  readonly labels: LabelCensus;
}

/** As many warnings and problems as a person reads. */
const MOST_SHOWN = 1000;

class SelectionTally {
  readonly #zips = new Map<string, Group>();
  readonly #sheets = new Map<string, Group>();
  readonly warnings = new RowWarnings();
  readonly problems: Problem[] = [];
  good = 0;
  bad = 0;
  /** GETs for files. */
  fetches = 0;
  isAtMost = false;
  restyles = 0;
  firstRestyled: string | undefined;
  /** Codes that keep their design, and whose files are not there. */
  fetched = 0;
  /** Files that hold codes which look otherwise than on the last run. */
  readonly redrawn = { sheets: new Set<string>(), zips: new Set<string>() };
  /** Codes whose files are fetched again, by why. */
  readonly anew = { changed: 0, untold: 0, lost: 0 };

  add(
    planned: ReturnType<SelectionPlanner["add"]>,
    { isRestyled, link }: { readonly isRestyled: boolean; readonly link: string | null },
    { reads, isAtMost, anew, isFetched, isRedrawn }: PlannedFiles,
  ): void {
    const { row, warnings, problems, isDesigned } = planned;
    this.warnings.add(warnings);
    if (problems.length > 0) {
      this.bad += 1;
      if (this.problems.length < MOST_SHOWN) this.problems.push(...problems);
      return;
    }
    this.good += 1;
    if (isRestyled) {
      this.restyles += 1;
      this.firstRestyled ??= row.key;
    }
    this.fetches += reads;
    this.isAtMost ||= isAtMost;
    if (anew !== undefined) this.anew[anew] += 1;
    this.fetched += Number(isFetched);
    const { sheets, zip } = row.placing;
    if ((isRestyled && !isDesigned) || isRedrawn) {
      if (sheets !== null) this.redrawn.sheets.add(sheets);
      if (zip !== null) this.redrawn.zips.add(zip);
    }
    addTo(this.#zips, zip, row);
    addTo(this.#sheets, sheets, row);
    addLink(this.#sheets, row, link);
  }

  summary({ readsTaken }: SelectionPlan, vanished: number): PlanSummary {
    const { good, bad, restyles, problems, fetches } = this;
    return {
      ...EMPTY_SUMMARY,
      rows: good + bad,
      good,
      bad,
      problems,
      touched: restyles,
      restyles,
      unchanged: good - restyles,
      vanished,
      zips: toGroups(this.#zips),
      sheets: toGroups(this.#sheets),
      writes: restyles,
      reads: readsTaken + fetches,
      ...(this.isAtMost && { readsAtMost: true as const }),
      secondsAtLimit: toSecondsAtLimit(restyles),
    };
  }
}

/** A code as it will be: what the server shows of it, with its new design. */
function withTold(row: PlannedRow, told: DesignFields = {}): PlannedRow {
  const { design: given } = row.wanted;
  const { eye_color: _eyes, frame_color: _frame, ...kept } = told;
  // A colour of its own recolours eyes and frame (docs/spec/api.md section 4.1).
  const design = { ...("primary_color" in given ? kept : told), ...given };
  return { ...row, wanted: { ...row.wanted, design } };
}

/** Plans every code of the catalog. Changes nothing. */
export function planSelection(
  catalog: Catalog,
  plan: SelectionPlan,
): PlannedSelection & { readonly firstRestyled: string | undefined } {
  const { job, design, contrast, textsFit, state, nowMs, markOf } = plan;
  const planner = new SelectionPlanner({
    output: job.output,
    design,
    contrast,
    textsFit,
    context: { nowMs, timeZone: job.schedule?.timezone },
    known: (key) => state?.known(key),
  });
  const { told } = plan;
  const changesDesign = Object.keys(design).length > 0;
  const tally = new SelectionTally();
  const spool = new Spool();
  const at = { output: job.output, state, markOf };
  let seen = 0;
  for (const code of catalog.codes()) {
    const planned = planner.add(code, changesDesign ? undefined : told.get(code.id));
    const { row, problems } = planned;
    if (state?.known(code.id) !== undefined) seen += 1;
    const isKept = planned.isDesigned && plan.skipsUnchanged;
    const isRestyled = changesDesign && !isKept;
    const found = { isRestyled, link: toFoundLink(code) };
    tally.add(planned, found, planFiles(at, row, { code, isRestyled }));
    if (problems.length === 0)
      plan.labels.add(withTold(row, told.get(row.key)), { code: row.wanted.displayName });
    spool.add(
      problems.length === 0
        ? { good: true, row, action: NO_ACTION }
        : { good: false, bad: { line: row.line, cells: row.cells, problems, key: row.key } },
    );
  }
  const known = state?.count(NOT_VANISHED) ?? 0;
  return {
    summary: tally.summary(plan, Math.max(0, known - seen)),
    spool,
    warnings: tally.warnings.counted(),
    anew: tally.anew,
    fetched: tally.fetched,
    redrawn: tally.redrawn,
    firstRestyled: tally.firstRestyled,
  };
}
