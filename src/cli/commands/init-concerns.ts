/** What a person should see of a spreadsheet before the job that `init` wrote for it runs. */
import type { Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/text/format-problem.ts";
import type { Shape } from "../../pipeline/draft/look.ts";
import type { UsedColumn } from "../../pipeline/draft/used-columns.ts";

export interface Concerns {
  /** About the whole file. */
  readonly ofFile: readonly Problem[];
  /** About rows and cells, the first ones. */
  readonly ofCells: readonly Problem[];
  /** There are more cells than those. */
  readonly isMore: boolean;
}

type Looked = Pick<Shape, "columns" | "warnings" | "problems" | "misfits" | "rowAsHeader">;

const lineOf = ({ where }: Problem): number => where?.line ?? 0;

const isOf = (cell: Problem, { where }: Problem): boolean =>
  where?.line === cell.where?.line &&
  (where?.column === undefined || where.column === cell.where?.column);

/** Only what the job would use counts; a whole row has no column. */
export function findConcerns(used: readonly UsedColumn[], look: Looked): Concerns {
  const { columns, warnings = [], problems = [], misfits = [], rowAsHeader } = look;
  const names = new Set<unknown>(used.map(({ column }) => column));
  const bad = problems.filter(
    ({ where }) => where?.column === undefined || names.has(where.column),
  );
  const typed = columns.filter(({ column, type }) =>
    used.some((one) => one.column === column.trim() && one.type === type),
  );
  const ofTyped = new Set<unknown>(typed.map(({ column }) => column.trim()));
  const misfit = misfits.filter(
    (cell) => ofTyped.has(cell.where?.column) && !bad.some((known) => isOf(cell, known)),
  );
  return {
    ofFile: warnings.filter(
      (one) =>
        one === rowAsHeader || one.where?.column === undefined || names.has(one.where.column),
    ),
    ofCells: [...bad, ...misfit].toSorted((a, b) => lineOf(a) - lineOf(b)),
    isMore: typed.some(({ odd = [], oddCount = 0 }) => oddCount > odd.length),
  };
}

const SHOWN = 5;

export function listConcerns({ ofFile, ofCells, isMore }: Concerns, cwd: string): string[] {
  const shown = [...ofFile.slice(0, SHOWN), ...ofCells.slice(0, SHOWN)];
  const isCut = isMore || Math.max(ofFile.length, ofCells.length) > SHOWN;
  return [
    ...shown.map((problem) => formatProblem(problem, cwd)),
    ...(isCut ? ["… and more: makeready columns lists them"] : []),
  ];
}
