/** Mends failed rows in a grid. The spreadsheet stays as it is: a file beside it holds them. */
import path from "node:path";

import type { Context, Hono } from "hono";

import { quoteWord } from "../../../base/shell-words.ts";
import type { Problem } from "../../../base/errors.ts";
import type { Job } from "../../../kinds/any-job.ts";
import {
  canMend,
  listFailedRows,
  listMendedRows,
  writeMended,
  type FailedRows,
} from "../../../pipeline/mend.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import { openRows } from "../../../pipeline/source.ts";
import type { FailedEntry } from "../../../pipeline/stages/stage.ts";
import type { DeskContext } from "../../context.ts";
import { dropDraft, keepDraft, readDraft, toDraftForm } from "../../drafts.ts";
import { editJob } from "../../edit-job.ts";
import { CHANGING, findTask, manifestOf, openDeskJob } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readLast } from "../../tasks/tail.ts";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import type { JobPart, Part } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import {
  backOf,
  fieldOf,
  isShown,
  MendForm,
  type MendGrid,
  type MendRow,
  shownOf,
  toLines,
  toShown,
} from "./mend-grid.tsx";
import { Go } from "../../../console/view/parts.tsx";

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

const LINE_NAMED = /\bline (\d+)/gu;

/** Rows to mend, and those that were mended before: first those that a refusal names. */
async function readGrid(site: Site): Promise<MendGrid> {
  const { job } = site.opened;
  const { columns, rows } = await readToMend(site);
  if (!canMend(job)) return { columns, rows, before: [] };
  const mended = await listMendedRows(job, accessOf(site));
  const old = new Map(mended.rows.map(({ line, was }) => [line, was]));
  const lines = new Set(rows.map(({ line }) => line));
  const said = rows.flatMap(({ problems }) => problems.map(({ message }) => message)).join("\n");
  const named = new Set([...said.matchAll(LINE_NAMED)].map(([, line]) => Number(line)));
  const before = mended.rows
    .filter(({ line }) => !lines.has(line))
    .map((row): MendRow => ({ ...row, problems: [] }))
    .toSorted((a, b) => Number(named.has(b.line)) - Number(named.has(a.line)) || a.line - b.line);
  return {
    columns: rows.length === 0 ? mended.columns : columns,
    rows: rows.map((row) => ({ ...row, was: old.get(row.line) })),
    before,
  };
}

/** Unsent changes of rows that are still the same: fields with their texts. */
async function readTyped(
  { desk, manifest }: Site,
  { columns, rows, before }: MendGrid,
): Promise<ReadonlyMap<string, string>> {
  const { form = {} } = (await readDraft(desk, { screen: "mend", of: manifest })) ?? {};
  const same = [...rows, ...before].filter((row) => form[shownOf(row.line)]?.[0] === toShown(row));
  const pairs = same.flatMap(({ line, cells }) => [
    ...(form[backOf(line)] === undefined ? [] : [[backOf(line), "on"] as const]),
    ...columns.flatMap((column, at) => {
      const typed = form[fieldOf(line, at)]?.[0];
      const isNew = typed !== undefined && toLines(typed) !== toLines(cells[column] ?? "");
      return isNew ? [[fieldOf(line, at), typed] as const] : [];
    }),
  ]);
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

function readCells(
  form: Readonly<Record<string, unknown>>,
  { line, cells }: MendRow,
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

type Sent = Parameters<typeof toDraftForm>[0];

/** True where a row of the page is no longer what it shows. */
function isOld(sent: Sent, { rows, before }: MendGrid): boolean {
  const now = new Map([...rows, ...before].map((row) => [shownOf(row.line), toShown(row)]));
  return Object.keys(sent).some((name) => isShown(name) && now.get(name) !== sent[name]);
}

/** The rows of the page whose cells were changed. */
const readEdits = (sent: Sent, { columns, rows, before }: MendGrid) =>
  [...rows, ...before].flatMap((row) => {
    if (sent[shownOf(row.line)] === undefined) return [];
    const isBack = row.was !== undefined && sent[backOf(row.line)] !== undefined;
    const cells = isBack ? row.was : readCells(sent, row, columns);
    return columns.some((column) => (cells[column] ?? "") !== (row.cells[column] ?? ""))
      ? [{ line: row.line, was: row.cells, cells }]
      : [];
  });

/** Leads to the rows of now; what was typed into those that are the same is kept. */
async function replyOld(c: Context, { desk, manifest }: Site, sent: Sent): Promise<Response> {
  const form = toDraftForm(sent);
  await keepDraft(desk, { screen: "mend", of: manifest, name: manifest, form });
  return c.redirect(`${jobPath(manifest)}/mend?changed`, 303);
}

async function saveMended(c: Context, site: Site): Promise<Response> {
  const { desk, manifest, opened } = site;
  const { job } = opened;
  const sent = await c.req.parseBody();
  const grid = await readGrid(site);
  if (isOld(sent, grid)) return replyOld(c, site, sent);
  const rows = readEdits(sent, grid);
  if (rows.length === 0 || !canMend(job)) return c.redirect(`${jobPath(manifest)}/mend?same`, 303);
  const written = await writeMended(job, { rows, access: accessOf(site) });
  if (written === undefined) return replyOld(c, site, sent);
  const { file } = written;
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

/** The way to the rows that were mended, where none is to be mended now. */
export const MendedLink: Part<{ readonly job: Job; readonly manifest: string }> = ({
  job,
  manifest,
  words,
}) =>
  canMend(job) && job.source.mended !== undefined ? (
    <p>
      <Go href={`${jobPath(manifest)}/mend`} text={words.result.mended} />
    </p>
  ) : null;

/** Of a page whose rows have changed since it was opened. */
const Changed: JobPart = ({ manifest, words }) => (
  <div class="banner warn" role="status">
    <p>{words.result.mendChanged}</p>
    <form method="post" action={`${jobPath(manifest)}/plan`}>
      <button>{words.plan.again}</button>
    </form>
  </div>
);

export function routeMend(app: Hono, desk: DeskContext): void {
  const siteOf = async (c: Context): Promise<Site> => {
    const manifest = await manifestOf(c, desk);
    return { desk, manifest, opened: await openDeskJob(desk, manifest) };
  };
  app.get("/job/:manifest/mend", async (c) => {
    const site = await siteOf(c);
    const words = wordsFor(c);
    const { manifest, opened } = site;
    const grid = await readGrid(site);
    const { rows, before } = grid;
    const isMended = rows.length === 0 && before.length > 0;
    const title = isMended ? words.result.mended : words.result.mend(rows.length);
    const typed = await readTyped(site, grid);
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="result" />
        <h1>{title}</h1>
        {c.req.query("same") === undefined ? null : (
          <p class="banner warn" role="status">
            {words.result.nothingMended}
          </p>
        )}
        {c.req.query("changed") === undefined ? null : (
          <Changed manifest={manifest} words={words} />
        )}
        <MendForm {...{ grid, typed, job: opened.job, manifest, words }} />
        <Command words={words} text={`makeready plan ${quoteWord(manifest)}`} />
      </>
    );
    return replyPage(c, { desk, title, children, islands: ["keep"] });
  });
  app.post("/job/:manifest/mend/keep", (c) => keepTyped(c, desk));
  app.post("/job/:manifest/mend/forget", (c) => forgetTyped(c, desk));
  app.post("/job/:manifest/mend", async (c) => saveMended(c, await siteOf(c)));
}
