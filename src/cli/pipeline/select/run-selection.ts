/** Jobs of kind `redesign` and `export`: codes that exist become files, the first after a new design. */
import path from "node:path";

import { toCarried } from "../../../api/carried.ts";
import { writeFileAtomic } from "../../../base/atomic-file.ts";
import { toMessage, type Problem } from "../../../base/errors.ts";
import { toFileName } from "../../../base/file-name.ts";
import { sha256 } from "../../../base/ids.ts";
import type { Client } from "../../../client/client.ts";
import { codeColumns } from "../../../job/kinds.ts";
import type { ExportJob, RedesignJob } from "../../../job/select-jobs.ts";
import type { DesignFields } from "../../../plan/restyle.ts";
import { Catalog, readSelection, type FoundCode } from "../../../run/catalog.ts";
import { readRedesignFields } from "../../../run/redesign-fields.ts";
import { redesignRows } from "../../../run/redesign.ts";
import { describeSelect, toSelection } from "../../../run/select.ts";
import type { Selected } from "../../../state/selected-rows.ts";
import { readState } from "../../../state/find-state.ts";
import type { State } from "../../../state/state.ts";
import { makeLog } from "../../../base/log.ts";
import type { CliContext } from "../../context.ts";
import type { View } from "../../view.ts";
import { formatMany } from "../../words.ts";
import { confirmChanges, refuseTooMany } from "../confirm.ts";
import type { RunCounts } from "../counts.ts";
import { finishJob } from "../finish.ts";
import { OUTPUT_FOLDER } from "../finished-job.ts";
import { listFailed, writeFailed } from "../index-stage.ts";
import { checkSpooledPlan, saveSpooledPlan } from "../saved-plan.ts";
import { isLoopbackUrl } from "../server.ts";
import type { PlanOutcome, PlanRequest, RunOptions } from "../steps.ts";
import { verifyFinished, type JobProof } from "../verify-job.ts";
import type { Work, WorkJob } from "../work.ts";
import { changeAndFetch, keepingChanges } from "./change-stage.ts";
import {
  isNothingThere,
  noCodesYet,
  withClient,
  withSelectState,
  type OpenClient,
  type SelectParts,
} from "./open-select.ts";
import { planSelection, type PlannedSelection } from "./plan-selection.ts";
import { toSelectionView } from "./selection-view.ts";

type SelectionJob = RedesignJob | ExportJob;

/** What is asked of the codes, whatever the kind. */
interface Wish {
  readonly design: DesignFields;
  readonly logoBase64: string | undefined;
  readonly contrast: "refuse" | "warn";
  readonly skipsUnchanged: boolean;
  readonly warnings: readonly Problem[];
}

const NO_DESIGN: Wish = {
  design: {},
  logoBase64: undefined,
  contrast: "warn",
  skipsUnchanged: true,
  warnings: [],
};

async function readWish(job: SelectionJob, client: Client): Promise<Wish> {
  if (job.kind === "export") return NO_DESIGN;
  const { fields, logoBase64, warnings } = await readRedesignFields(client, job.design);
  const { contrast, skipUnchanged } = job.safety;
  return { design: fields, logoBase64, contrast, skipsUnchanged: skipUnchanged, warnings };
}

const foldersOf = ({ stateDir, output }: SelectionJob) => ({
  state: stateDir,
  output: output.dir,
});

interface Prepared {
  readonly wish: Wish;
  readonly planned: PlannedSelection;
}

/** Reads the selection and plans it. Nothing is changed. */
async function prepare(
  job: SelectionJob,
  { client }: OpenClient,
  at: { context: CliContext; state: State | undefined; catalog: Catalog },
): Promise<Prepared> {
  const { context, state, catalog } = at;
  const selection = await toSelection(client, job.select);
  await readSelection(client, selection, catalog, context.signal);
  refuseTooMany(catalog.count, job.safety.maxCodes);
  const wish = await readWish(job, client);
  const planned = planSelection(catalog, {
    job,
    ...wish,
    asksFirst: job.kind === "redesign" && (job.safety.keepPrevious || job.safety.skipUnchanged),
    state,
    nowMs: context.clock.nowMs(),
  });
  return { wish, planned };
}

function toNotes(job: SelectionJob, { summary }: PlannedSelection): string[] {
  if (summary.rows === 0) return ["no code is selected"];
  const isRestyled = job.kind === "redesign" && summary.restyles > 0;
  if (!isRestyled) return [];
  return [
    ...(job.safety.skipUnchanged
      ? ["a code that the server says looks like this already costs no write"]
      : []),
    job.safety.keepPrevious
      ? "what is replaced is kept: `makeready undo` puts it back"
      : "what is replaced is not kept (safety.keep_previous): it can't be undone",
  ];
}

async function showPlan(
  view: View,
  { job, server }: Pick<RunOptions<SelectionJob>, "job" | "server">,
  { wish, planned }: Prepared,
  createdAt: string,
): Promise<void> {
  view.plan(
    await toSelectionView({
      job,
      server,
      input: describeSelect(job.select),
      design: wish.design,
      planned,
      createdAt,
      warnings: wish.warnings,
      notes: toNotes(job, planned),
    }),
  );
}

/** `plan`: reads the selection, says what a run would do. */
export async function planSelectionJob(
  context: CliContext,
  view: View,
  { job, server, saveTo }: PlanRequest<SelectionJob>,
): Promise<PlanOutcome> {
  if (isNothingThere(server)) throw noCodesYet(server);
  const nowMs = context.clock.nowMs();
  const state = await readState(job.stateDir, { writer: context.writer, salt: "", nowMs });
  const catalog = new Catalog();
  try {
    const needs = { context, view, log: makeLog(), choice: server, patienceMs: undefined };
    const { result } = await withClient(job, needs, async (open) => {
      const prepared = await prepare(job, open, { context, state, catalog });
      try {
        const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
        await showPlan(view, { job, server }, prepared, createdAt);
        const { writer } = context;
        await saveSpooledPlan({ job, server, saveTo, writer }, prepared.planned);
      } finally {
        prepared.planned.spool.close();
      }
      return prepared.planned.summary;
    });
    return { hasWork: result.writes + result.bad > 0 };
  } finally {
    catalog.close();
    state?.close();
  }
}

/** Meta: `yes` while a run over these codes is not through. */
const RUN_OPEN = "run_open";
/** Meta: number of the run, which stands for the designs that nobody tells. */
const RUN_NUMBER = "run_number";

/** Begins a run, or goes on with one that was not finished; answers its number. */
function beginRun(state: State): { number: number; isNew: boolean } {
  const isNew = state.meta(RUN_OPEN) !== "yes";
  const number = Number(state.meta(RUN_NUMBER) ?? "0") + Number(isNew);
  state.setMeta(RUN_NUMBER, String(number));
  state.setMeta(RUN_OPEN, "yes");
  return { number, isNew };
}

/**
 * What stands for the design of an exported code, which the list doesn't tell. Our own service names
 * a PNG after what it shows; with any other, files are as old as the run that fetched them.
 */
function toExportMark(code: FoundCode, isEmbedded: boolean, run: number): string {
  return isEmbedded && code.png !== null ? `png ${sha256(code.png).slice(0, 16)}` : `run ${run}`;
}

function* toSelected(
  job: SelectionJob,
  catalog: Catalog,
  at: { isEmbedded: boolean; run: number },
): Iterable<Selected> {
  for (const code of catalog.codes()) {
    const { id, created, type, destination } = code;
    const shortLink = toCarried({
      qr_type: type,
      qr_data: destination,
      shortlink_url: code.shortLink,
    });
    const designHash = job.kind === "export" ? toExportMark(code, at.isEmbedded, at.run) : null;
    yield { key: id, created, shortLink, designHash };
  }
}

/** The state takes the selection over. */
function adopt(
  job: SelectionJob,
  { state }: SelectParts,
  {
    planned,
    catalog,
    isEmbedded,
  }: { planned: PlannedSelection; catalog: Catalog; isEmbedded: boolean },
): void {
  const { number, isNew } = beginRun(state);
  state.setMeta(OUTPUT_FOLDER, job.output.dir);
  state.adoptPlan(planned.spool.good(), planned.spool.bad());
  state.selected.take(toSelected(job, catalog, { isEmbedded, run: number }));
  if (job.kind === "redesign" && isNew && !job.safety.skipUnchanged) state.selected.forgetDesigns();
}

/** Codes that have the design which their rows want. */
const DESIGNED = "state = 'done' AND made_design_hash = design_hash";

/** Changes what is to be changed and fetches files; answers what happened. */
async function changeCodes(
  parts: SelectParts,
  options: RunOptions<SelectionJob>,
  { client, wish, toChange }: { client: Client; wish: Wish; toChange: number },
): Promise<RunCounts> {
  const { job, limit } = options;
  const { state, context, folders } = parts;
  const { files: formats } = job.output;
  if (job.kind === "export") {
    const stage = { parts, client, formats, toChange, settled: "state = 'done'" };
    return changeAndFetch(stage, () => Promise.resolve());
  }
  // A code that is to be restyled is fetched afterwards.
  const stage = { parts, client, formats, toChange, settled: DESIGNED };
  const { keepPrevious, skipUnchanged } = job.safety;
  return keepingChanges(parts, { keeps: keepPrevious, limit }, (changes) =>
    changeAndFetch(stage, (events) =>
      redesignRows({
        state,
        client,
        changes,
        logoBase64: wish.logoBase64,
        keepPicture: async (row, svg) => {
          const file = path.join(folders.state, "previous", toFileName(row.key, ".svg"));
          await writeFileAtomic(file, svg);
          return file;
        },
        skipUnchanged,
        limit,
        now: () => new Date(context.clock.nowMs()).toISOString(),
        events,
        signal: context.signal,
      }),
    ),
  );
}

const toWorkJob = ({ name, file, kind, output }: SelectionJob): WorkJob => ({
  name,
  file,
  kind,
  output,
  source: null,
});

function toWork(job: SelectionJob, parts: SelectParts): Work {
  const { state, view, log, folders, context } = parts;
  const [first] = state.page("short_link IS NOT NULL", { afterSeq: -1, limit: 1 });
  return {
    job: toWorkJob(job),
    state,
    log,
    view,
    folder: folders.output,
    clock: context.clock,
    createdAt: state.createdAt,
    input: { name: describeSelect(job.select), sha256: "", columns: [...codeColumns] },
    isRehearsal: isLoopbackUrl(first?.shortLink ?? ""),
    writer: context.writer,
    signal: context.signal,
  };
}

async function runParts(
  parts: SelectParts,
  options: RunOptions<SelectionJob>,
  catalog: Catalog,
): Promise<number> {
  const { job } = options;
  const { context, view, state, log, server: choice, stopwatch } = parts;
  const needs = { context, view, log, choice, patienceMs: options.patienceMs };
  const { result, calls } = await withClient(job, needs, async (open) => {
    state.pin({ baseUrl: open.server.pinUrl, workspace: open.server.workspace });
    const prepared = await stopwatch.time("select and plan", () =>
      prepare(job, open, { context, state, catalog }),
    );
    const { planned, wish } = prepared;
    try {
      checkSpooledPlan({ job, server: choice, plan: options.plan }, planned);
      await showPlan(view, { job, server: choice }, prepared, state.createdAt);
      const count = planned.summary.restyles;
      const over = job.kind === "redesign" ? job.safety.confirmOver : null;
      const what = `restyle ${formatMany(count, "code")}`;
      await confirmChanges(context, { what, count, over, isConfirmed: options.isConfirmed });
      adopt(job, parts, { planned, catalog, isEmbedded: open.server.isEmbedded });
    } finally {
      planned.spool.close();
    }
    try {
      const { client } = open;
      const counts = await stopwatch.time("codes and downloads", () =>
        changeCodes(parts, options, { client, wish, toChange: planned.summary.restyles }),
      );
      return { planned, counts };
    } catch (error) {
      view.stageEnd();
      log.error({ message: toMessage(error) }, "stopped");
      await writeFailed(toWork(job, parts), listFailed(state, null));
      throw error;
    }
  });
  const work = toWork(job, parts);
  const { planned, counts } = result;
  const finished = { context, view, stopwatch, options: { server: choice } };
  const exitCode = await finishJob({ work, parts: finished, planned, counts: { counts, calls } });
  if (!context.signal.aborted) state.setMeta(RUN_OPEN, "no");
  return exitCode;
}

/** `run`: does what is left to do; answers the exit code. */
export async function runSelectionJob(
  context: CliContext,
  view: View,
  options: RunOptions<SelectionJob>,
): Promise<number> {
  const { job, server } = options;
  if (isNothingThere(server)) throw noCodesYet(server);
  const catalog = new Catalog();
  try {
    const folders = foldersOf(job);
    return await withSelectState({ context, view, folders }, options, (parts) =>
      runParts(parts, options, catalog),
    );
  } finally {
    catalog.close();
  }
}

/** `verify`: proves anew what the last run made, wherever it was put. */
export function verifySelectionJob(
  context: CliContext,
  view: View,
  job: SelectionJob,
): Promise<JobProof> {
  const { stateDir, select } = job;
  const finished = { job: toWorkJob(job), stateDir, inputName: describeSelect(select) };
  return verifyFinished(context, view, finished);
}
