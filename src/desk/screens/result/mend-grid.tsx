/** The grid of rows to mend, and of those that were mended before. */
import path from "node:path";

import type { Job } from "../../../kinds/any-job.ts";
import { canMend } from "../../../pipeline/mend/mend.ts";
import { countIn } from "../../view/figures.tsx";
import { jobPath } from "../../view/page.tsx";
import type { JobPart, Part } from "../../view/part.ts";
import { FIX_CELL } from "../../../read/rows/rows.ts";
import { Reason, SaysEnglish } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import {
  backOf,
  COLUMNS,
  fieldOf,
  LATE,
  LINE_END,
  shownOf,
  toShown,
  type LateText,
  type MendGrid,
  type MendRow,
} from "./mend-fields.ts";

/** More rows than these are mended in the spreadsheet. */
const ROWS_A_PAGE = 50;

/** Cells of the spreadsheet that were mended, with their texts there. */
const listChanged = (
  { cells }: MendRow,
  was: MendRow["cells"],
  columns: readonly string[],
): (readonly [column: string, text: string])[] =>
  columns
    .filter((column) => (cells[column] ?? "") !== (was[column] ?? ""))
    .map((column) => [column, was[column] ?? ""]);

const Cell: Part<{
  readonly row: MendRow;
  readonly column: string;
  readonly at: number;
  readonly typed: ReadonlyMap<string, string>;
}> = ({ row, column, at, typed, words }) => {
  const text = typed.get(fieldOf(row.line, at)) ?? row.cells[column] ?? "";
  const isOdd = row.problems.some(({ where }) => where?.column === column.trim());
  const common = {
    name: fieldOf(row.line, at),
    "aria-label": words.result.cell(countIn(words.language)(row.line), column),
    ...(isOdd && { "aria-invalid": "true" as const, "aria-describedby": `why-${row.line}` }),
  };
  return (
    <td data-head={column}>
      {LINE_END.test(text) ? (
        <textarea rows={2} {...common}>
          {text}
        </textarea>
      ) : (
        <input value={text} size={Math.min(40, Math.max(8, text.length + 1))} {...common} />
      )}
    </td>
  );
};

const Row: Part<{
  row: MendRow;
  columns: readonly string[];
  typed: ReadonlyMap<string, string>;
  source: string;
}> = ({ row, columns, typed, source, words }) => (
  <>
    <tr>
      <th scope="row">
        {words.common.onLine(countIn(words.language)(row.line))}
        <input type="hidden" name={shownOf(row.line)} value={toShown(row, { columns })} />
      </th>
      {columns.map((column, at) => (
        <Cell row={row} column={column} at={at} typed={typed} words={words} />
      ))}
    </tr>
    <tr class="why">
      <td />
      <td colspan={columns.length} id={`why-${row.line}`}>
        {row.problems.map(({ message, where, hint = FIX_CELL }) => (
          <p>
            {where?.column === undefined ? null : `${where.column}: `}
            <Reason text={message} words={words} />
            {hint === FIX_CELL ? null : (
              <>
                . <Reason text={hint} words={words} />
              </>
            )}
          </p>
        ))}
        {row.was === undefined ? null : (
          <p class="soft">
            {words.result.mendedWas(source, listChanged(row, row.was, columns))}{" "}
            <label>
              <input
                type="checkbox"
                name={backOf(row.line)}
                checked={typed.has(backOf(row.line))}
              />{" "}
              {words.result.takeBack}
            </label>
          </p>
        )}
      </td>
    </tr>
  </>
);

const Table: Part<{
  rows: readonly MendRow[];
  label: string;
  columns: readonly string[];
  typed: ReadonlyMap<string, string>;
  source: string;
}> = ({ rows, label, columns, typed, source, words }) => (
  <div class="scroll" tabindex={0} role="region" aria-label={label}>
    <table class="mend stack">
      <thead>
        <tr>
          <th scope="col">{words.common.place}</th>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row row={row} columns={columns} typed={typed} source={source} words={words} />
        ))}
      </tbody>
    </table>
  </div>
);

const mendedName = ({ file, mended }: { file: string; mended?: string | undefined }): string =>
  mended === undefined ? `${path.parse(file).name}.mended.csv` : path.basename(mended);

/** What does not count any more, to be copied by eye. */
const Late: Part<{ readonly late: readonly LateText[] }> = ({ late, words }) =>
  late.length === 0 ? null : (
    <div class="banner warn" role="status">
      <p>{words.result.mendLate}</p>
      <ul>
        {late.map(({ line, column, text }) => (
          <li>
            {words.result.mendTyped(words.result.cell(countIn(words.language)(line), column), text)}
          </li>
        ))}
      </ul>
      <input type="hidden" name={LATE} value={JSON.stringify(late)} />
    </div>
  );

interface FormProps {
  readonly grid: MendGrid;
  readonly late: readonly LateText[];
  readonly typed: ReadonlyMap<string, string>;
  readonly job: Job;
  readonly manifest: string;
  /** A run goes on: no plan follows. */
  readonly isRunning: boolean;
  readonly words: Words;
}

const Discard: JobPart = ({ manifest, words }) => (
  <button class="plain" formaction={`${jobPath(manifest)}/mend/forget`}>
    {words.label.discard}
  </button>
);

export function MendForm({ grid, typed, late, job, manifest, isRunning, words }: FormProps) {
  const said = words.result;
  const count = countIn(words.language);
  if (!canMend(job) || grid.rows.length + grid.before.length === 0)
    return (
      <form method="post">
        <Late late={late} words={words} />
        <p>{said.nothingToMend}</p>
        {late.length === 0 ? null : <Discard manifest={manifest} words={words} />}
      </form>
    );
  const rows = grid.rows.slice(0, ROWS_A_PAGE);
  const before = grid.before.slice(0, ROWS_A_PAGE);
  const source = path.basename(job.source.file);
  const mended = mendedName(job.source);
  const keep = isRunning ? words.mend.keep : said.mendPlan;
  const shared = { columns: grid.columns, typed, source, words };
  return (
    <form method="post" data-keep={`${jobPath(manifest)}/mend/keep`}>
      {typed.size === 0 ? null : (
        <p class="banner" role="status">
          {said.mendKept}
        </p>
      )}
      <Late late={late} words={words} />
      <input type="hidden" name={COLUMNS} value={JSON.stringify(grid.columns)} />
      <SaysEnglish problems={[...rows, ...before].flatMap((row) => row.problems)} words={words} />
      <p>{said.mendHint(source, mended)}</p>
      {grid.rows.length > rows.length ? (
        <p class="banner warn">{said.mendFirst(count(rows.length), count(grid.rows.length))}</p>
      ) : null}
      {rows.length === 0 ? null : <Table rows={rows} label={said.mend(rows.length)} {...shared} />}
      {before.length === 0 ? null : (
        <>
          <h2>{said.mendedBefore}</h2>
          <Table rows={before} label={said.mendedBefore} {...shared} />
        </>
      )}
      {grid.before.length > before.length ? (
        <p class="banner warn">
          {said.mendedFirst(count(before.length), count(grid.before.length), mended)}
        </p>
      ) : null}
      <div class="actions">
        <button class="main">{keep(rows.length + before.length)}</button>
        {typed.size + late.length === 0 ? null : <Discard manifest={manifest} words={words} />}
      </div>
    </form>
  );
}
