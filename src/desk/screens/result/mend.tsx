/** Mends failed rows in a grid. The spreadsheet stays as it is: a file beside it holds them. */
import path from "node:path";

import type { Context, Hono } from "hono";

import { quoteWord } from "../../../base/shell-words.ts";
import { AppError, type Problem } from "../../../base/errors.ts";
import { sha256 } from "../../../base/ids.ts";
import type { Job } from "../../../kinds/any-job.ts";
import { canMend, listFailedRows, writeMended, type FailedRows } from "../../../pipeline/mend.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import { openRows } from "../../../pipeline/source.ts";
import type { FailedEntry } from "../../../pipeline/stages/stage.ts";
import type { DeskContext } from "../../context.ts";
import { dropDraft, keepDraft, readDraft, toDraftForm } from "../../drafts.ts";
import { editJob } from "../../edit-job.ts";
import { CHANGING, findTask, manifestOf, openDeskJob } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readLast } from "../../tasks/tail.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { inEnglish, SaysEnglish } from "../../view/problems.tsx";
import type { Part } from "../../view/part.ts";
import { wordsFor, type Words } from "../../words/words.ts";
import { Go } from "../../../console/view/parts.tsx";

/** More rows than these are mended in the spreadsheet. */
const ROWS_A_PAGE = 50;

interface Site {
  readonly desk: DeskContext;
  readonly manifest: string;
  readonly opened: OpenJob;
}

const accessOf = ({ desk, opened }: Site) => ({
  signal: new AbortController().signal,
  clock: desk.clock,
  readStream: undefined,
  dataDir: opened.server.dataDir,
});

/** The rows that the plan refuses, with today's cells of the spreadsheet. */
async function readRefused(site: Site, problems: readonly Problem[]): Promise<FailedRows> {
  const { job } = site.opened;
  if (!canMend(job)) return { columns: [], rows: [] };
  const wanted = new Map<number, Problem[]>();
  for (const problem of problems) {
    const line = problem.where?.line;
    if (line !== undefined) wanted.set(line, [...(wanted.get(line) ?? []), problem]);
  }
  const access = accessOf(site);
  const source = await openRows(job, access, access);
  try {
    const rows: FailedEntry[] = [];
    for await (const { line, cells } of source.rows()) {
      const found = wanted.get(line);
      if (found !== undefined) rows.push({ line, cells, problems: found });
    }
    return { columns: source.columns, rows };
  } finally {
    await source.close();
  }
}

/** The rows that the last plan refuses or the last run could not use: whichever is newer. */
async function readToMend(site: Site): Promise<FailedRows> {
  const { desk, manifest, opened } = site;
  const task = await findTask(desk, manifest, ["plan", ...CHANGING]);
  const last = task?.request.step === "plan" ? await readLast(task) : undefined;
  if (last?.type === "result" && last.result.step === "plan") {
    return readRefused(site, last.result.plan.summary.problems);
  }
  return listFailedRows(opened.job, desk);
}

const toShown = ({ cells }: Pick<FailedEntry, "cells">): string =>
  sha256(JSON.stringify(Object.entries(cells))).slice(0, 16);

const fieldOf = (line: number, at: number): string => `cell.${line}.${at}`;

const LINE_END = /[\r\n]/u;

/** Unsent changes of rows that are still the same: fields with their texts. */
async function readTyped(
  { desk, manifest }: Site,
  { columns, rows }: FailedRows,
): Promise<ReadonlyMap<string, string>> {
  const { form = {} } = (await readDraft(desk, { screen: "mend", of: manifest })) ?? {};
  const same = rows.filter((row) => form[`shown.${row.line}`]?.[0] === toShown(row));
  const pairs = same.flatMap(({ line, cells }) =>
    columns.flatMap((column, at) => {
      const typed = form[fieldOf(line, at)]?.[0];
      const isNew = typed !== undefined && toLines(typed) !== toLines(cells[column] ?? "");
      return isNew ? [[fieldOf(line, at), typed] as const] : [];
    }),
  );
  return new Map(pairs);
}

async function keepTyped(c: Context, desk: DeskContext): Promise<Response> {
  const manifest = await manifestOf(c, desk);
  const form = toDraftForm(await c.req.parseBody());
  await keepDraft(desk, { screen: "mend", of: manifest, name: manifest, form });
  return c.body(null, 204);
}

async function forgetTyped(c: Context, desk: DeskContext): Promise<Response> {
  const manifest = await manifestOf(c, desk);
  await dropDraft(desk, { screen: "mend", of: manifest });
  return c.redirect(`${jobPath(manifest)}/mend`, 303);
}

const Cell: Part<{
  readonly row: FailedEntry;
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
  row: FailedEntry;
  columns: readonly string[];
  typed: ReadonlyMap<string, string>;
}> = ({ row, columns, typed, words }) => (
  <>
    <tr>
      <th scope="row">
        {words.common.onLine(countIn(words.language)(row.line))}
        <input type="hidden" name={`shown.${row.line}`} value={toShown(row)} />
      </th>
      {columns.map((column, at) => (
        <Cell row={row} column={column} at={at} typed={typed} words={words} />
      ))}
    </tr>
    <tr class="why">
      <td />
      <td colspan={columns.length} id={`why-${row.line}`}>
        {row.problems.map(({ message, where }) => (
          <p>
            {where?.column === undefined ? null : `${where.column}: `}
            <span {...inEnglish(words)}>{message}</span>
          </p>
        ))}
      </td>
    </tr>
  </>
);

const mendedName = ({ file, mended }: { file: string; mended?: string | undefined }): string =>
  mended === undefined ? `${path.parse(file).name}.mended.csv` : path.basename(mended);

interface FormProps {
  readonly toMend: FailedRows;
  readonly typed: ReadonlyMap<string, string>;
  readonly job: Job;
  readonly manifest: string;
  readonly words: Words;
}

function MendForm({ toMend, typed, job, manifest, words }: FormProps) {
  const said = words.result;
  const count = countIn(words.language);
  const { columns } = toMend;
  if (!canMend(job) || toMend.rows.length === 0) return <p>{said.nothingToMend}</p>;
  const rows = toMend.rows.slice(0, ROWS_A_PAGE);
  const { source } = job;
  return (
    <form method="post" data-keep={`${jobPath(manifest)}/mend/keep`}>
      {typed.size === 0 ? null : (
        <p class="banner" role="status">
          {said.mendKept}
        </p>
      )}
      <SaysEnglish words={words} />
      <p>{said.mendHint(path.basename(source.file), mendedName(source))}</p>
      {toMend.rows.length > rows.length ? (
        <p class="banner warn">{said.mendFirst(count(rows.length), count(toMend.rows.length))}</p>
      ) : null}
      <div class="scroll" tabindex={0} role="region" aria-label={said.mend(toMend.rows.length)}>
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
              <Row row={row} columns={columns} typed={typed} words={words} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <button class="main">{said.mendPlan(toMend.rows.length)}</button>
        {typed.size === 0 ? null : (
          <button class="plain" formaction={`${jobPath(manifest)}/mend/forget`}>
            {words.label.discard}
          </button>
        )}
      </div>
    </form>
  );
}

/** Evens out the line ends that browsers send, so that an unchanged cell is left alone. */
const toLines = (text: string): string => text.replaceAll(/\r\n|\r/gu, "\n");

function readCells(
  form: Readonly<Record<string, unknown>>,
  { line, cells }: FailedEntry,
  columns: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    columns.map((column, at) => {
      const was = cells[column] ?? "";
      const typed = form[fieldOf(line, at)];
      const isSame = typeof typed !== "string" || toLines(typed) === toLines(was);
      return [column, isSame ? was : toLines(typed)];
    }),
  );
}

async function saveMended(c: Context, site: Site): Promise<Response> {
  const { desk, manifest, opened } = site;
  const { job } = opened;
  const back = `${jobPath(manifest)}/mend`;
  const form = await c.req.parseBody();
  const { columns, rows } = await readToMend(site);
  const edits = rows.flatMap((row) => {
    const shown = form[`shown.${row.line}`];
    if (shown === undefined) return [];
    if (shown !== toShown(row)) {
      throw new AppError("source-unreadable", `line ${row.line} has changed since you saw it`, {
        hint: "plan again, then mend what is still wrong",
      });
    }
    const cells = readCells(form, row, columns);
    return columns.some((column) => cells[column] !== (row.cells[column] ?? ""))
      ? [{ line: row.line, was: row.cells, cells }]
      : [];
  });
  if (edits.length === 0 || !canMend(job)) return c.redirect(`${back}?same`, 303);
  const { file } = await writeMended(job, { rows: edits, access: accessOf(site) });
  const folder = path.dirname(path.join(desk.folder, manifest));
  const named = path.relative(folder, file).split(path.sep).join("/");
  if (job.source.mended === undefined) {
    await editJob(desk, manifest, [{ path: ["source", "mended"], value: named }]);
  }
  await dropDraft(desk, { screen: "mend", of: manifest });
  await startTask({ step: "plan", manifest }, desk);
  return c.redirect(`${jobPath(manifest)}/plan`, 303);
}

/** The way to the rows that can be mended in the page, for those who offer it. */
export const MendLink: Part<{
  readonly job: Job;
  readonly manifest: string;
  /** How many there are to mend. */
  readonly rows: number;
}> = ({ job, manifest, rows, words }) =>
  canMend(job) ? (
    <p>
      <Go href={`${jobPath(manifest)}/mend`} text={words.result.mend(rows)} />
    </p>
  ) : null;

export function routeMend(app: Hono, desk: DeskContext): void {
  const siteOf = async (c: Context): Promise<Site> => {
    const manifest = await manifestOf(c, desk);
    return { desk, manifest, opened: await openDeskJob(desk, manifest) };
  };
  app.get("/job/:manifest/mend", async (c) => {
    const site = await siteOf(c);
    const words = wordsFor(c);
    const { manifest, opened } = site;
    const toMend = await readToMend(site);
    const title = words.result.mend(toMend.rows.length);
    const typed = await readTyped(site, toMend);
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="result" />
        <h1>{title}</h1>
        {c.req.query("same") === undefined ? null : (
          <p class="banner warn" role="status">
            {words.result.nothingMended}
          </p>
        )}
        <MendForm {...{ toMend, typed, job: opened.job, manifest, words }} />
        <Command words={words} text={`makeready plan ${quoteWord(manifest)}`} />
      </>
    );
    return replyPage(c, { desk, title, children, islands: ["keep"] });
  });
  app.post("/job/:manifest/mend/keep", (c) => keepTyped(c, desk));
  app.post("/job/:manifest/mend/forget", (c) => forgetTyped(c, desk));
  app.post("/job/:manifest/mend", async (c) => saveMended(c, await siteOf(c)));
}
