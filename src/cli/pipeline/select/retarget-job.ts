/** Jobs of kind `retarget`: a spreadsheet says which codes and short links get which fields. */
import path from "node:path";

import { toMessage, type Problem } from "../../../base/errors.ts";
import { makeLog } from "../../../base/log.ts";
import { openProber } from "../../../client/probe.ts";
import type { RetargetJob } from "../../../job/select-jobs.ts";
import { toSecondsAtLimit } from "../../../plan/cost.ts";
import { toWishHashes } from "../../../plan/hash.ts";
import {
  isNoChange,
  RetargetPlanner,
  type PlannedTarget,
  type TargetChange,
} from "../../../plan/retarget.ts";
import type { PlanSummary } from "../../../plan/tally.ts";
import type { Source } from "../../../read/source.ts";
import { Catalog, type FoundCode } from "../../../run/catalog.ts";
import { toFolderPaths } from "../../../run/folders.ts";
import { readTargets } from "../../../run/read-targets.ts";
import { retargetRows, type RetargetContext } from "../../../run/retarget.ts";
import type { PlannedRow } from "../../../state/row.ts";
import type { CliContext } from "../../context.ts";
import type { PlanView, View } from "../../view.ts";
import { formatMany } from "../../words.ts";
import { confirmChanges, refuseEmpty, refuseTooMany } from "../confirm.ts";
import type { RunCounts } from "../counts.ts";
import { finishJob } from "../finish.ts";
import { countCalls } from "../job-client.ts";
import { listFailed, writeFailed } from "../index-stage.ts";
import { openRows } from "../open-job.ts";
import { checkSpooledPlan, saveSpooledPlan } from "../saved-plan.ts";
import type { ServerChoice } from "../server.ts";
import { Spool } from "../spool.ts";
import type { PlanOutcome, PlanRequest, RunOptions } from "../steps.ts";
import type { Work } from "../work.ts";
import { changeAndFetch, keepingChanges } from "./change-stage.ts";
import {
  isNothingThere,
  noCodesYet,
  withClient,
  withSelectState,
  type OpenClient,
  type SelectParts,
} from "./open-select.ts";
import { EMPTY_SUMMARY, NO_ACTION, WRITES } from "./plan-selection.ts";

/** As many problems as a person reads; all of them go to `failed-rows.csv`. */
const PROBLEMS_KEPT = 1000;

interface PlannedRetarget {
  readonly summary: PlanSummary;
  readonly spool: Spool;
  readonly warnings: readonly Problem[];
  /** id -> what changes. */
  readonly changes: ReadonlyMap<string, TargetChange>;
}

const writesOf = ({ fields, tags }: TargetChange): number =>
  Number(Object.keys(fields).length > 0) + Number(tags.length > 0);

class RetargetTally {
  readonly changes = new Map<string, TargetChange>();
  readonly #folders = new Set<string>();
  readonly #problems: Problem[] = [];
  #good = 0;
  #bad = 0;
  #writes = 0;
  #retags = 0;

  good({ code, change }: PlannedTarget): void {
    this.#good += 1;
    if (isNoChange(change)) return;
    this.changes.set(code.id, change);
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

  summary(): PlanSummary {
    const writes = this.#writes + this.#folders.size;
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
      secondsAtLimit: toSecondsAtLimit(writes, WRITES),
    };
  }
}

function toRow(
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

const openPlanner = (job: RetargetJob, catalog: Catalog, nowMs: number): RetargetPlanner =>
  new RetargetPlanner(
    job,
    {
      byId: (id) => catalog.byId(id),
      byShortLink: (link) => catalog.byShortLink(link),
      byName: (name) => catalog.byName(name),
    },
    { nowMs, timeZone: job.schedule?.timezone },
  );

/** More values than this are never read one by one. */
const FEW_VALUES = 10_000;

/** What the rows say of their codes; a set that is too large holds at least a text that is neither id nor link. */
async function listValues(planner: RetargetPlanner, source: Source): Promise<Set<string>> {
  const values = new Set<string>();
  for await (const row of source.rows()) {
    const value = planner.valueOf(row);
    if (value !== undefined && value !== "") values.add(value);
    if (values.size > FEW_VALUES) return new Set([...values, "…"]);
  }
  return values;
}

/** Reads every row and finds its code. Changes nothing. */
async function planRetarget(
  source: Source,
  planner: RetargetPlanner,
  readsOf: () => number,
): Promise<PlannedRetarget> {
  const tally = new RetargetTally();
  const spool = new Spool();
  try {
    let seq = 0;
    for await (const row of source.rows()) {
      const planned = planner.add(row);
      if ("problems" in planned) {
        tally.bad(planned.problems);
        const { line, cells } = row;
        spool.add({ good: false, bad: { line, cells, problems: planned.problems } });
      } else {
        tally.good(planned);
        spool.add({ good: true, row: toRow(planned, row, seq), action: NO_ACTION });
        seq += 1;
      }
    }
  } catch (error) {
    spool.close();
    throw error;
  }
  const summary = { ...tally.summary(), reads: readsOf() };
  return { summary, spool, warnings: source.warnings, changes: tally.changes };
}

function toView(job: RetargetJob, server: ServerChoice, planned: PlannedRetarget): PlanView {
  const isEmbedded = server.baseUrl === undefined;
  const { checkDestination, keepPrevious } = job.safety;
  const isChanged = planned.changes.size > 0;
  return {
    job: job.name,
    input: job.source.file,
    server: server.baseUrl ?? `embedded service, data in ${server.dataDir}`,
    isRehearsal: false,
    isLimited: !isEmbedded || server.limits === "hosted",
    summary: planned.summary,
    sheetPages: 0,
    warnings: planned.warnings,
    notes: [
      ...(isChanged && checkDestination !== "none"
        ? [`each new destination is asked first (${checkDestination.toUpperCase()})`]
        : []),
      ...(isChanged && !keepPrevious
        ? ["what is replaced is not kept (safety.keep_previous): it can't be undone"]
        : []),
    ],
  };
}

async function prepare(
  job: RetargetJob,
  { client }: OpenClient,
  at: { context: CliContext; source: Source; catalog: Catalog },
): Promise<PlannedRetarget> {
  const { context, source, catalog } = at;
  const query = job.set.tags.length > 0 ? { include: "tags" } : {};
  const planner = openPlanner(job, catalog, context.clock.nowMs());
  const { by } = job.match;
  const values = by[0] === "display_name" ? new Set<string>() : await listValues(planner, source);
  await readTargets(client, values, { by, query, catalog, signal: context.signal });
  const planned = await planRetarget(source, planner, () => countCalls(client).reads);
  try {
    refuseEmpty(planned.summary.rows, job.source.file);
    refuseTooMany(planned.summary.good, job.safety.maxCodes);
  } catch (error) {
    planned.spool.close();
    throw error;
  }
  return planned;
}

/** `plan`: finds every row's code and says what would change. */
export async function planRetargetJob(
  context: CliContext,
  view: View,
  { job, server, saveTo }: PlanRequest<RetargetJob>,
): Promise<PlanOutcome> {
  const source = await openRows(job);
  const catalog = new Catalog();
  try {
    if (isNothingThere(server)) throw noCodesYet(server);
    const needs = { context, view, log: makeLog(), choice: server, patienceMs: undefined };
    const { result } = await withClient(job, needs, (open) =>
      prepare(job, open, { context, source, catalog }),
    );
    try {
      view.plan(toView(job, server, result));
      await saveSpooledPlan({ job, server, saveTo, writer: context.writer }, result);
    } finally {
      result.spool.close();
    }
    return { hasWork: result.summary.writes + result.summary.bad > 0 };
  } finally {
    catalog.close();
    await source.close();
  }
}

function toWork(job: RetargetJob, parts: SelectParts, source: Source): Work {
  const { state, view, log, folders, context } = parts;
  return {
    job: { name: job.name, file: job.file, kind: job.kind, output: job.output, source: job.source },
    state,
    log,
    view,
    folder: folders.output,
    clock: context.clock,
    createdAt: state.createdAt,
    input: {
      name: path.basename(job.source.file),
      sha256: source.sha256,
      columns: source.columns,
    },
    isRehearsal: false,
    writer: context.writer,
    signal: context.signal,
  };
}

interface Opened {
  readonly parts: SelectParts;
  readonly options: RunOptions<RetargetJob>;
  readonly source: Source;
  readonly catalog: Catalog;
}

async function changeCodes(
  { parts, options, catalog }: Opened,
  { client }: OpenClient,
  planned: PlannedRetarget,
): Promise<RunCounts> {
  const { job, limit } = options;
  const { state, context } = parts;
  const { checkDestination, keepPrevious } = job.safety;
  const prober =
    checkDestination === "none"
      ? undefined
      : openProber({
          method: checkDestination,
          clock: context.clock,
          transport: context.transport,
        });
  const targetOf: RetargetContext["targetOf"] = ({ key, wanted }) => {
    const code: FoundCode | undefined = catalog.byId(key);
    const change = planned.changes.get(key);
    return code === undefined || change === undefined ? undefined : { code, wanted, change };
  };
  const stage = { parts, client, formats: [], toChange: planned.changes.size, settled: "0" };
  try {
    return await keepingChanges(parts, { keeps: keepPrevious, limit }, (changes) =>
      changeAndFetch(stage, (events) =>
        retargetRows({
          state,
          client,
          changes,
          targetOf,
          probe: prober && ((url) => prober.probe(url)),
          limit,
          now: () => new Date(context.clock.nowMs()).toISOString(),
          events,
          signal: context.signal,
        }),
      ),
    );
  } finally {
    await prober?.close();
  }
}

/** The state takes the rows over, those that change as not done. */
function adopt({ parts, catalog }: Opened, planned: PlannedRetarget): void {
  const { state } = parts;
  state.adoptPlan(planned.spool.good(), planned.spool.bad());
  state.selected.take(
    (function* toSelected() {
      for (const { key } of planned.spool.good()) {
        const code = catalog.byId(key);
        if (code === undefined) continue;
        yield { key, created: code.created, shortLink: code.shortLink, designHash: "kept" };
      }
    })(),
  );
  state.selected.toChange(planned.changes.keys());
}

async function runOpened(opened: Opened): Promise<number> {
  const { parts, options, source, catalog } = opened;
  const { job } = options;
  const { context, view, state, log, server: choice, stopwatch } = parts;
  const work = (): Work => toWork(job, parts, source);
  const needs = { context, view, log, choice, patienceMs: options.patienceMs };
  const { result, calls } = await withClient(job, needs, async (open) => {
    state.pin({ baseUrl: open.server.pinUrl, workspace: open.server.workspace });
    const planned = await stopwatch.time("read and plan", () =>
      prepare(job, open, { context, source, catalog }),
    );
    try {
      checkSpooledPlan({ job, server: choice, plan: options.plan }, planned);
      view.plan(toView(job, choice, planned));
      const count = planned.changes.size;
      const what = `change ${formatMany(count, "code")}`;
      const { confirmOver: over } = job.safety;
      await confirmChanges(context, { what, count, over, isConfirmed: options.isConfirmed });
      adopt(opened, planned);
    } finally {
      planned.spool.close();
    }
    try {
      const counts = await stopwatch.time("codes", () => changeCodes(opened, open, planned));
      return { planned, counts };
    } catch (error) {
      view.stageEnd();
      log.error({ message: toMessage(error) }, "stopped");
      await writeFailed(work(), listFailed(state, job.source));
      throw error;
    }
  });
  const { planned, counts } = result;
  const finished = { context, view, stopwatch, options: { server: choice } };
  return finishJob({ work: work(), parts: finished, planned, counts: { counts, calls } });
}

/** `run`: changes what is left to change; answers the exit code. */
export async function runRetargetJob(
  context: CliContext,
  view: View,
  options: RunOptions<RetargetJob>,
): Promise<number> {
  const { job, server } = options;
  const source = await openRows(job);
  const catalog = new Catalog();
  try {
    if (isNothingThere(server)) throw noCodesYet(server);
    const folders = { state: job.stateDir, output: job.output.dir };
    return await withSelectState({ context, view, folders }, options, (parts) =>
      runOpened({ parts, options, source, catalog }),
    );
  } finally {
    catalog.close();
    await source.close();
  }
}
