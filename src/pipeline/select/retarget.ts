/** Jobs of kind `retarget`: a spreadsheet says which codes and short links get which fields. */
import { AppError } from "../../base/errors.ts";
import { openProber } from "../../client/probe.ts";
import type { RetargetJob } from "../../kinds/retarget/job.ts";
import { RetargetTally, toRetargetRow } from "../../kinds/retarget/tally.ts";
import { NO_ACTION } from "../../plan/compare.ts";
import { RetargetPlanner, type TargetChange } from "../../plan/retarget.ts";
import { headerOf } from "../../read/header/header.ts";
import type { Source } from "../../read/source.ts";
import type { FoundCode } from "../../run/catalog.ts";
import { readTargets } from "../../run/read-targets.ts";
import { retargetRows, type RetargetContext } from "../../run/retarget.ts";
import { refuseEmpty, refuseTooMany } from "../checks/confirm.ts";
import type { RunCounts } from "../standing/counts.ts";
import { rememberOutput } from "../standing/finished-job.ts";
import { recallInput, rememberInput, toInput } from "../source/input-facts.ts";
import { countCalls } from "../address/job-client.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import { warnOfOldCopy } from "../source/kept-source.ts";
import { refuseOwnList } from "../checks/own-lists.ts";
import { openRows } from "../source/source.ts";
import { Spool } from "../rows/spool.ts";
import type { Strategy } from "../strategy.ts";
import { undoWith } from "../undo/undo.ts";
import { changeAndFetch, keepingChanges } from "./change-codes.ts";
import { recallTargets } from "./found-before.ts";
import { orchestrate, type Changing, type Finding, type PlannedSelection } from "./orchestrate.ts";
import type { CodeNow } from "../../state/selected-rows.ts";
import type { State } from "../../state/state.ts";
import { NONE } from "../../state/which-rows.ts";

interface PlannedRetarget extends PlannedSelection {
  readonly changes: ReadonlyMap<string, TargetChange>;
}

const openPlanner = (
  { job, catalog, state }: Finding<RetargetJob>,
  nowMs: number,
): RetargetPlanner =>
  new RetargetPlanner(
    job,
    {
      byId: (id) => catalog.byId(id),
      byShortLink: (link) => catalog.byShortLink(link),
      byName: (name) => catalog.byName(name),
      before: state && recallTargets(job, state, (id) => catalog.byId(id)),
    },
    { nowMs, timeZone: job.schedule?.timezone, language: job.source.language },
    (name, headers) => headerOf(job.source.columns, name, headers),
  );

/** More values than this are never read one by one. */
const FEW_VALUES = 10_000;

/**
 * The values that rows name their codes by. After too many it adds a text that is neither id nor
 * link, so that the whole list is read.
 */
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
  { readsOf, state }: { readonly readsOf: () => number; readonly state: State | undefined },
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
        spool.add({ good: true, row: toRetargetRow(planned, row, seq), action: NO_ACTION });
        seq += 1;
      }
    }
  } catch (error) {
    spool.close();
    throw error;
  }
  const told = tally.summary((folder) => state?.folderId(folder) !== undefined);
  const summary = { ...told, reads: told.reads + readsOf() };
  const warnings = [...warnOfOldCopy(source), ...source.warnings];
  return { summary, spool, warnings, changes: tally.changes };
}

function sourceOf({ source }: Finding<RetargetJob>): Source {
  if (source === undefined) throw new AppError("bug", "a retarget must have a spreadsheet");
  return source;
}

/** Finds every row's code and plans what changes. */
async function find(at: Finding<RetargetJob>): Promise<PlannedRetarget> {
  const { job, ports, catalog } = at;
  const { client } = at.open;
  const source = sourceOf(at);
  const query = job.set.tags.length > 0 ? { include: "tags" } : {};
  const planner = openPlanner(at, ports.clock.nowMs());
  const { by } = job.match;
  const values = by[0] === "display_name" ? new Set<string>() : await listValues(planner, source);
  await readTargets(client, values, { by, query, catalog, signal: ports.signal });
  const { state } = at;
  const readsOf = () => countCalls(client).reads;
  const planned = await planRetarget(source, planner, { readsOf, state });
  try {
    refuseEmpty(planned.summary.rows, job.source.file);
    refuseTooMany(planned.summary.good, job.safety.maxCodes);
  } catch (error) {
    planned.spool.close();
    throw error;
  }
  return planned;
}

function toNotes({ safety }: RetargetJob, { changes }: PlannedRetarget): PlanNote[] {
  if (changes.size === 0) return [];
  const { checkDestination: method, keepPrevious } = safety;
  return [
    ...(method === "none" ? [] : [{ code: "destinations-asked", method } as const]),
    ...(keepPrevious ? [] : [{ code: "not-kept" } as const]),
  ];
}

const toNow = ({ destination, name, folder }: FoundCode): CodeNow => ({
  destination,
  name,
  folder: folder?.path ?? null,
});

/** The state takes the rows over, those that change as not done. */
function adopt(run: Changing<RetargetJob, PlannedRetarget>): void {
  const { job, state, catalog, planned, source } = run;
  rememberOutput(state, { stateDir: job.stateDir, dir: job.output.dir });
  rememberInput(state, toInput(job.source.file, source));
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
  state.selected.toChange(
    (function* toOpen() {
      for (const key of planned.changes.keys()) {
        const code = catalog.byId(key);
        if (code !== undefined) yield { key, now: toNow(code) };
      }
    })(),
  );
}

async function change(run: Changing<RetargetJob, PlannedRetarget>): Promise<RunCounts> {
  const { job, parts, state, ports, catalog, planned, request } = run;
  const { client } = run.open;
  const { limit = null } = request;
  const { clock, transport, signal } = ports;
  const { checkDestination: method, keepPrevious } = job.safety;
  const prober = method === "none" ? undefined : openProber({ method, clock, transport });
  const targetOf: RetargetContext["targetOf"] = ({ key, wanted }) => {
    const code = catalog.byId(key);
    const found = planned.changes.get(key);
    return code === undefined || found === undefined ? undefined : { code, wanted, change: found };
  };
  const stage = { parts, client, formats: [], toChange: planned.changes.size, settled: NONE };
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
          now: () => new Date(clock.nowMs()).toISOString(),
          events,
          signal,
        }),
      ),
    );
  } finally {
    await prober?.close();
  }
}

const steps = orchestrate<RetargetJob, PlannedRetarget>({
  times: { plan: "read and plan", change: "codes" },
  openRows: async (job, ...how) => {
    refuseOwnList(job);
    return openRows(job, ...how);
  },
  find,
  show: (job, planned) =>
    Promise.resolve({
      input: job.source.file,
      from: job.source.from,
      isSelection: false,
      isRehearsal: false,
      sheetPages: 0,
      press: [],
      warnings: planned.warnings,
      notes: toNotes(job, planned),
    }),
  toQuestion: (job, { changes }) => ({
    question: { does: "change", thing: "code", count: changes.size },
    over: job.safety.confirmOver,
  }),
  adopt,
  change,
  toWork: (job, _state, source) => ({
    job,
    input: toInput(job.source.file, source),
    isRehearsal: false,
  }),
});

export const retarget: Strategy<RetargetJob> = {
  ...steps,
  undo: undoWith((job, state) => ({
    job,
    input: recallInput(state, job.source.file),
    isRehearsal: false,
  })),
};
