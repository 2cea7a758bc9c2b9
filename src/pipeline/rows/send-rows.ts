/** Stages 3 and 4 together: things are made and their files fetched. */
import { showKey } from "../../base/shapes/row-key.ts";
import type { Problem } from "../../base/errors.ts";
import type { ClassStats } from "../../client/pace.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { EMPTY_TAGS_HASH } from "../../plan/hash.ts";
import { sayRow, toRowPlace } from "../../plan/row-place.ts";
import type { RunEvents, RunSettings } from "../../run/context.ts";
import { readSvgCodes } from "../../qr/read/read-svg.ts";
import { rasterizeSvgToWidth } from "../../qr/png/raster.ts";
import { runRows } from "../../run/run.ts";
import type { StateRow } from "../../state/row.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import { CodesAndFiles, type CodesAndFilesNeeds } from "./codes-and-files.ts";
import type { RunCounts } from "../standing/counts.ts";
import { makers } from "../../kinds/makers.ts";
import { rowsToFetch } from "./missing-files.ts";
import { PRESENT_UNSETTLED, toChange } from "../../state/which-rows.ts";

export interface SendStage extends Pick<
  CodesAndFilesNeeds,
  "state" | "client" | "clock" | "log" | "on" | "signal" | "drawnAs"
> {
  readonly job: RowJob;
  readonly workspace: string;
  readonly limit: number | null;
  /** The server is ours: it honours `Idempotency-Key` and answers with the pictures themselves. */
  readonly keysHonoured: boolean;
  readonly patienceMs: number | undefined;
  /** How many more rows may be refused. */
  readonly maxFailures: number;
}

function toSettings(stage: SendStage): RunSettings {
  const { run } = stage.job;
  return {
    workspace: stage.workspace,
    settleMs: run.settleMs,
    marker: run.marker,
    lateDoubles: run.lateDoubles,
    maxFailures: stage.maxFailures,
    stopOnError: run.onRowError === "stop",
    limit: stage.limit,
    keysHonoured: stage.keysHonoured,
    patienceMs: stage.patienceMs,
  };
}

const TO_CHANGE = toChange(EMPTY_TAGS_HASH);

/** A row as a problem that names its place in the spreadsheet. */
export function toRowProblem(job: RowJob, row: StateRow, message: string): Problem {
  const where = toRowPlace(job.source, row);
  return {
    message: where.line === undefined ? message : `row ${showKey(row.key)}: ${message}`,
    where,
  };
}

/** What the only code in a drawing says. */
async function readCode(svg: string): Promise<string | undefined> {
  const decoder = await loadDecoder();
  const { codes } = await readSvgCodes(decoder, new TextEncoder().encode(svg));
  const [code, another] = codes;
  return another === undefined ? code?.text : undefined;
}

/** Of pictures that are drawn here, since the server has the code as SVG only. */
const PNG_WIDTH_PX = 1000;

/** Writes a minute. In the first minute of a run without a limit, what it would come to. */
const toRate = ({ perMinute, allowedPerWindow }: ClassStats, seconds: number): number =>
  allowedPerWindow !== undefined || seconds >= 60 || seconds < 1
    ? perMinute
    : (perMinute * 60) / seconds;

class Sending {
  readonly #stage: SendStage;
  readonly #work: CodesAndFiles;
  /**
   * Made, but to be changed in this run: such a row counts after its last call, once, and its
   * picture is right only then.
   */
  readonly #unfinished = new Map<string, "created" | "adopted">();
  /** Codes that turned out to be as their rows want them. */
  #asWished = 0;

  constructor(stage: SendStage) {
    this.#stage = stage;
    const { state, clock, job } = stage;
    const startedMs = clock.monotonicMs();
    this.#work = new CodesAndFiles({
      ...stage,
      formats: job.output.files,
      folder: job.output.dir,
      answersPictures: stage.keysHonoured,
      draw: (svg) => rasterizeSvgToWidth(svg, PNG_WIDTH_PX),
      read: readCode,
      total: Math.min(
        state.count(PRESENT_UNSETTLED) + state.count(TO_CHANGE),
        stage.limit ?? Number.POSITIVE_INFINITY,
      ),
      seen: ({ created, adopted, changed, failures }, lostFiles) =>
        created + adopted + changed + this.#asWished + failures.size - lostFiles,
      toRate: (stats) => toRate(stats, (clock.monotonicMs() - startedMs) / 1000),
      describe: (row, message) => ({
        problem: toRowProblem(job, row, message),
        name: sayRow(job.source, row),
      }),
    });
  }

  run(): Promise<RunCounts> {
    const { state, job, clock, log, client, signal } = this.#stage;
    for (const { key } of rowsToFetch(state, job)) this.#work.fetch(key);
    const settings = toSettings(this.#stage);
    const events = this.#events();
    return this.#work.run(() =>
      runRows({ state, client, clock, log, signal, settings, events }, makers[job.kind]),
    );
  }

  #events(): RunEvents {
    const { log, on, state } = this.#stage;
    const { counts } = this.#work;
    return {
      done: (row, adopted) => {
        const how = adopted ? "adopted" : "created";
        log.info({ row: row.key, adopted }, "code made");
        if (state.is(row.key, TO_CHANGE)) this.#unfinished.set(row.key, how);
        else this.#finished(row, how);
      },
      wasThere: (row) => {
        log.info({ row: row.key }, "product was there already");
        state.found.note(row.key);
      },
      changed: (row, isSent) => {
        const how = this.#unfinished.get(row.key) ?? (isSent ? "changed" : undefined);
        if (how === undefined) {
          this.#asWished += 1;
          return;
        }
        log.info({ row: row.key }, "code changed");
        this.#finished(row, how);
        this.#unfinished.delete(row.key);
      },
      failed: (row, message) => {
        this.#unfinished.delete(row.key);
        this.#work.failed(row, message);
      },
      inDoubt: (row, message) => {
        counts.doubts += 1;
        log.warn({ row: row.key, message }, "create in doubt");
      },
      waiting: (message) => {
        log.info({ message }, "waiting");
        on({ type: "waiting", message });
      },
    };
  }

  #finished(row: StateRow, how: "created" | "adopted" | "changed"): void {
    this.#work.counts[how] += 1;
    const { state, job } = this.#stage;
    // Nothing is fetched for a job without files, and the files of a code stay when only its name,
    // destination or tags change.
    const isFetched = job.output.files.length > 0 && state.pictures.areMissing(row.key);
    if (isFetched) this.#work.fetch(row.key);
    this.#work.show();
  }
}

/** Makes what is left to make and fetches what is left to fetch. */
export async function sendRows(stage: SendStage): Promise<RunCounts> {
  return new Sending(stage).run();
}
