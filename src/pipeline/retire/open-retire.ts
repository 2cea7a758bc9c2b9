/** What retiring codes, and undoing that, begin and end with: the job's folder, its state, its lists. */
import path from "node:path";

import { badUsage, type Problem, type AppError } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { RetiredFacts } from "../../pack/report-data.ts";
import { EMPTY_SUMMARY } from "../../plan/tally.ts";
import { findState, isStateThere } from "../../state/find-state.ts";
import { lockFolder } from "../../state/lock.ts";
import { toStateError } from "../../state/schema.ts";
import { stateFile } from "../../state/state.ts";
import { PRESENT_DONE } from "../../state/which-rows.ts";
import { makeCounts } from "../standing/counts.ts";
import { toRetireRows } from "../stages/finish.ts";
import { recallInput } from "../source/input-facts.ts";
import { amendResult } from "../standing/last-result.ts";
import { STEP_OPTIONS, type Ports } from "../ports.ts";
import { rememberPublicUrl } from "../address/public-address.ts";
import type { Calls, Output, RunResult } from "../results.ts";
import { isRehearsal } from "../rows/describe-plan.ts";
import type { SelectParts } from "../select/open-select.ts";
import { refuseForeign } from "../address/foreign-server.ts";
import { checkServer, type ServerChoice } from "../address/server.ts";
import { readFailed } from "../stages/failed-rows.ts";
import { reportStage } from "../stages/report.ts";
import { NOTHING_MADE, type Finishing, type Made } from "../stages/stage.ts";
import { describeMade, stages } from "../stages/stages.ts";
import { vanishedStage } from "../stages/vanished-rows.ts";
import { makeStopwatch } from "../stages/stopwatch.ts";
import { toWorkBase } from "../stages/work.ts";

export const neverRun = ({ output }: RowJob, { commandOf }: Pick<Ports, "commandOf">): AppError =>
  badUsage(
    `${output.dir} must hold a job that was run, got no state`,
    `if the output folder was moved or renamed, name it with --out FOLDER, since a run makes new codes; otherwise run it first: ${commandOf("run")}`,
  );

/** Holds the folder's lock and the state of a job that was run while `work` runs. */
export async function withRowState<T>(
  { job, server: choice }: { readonly job: RowJob; readonly server: ServerChoice },
  ports: Ports,
  work: (parts: SelectParts) => Promise<T>,
): Promise<T> {
  checkServer(job, choice, ports);
  const { dir } = job.output;
  if (!isStateThere(dir)) throw neverRun(job, ports);
  const lock = await lockFolder(dir);
  const { writer, clock } = ports;
  const state = findState(dir, { writer, salt: "", nowMs: clock.nowMs() });
  try {
    if (state === undefined) throw neverRun(job, ports);
    await refuseForeign({ job, server: choice }, state, ports);
    const log = makeLog({ to: path.join(dir, "run.log") });
    log.info({ job: job.name, writer, salt: state.meta("salt") }, "retire");
    const server = rememberPublicUrl(choice, state);
    const folders = { state: dir, output: dir };
    return await work({ ports, server, folders, state, log, stopwatch: makeStopwatch(clock) });
  } catch (error) {
    throw toStateError(stateFile(dir), error);
  } finally {
    state?.close();
    lock.release();
  }
}

interface Refreshed {
  readonly calls: Calls;
  readonly warnings: readonly Problem[];
  /** Codes that this step changed; they have no row. */
  readonly retired: number;
  readonly after: RetiredFacts;
}

/** The list of vanished rows and the report, written anew; everything else stays as the last run left it. */
export async function refreshLists(
  { ports, state, log, stopwatch, server, folders }: SelectParts,
  job: RowJob,
  { calls, warnings, retired, after }: Refreshed,
): Promise<readonly Output[]> {
  const good = state.count(PRESENT_DONE);
  const bad = [...state.bad.list()].length;
  const figures = { rows: good + bad, good, bad, unchanged: good };
  const planned = { summary: { ...EMPTY_SUMMARY, ...figures }, warnings };
  const work: Finishing = {
    ...toWorkBase(ports, state, log),
    // The sheets stay as they are: the run that made them has reported their faults.
    on: (event) => {
      if (event.type !== "sheet-warnings") ports.on(event);
    },
    job,
    folder: folders.output,
    input: recallInput(state, job.source.file),
    isRehearsal: isRehearsal(job, server, state),
    run: {
      planned,
      counts: makeCounts(),
      calls,
      stopwatch,
      baseUrl: server.baseUrl,
      dataDir: server.dataDir,
      command: ports.commandOf("run", { without: STEP_OPTIONS }),
      after,
      retired,
    },
  };
  let made: Made = NOTHING_MADE;
  for (const stage of stages) made = { ...made, ...(await stage.recall(work, made)) };
  made = { ...made, ...readFailed(work) };
  made = { ...made, ...(await vanishedStage.make(work, made)) };
  made = { ...made, ...(await reportStage.make(work, made)) };
  const fresh: readonly Output["role"][] = ["vanished-rows", "report"];
  const files = describeMade(work, made).filter(({ role }) => fresh.includes(role));
  amendResult(state, job, (last) => tellVanished(last, { work, made, files }));
  return files;
}

interface Refreshing {
  readonly work: Finishing;
  readonly made: Made;
  readonly files: readonly Output[];
}

const isVanishedList = ({ role }: Output): boolean => role === "vanished-rows";

/** The codes without a row that the last run told of, as they are now. */
function tellVanished(
  { files, next }: RunResult,
  { work, made: { vanished }, files: fresh }: Refreshing,
): Pick<RunResult, "files" | "next"> {
  return {
    files: [
      ...files.filter((one) => !isVanishedList(one)),
      ...fresh.filter((one) => isVanishedList(one)),
    ],
    next: [
      ...next.filter(({ code }) => code !== "retire-rows"),
      ...(vanished === null ? [] : [toRetireRows(work, vanished.rows)]),
    ],
  };
}
