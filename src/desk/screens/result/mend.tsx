/** Mends failed rows in a grid. The spreadsheet stays as it is: a file beside it holds them. */
import path from "node:path";

import type { Context, Hono } from "hono";

import { closing } from "../../../base/flow/closing.ts";
import { quoteWord } from "../../../base/text/shell-words.ts";
import type { Problem } from "../../../base/errors.ts";
import { stateDirOf, type Job } from "../../../kinds/any-job.ts";
import {
  canMend,
  listFailedRows,
  listMendedRows,
  type FailedRows,
} from "../../../pipeline/mend/mend.ts";
import { readLastResult } from "../../../pipeline/standing/last-result.ts";
import { keepMended } from "../../../pipeline/mend/name-mended.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import { openRows } from "../../../pipeline/source/source.ts";
import type { FailedEntry } from "../../../pipeline/stages/stage.ts";
import { findHolder, isReadingRows } from "../../../state/lock.ts";
import type { DeskContext } from "../../context.ts";
import { dropDraft, keepDraft, toDraftForm } from "../../drafts.ts";
import { editJob } from "../../edit-job.ts";
import { findRunning, isUnderWay, manifestOf, openDeskJob } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import type { Task } from "../../tasks/task.ts";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import type { Part } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import { readAnswer, type Answer } from "../plan/answer.ts";
import { readTyped } from "./mend-draft.ts";
import {
  backOf,
  fieldOf,
  lineOf,
  shownOf,
  toLines,
  toShown,
  type MendGrid,
  type MendRow,
} from "./mend-fields.ts";
import { MendForm } from "./mend-grid.tsx";
import { Standing, Waiting, type Answered, type RunUnderWay } from "./mend-standing.tsx";
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
async function readRefused(
  site: Site,
  problems: readonly Problem[],
): Promise<Omit<FailedRows, "isOlder">> {
  const { job } = site.opened;
  if (!canMend(job)) return { columns: [], rows: [] };
  const wanted = new Map<number, Problem[]>();
  for (const problem of problems) {
    const line = problem.where?.line;
    if (line !== undefined) wanted.set(line, [...(wanted.get(line) ?? []), problem]);
  }
  const access = accessOf(site);
  return closing(await openRows(job, access, access), async (source) => {
    const rows: FailedEntry[] = [];
    for await (const { line, cells } of source.rows()) {
      const found = wanted.get(line);
      if (found !== undefined) rows.push({ line, cells, problems: found });
    }
    return { columns: source.columns, rows };
  });
}

/** What the page is about. */
interface Sight {
  readonly grid: MendGrid;
  /** The plan that is being made: nobody knows yet which rows it refuses. */
  readonly making: Task | undefined;
  /** Rows were refused as an older spreadsheet or manifest has them. */
  readonly isOlder: boolean;
  readonly run: RunUnderWay;
  /** Whose rows these are. */
  readonly step: "plan" | "result";
}

const LINE_NAMED = /\bline (\d+)/gu;

/** Rows to mend, and those that were mended before: first those that a refusal names. */
async function toGrid(
  site: Site,
  { columns, rows }: Omit<FailedRows, "isOlder">,
): Promise<MendGrid> {
  const { job } = site.opened;
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

/** True while a run that is under way has not taken on its rows. */
function isBeginning(job: Job): boolean {
  const folder = stateDirOf(job);
  return findHolder(folder) === undefined || isReadingRows(folder);
}

/** What a run has done with the rows of the plan: until it takes them on, those of the plan count. */
async function readRun(
  { desk, manifest, opened: { job } }: Site,
  { task, isRun }: Answer,
): Promise<Pick<Sight, "run"> & { readonly isTaken: boolean }> {
  const isLive = await isUnderWay(desk, manifest, job);
  const last = await readLastResult(job, desk);
  if (!isLive) return { run: undefined, isTaken: isRun && last !== undefined };
  const running = await findRunning(desk, manifest);
  // A run that was killed has left no result: the next one may not have read its rows.
  if (last === null && !isBeginning(job)) return { run: "goes-on", isTaken: isRun };
  const isOfPlan = last === undefined || running?.request.planTask === task?.id;
  return { run: "begins", isTaken: isRun && !isOfPlan };
}

/** The rows that the last plan refuses or the last run could not use: whichever is newer. */
async function readSight(site: Site): Promise<Sight> {
  const { desk, manifest, opened } = site;
  const answer = await readAnswer(desk, manifest, opened.job);
  const { task: making, isMaking, plan, stale } = answer;
  const { run, isTaken } = await readRun(site, answer);
  if (isMaking) {
    return {
      grid: { columns: [], rows: [], before: [] },
      making,
      isOlder: false,
      run,
      step: "plan",
    };
  }
  if (plan !== undefined && !isTaken) {
    const refused = await readRefused(site, plan.summary.problems);
    return {
      grid: await toGrid(site, refused),
      making: undefined,
      isOlder: stale,
      run,
      step: "plan",
    };
  }
  const { isOlder, ...failed } = await listFailedRows(opened.job, { ...desk, ...accessOf(site) });
  return { grid: await toGrid(site, failed), making: undefined, isOlder, run, step: "result" };
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
function isOld(sent: Sent, grid: MendGrid): boolean {
  const rows = [...grid.rows, ...grid.before];
  const now = new Map(rows.map((row) => [shownOf(row.line), toShown(row, grid)]));
  return Object.keys(sent).some(
    (name) => lineOf(name) !== undefined && now.get(name) !== sent[name],
  );
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

/** Saves nothing and leads to the rows of now; what was typed is kept. */
async function replyKept(
  c: Context,
  { desk, manifest }: Site,
  { sent, why }: { readonly sent: Sent; readonly why: "changed" | "begins" },
): Promise<Response> {
  const form = toDraftForm(sent);
  await keepDraft(desk, { screen: "mend", of: manifest, name: manifest, form });
  return c.redirect(`${jobPath(manifest)}/mend?${why}`, 303);
}

async function saveMended(c: Context, site: Site): Promise<Response> {
  const { desk, manifest, opened } = site;
  const { job } = opened;
  const sent = await c.req.parseBody();
  const { grid, run } = await readSight(site);
  // It is held to its plan, which knows nothing of them.
  if (run === "begins") return replyKept(c, site, { sent, why: "begins" });
  if (isOld(sent, grid)) return replyKept(c, site, { sent, why: "changed" });
  const rows = readEdits(sent, grid);
  if (rows.length === 0 || !canMend(job)) return c.redirect(`${jobPath(manifest)}/mend?same`, 303);
  const written = await keepMended(job, { rows, access: accessOf(site) }, async (file) => {
    const folder = path.dirname(path.join(desk.folder, manifest));
    const value = path.relative(folder, file).split(path.sep).join("/");
    await editJob(desk, manifest, [{ path: ["source", "mended"], value }]);
  });
  if (written === undefined) return replyKept(c, site, { sent, why: "changed" });
  await dropDraft(desk, { screen: "mend", of: manifest });
  if (run === "goes-on") return c.redirect(`${jobPath(manifest)}/mend?saved`, 303);
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

async function replyMend(c: Context, site: Site): Promise<Response> {
  const words = wordsFor(c);
  const { desk, manifest, opened } = site;
  const sight = await readSight(site);
  const { grid, making, run } = sight;
  const { rows, before } = grid;
  const isMended = rows.length === 0 && before.length > 0;
  const title = isMended ? words.result.mended : words.result.mend(rows.length);
  const typed = await readTyped(desk, manifest, grid);
  const { fields, late } = typed;
  const isAnswered = (as: keyof Answered): boolean => c.req.query(as) !== undefined;
  const answered = {
    changed: isAnswered("changed"),
    same: isAnswered("same"),
    begins: isAnswered("begins"),
    saved: isAnswered("saved"),
  };
  const children = (
    <>
      <Steps words={words} manifest={manifest} at={sight.step} />
      <h1>{title}</h1>
      <Standing {...{ ...sight, answered, manifest, words }} />
      {making === undefined ? (
        <MendForm
          {...{ grid, typed: fields, late, job: opened.job, manifest, words }}
          isRunning={run !== undefined}
        />
      ) : (
        <Waiting {...{ making, typed, manifest, words }} />
      )}
      <Command words={words} text={`makeready plan ${quoteWord(manifest)}`} />
    </>
  );
  const islands = [making === undefined ? "keep" : "monitor"];
  return replyPage(c, { desk, title, children, islands });
}

export function routeMend(app: Hono, desk: DeskContext): void {
  const siteOf = async (c: Context): Promise<Site> => {
    const manifest = await manifestOf(c, desk);
    return { desk, manifest, opened: await openDeskJob(desk, manifest) };
  };
  app.get("/job/:manifest/mend", async (c) => replyMend(c, await siteOf(c)));
  app.post("/job/:manifest/mend/keep", (c) => keepTyped(c, desk));
  app.post("/job/:manifest/mend/forget", (c) => forgetTyped(c, desk));
  app.post("/job/:manifest/mend", async (c) => saveMended(c, await siteOf(c)));
}
