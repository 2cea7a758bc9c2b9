/**
 * Stages 3 and 4 together: codes are made and their files fetched at the same time, so that
 * downloads never hold back creates.
 */
import type { Clock } from "../../base/clock.ts";
import type { Problem } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Client } from "../../client/client.ts";
import type { ClassStats } from "../../client/pace.ts";
import { ArtworkQueue } from "../../download/artwork-queue.ts";
import { downloadRows, hasArtwork } from "../../download/download.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import type { RunEvents, RunSettings } from "../../run/context.ts";
import { countCreateWrites } from "../../plan/writes.ts";
import { rasterizeSvg, rasterizeSvgToWidth } from "../../qr/raster.ts";
import { runRows } from "../../run/run.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { View } from "../view.ts";
import { loadDecoder } from "../../verify/decoder.ts";
import { makeCounts, type RunCounts } from "./counts.ts";
import { makers } from "./makers.ts";

export interface SendStage {
  readonly job: RowJob;
  readonly state: State;
  readonly client: Client;
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly view: View;
  readonly signal: AbortSignal;
  readonly limit: number | null;
  /** The server is known to honour `Idempotency-Key`. */
  readonly keysHonoured: boolean;
  readonly patienceMs: number | undefined;
  /** Rows of the plan that are good. */
  readonly rows: number;
}

function toSettings(stage: SendStage): RunSettings {
  const { run } = stage.job;
  return {
    workspace: stage.workspace,
    settleMs: run.settleMs,
    marker: run.marker,
    lateDoubles: run.lateDoubles,
    maxFailures:
      "count" in run.maxFailures
        ? run.maxFailures.count
        : Math.ceil(run.maxFailures.share * stage.rows),
    stopOnError: run.onRowError === "stop",
    limit: stage.limit,
    keysHonoured: stage.keysHonoured,
    patienceMs: stage.patienceMs,
  };
}

/** A row as a problem that names its place in the spreadsheet. */
export function toRowProblem(job: RowJob, row: StateRow, message: string): Problem {
  return {
    message: `row ${row.key}: ${message}`,
    where: { file: job.source.file, line: row.line },
  };
}

/** A form whose code comes when it is published. */
const isToCome = (state: State, { key, wanted }: StateRow): boolean =>
  wanted.form !== undefined && state.svg(key) === null;

/** Made by more than one call: it looks as it should after the last one, and is shown then. */
const isLonger = ({ wanted }: StateRow): boolean =>
  wanted.form !== undefined ||
  ((wanted.pdf !== undefined || wanted.page !== undefined) && countCreateWrites(wanted) > 1);

/** What the only code in a drawing says. */
async function readCode(svg: string): Promise<string | undefined> {
  const decoder = await loadDecoder();
  const [code, another] = await decoder.decode(await rasterizeSvg(svg));
  return another === undefined ? code?.text : undefined;
}

/** Of pictures that are drawn here, since the server has the code as SVG only. */
const PNG_WIDTH_PX = 1000;

class Sending {
  readonly #stage: SendStage;
  readonly #queue = new ArtworkQueue();
  readonly #total: number;
  readonly counts: RunCounts = makeCounts();
  /** Made in this run by a create that is followed by more calls: no change of what was there. */
  readonly #unfinished = new Set<string>();
  #lastFailure: string | undefined;
  #toFetch = 0;
  /** Files that could not be fetched. */
  #lostFiles = 0;
  #wantsFiles = true;
  readonly #startedMs: number;

  constructor(stage: SendStage) {
    this.#stage = stage;
    const { state, clock } = stage;
    this.#startedMs = clock.monotonicMs();
    this.#total = state.count(
      "presence = 'present' AND state NOT IN ('done', 'failed', 'conflict')",
    );
  }

  async run(): Promise<RunCounts> {
    const { state, job, clock, log, client, signal } = this.#stage;
    const formats = job.output.files;
    this.#wantsFiles = formats.length > 0;
    for (const row of state.rows("state = 'done'")) {
      if (!hasArtwork(row, job.output.dir, formats) && !isToCome(state, row)) this.#push(row.key);
    }
    const downloads = downloadRows(
      {
        state,
        client,
        clock,
        signal,
        formats,
        draw: (svg) => rasterizeSvgToWidth(svg, PNG_WIDTH_PX),
        read: readCode,
        folder: job.output.dir,
        events: {
          fetched: () => {
            this.counts.fetched += 1;
            this.#show();
          },
          failed: (row, message) => {
            this.#lostFiles += 1;
            this.#failed(row, message);
          },
        },
      },
      this.#queue,
    );
    // Its error is thrown below; until then it must not count as unhandled.
    downloads.catch(() => undefined);
    const settings = toSettings(this.#stage);
    const events = this.#events();
    try {
      await runRows({ state, client, clock, log, signal, settings, events }, makers[job.kind]);
    } catch (error) {
      this.#queue.close(true);
      await downloads.catch(() => undefined);
      throw error;
    }
    this.#queue.close();
    await downloads;
    this.#stage.view.stageEnd();
    return this.counts;
  }

  #events(): RunEvents {
    const { log, view } = this.#stage;
    return {
      done: (row, adopted) => {
        if (adopted) this.counts.adopted += 1;
        else this.counts.created += 1;
        log.info({ row: row.key, adopted }, "code made");
        if (isLonger(row)) this.#unfinished.add(row.key);
        else this.#fetch(row.key);
        this.#show();
      },
      changed: (row) => {
        if (!this.#unfinished.delete(row.key)) this.counts.changed += 1;
        log.info({ row: row.key }, "code changed");
        this.#fetch(row.key);
        this.#show();
      },
      failed: (row, message) => this.#failed(row, message),
      inDoubt: (row, message) => {
        this.counts.doubts += 1;
        log.warn({ row: row.key, message }, "create in doubt");
      },
      waiting: (message) => {
        log.info({ message }, "waiting");
        view.waiting(message);
      },
    };
  }

  /** Writes a minute. In the first minute of a run without a limit, what it would come to. */
  #toRate({ perMinute, allowedPerWindow }: ClassStats): number {
    const seconds = (this.#stage.clock.monotonicMs() - this.#startedMs) / 1000;
    return allowedPerWindow !== undefined || seconds >= 60 || seconds < 1
      ? perMinute
      : (perMinute * 60) / seconds;
  }

  /** Without files nothing is fetched of a code that was made just now. */
  #fetch(key: string): void {
    if (this.#wantsFiles) this.#push(key);
  }

  #push(key: string): void {
    this.#toFetch += 1;
    this.#queue.push(key);
  }

  #failed(row: StateRow, message: string): void {
    const { job, log, view } = this.#stage;
    const problem = toRowProblem(job, row, message);
    this.counts.failures.set(row.key, problem);
    this.#lastFailure = `line ${row.line}: ${message}`;
    log.error({ row: row.key, line: row.line, message }, "row failed");
    view.row(problem);
    this.#show();
  }

  #show(): void {
    const { view, client } = this.#stage;
    const { created, adopted, failures, fetched } = this.counts;
    const lastFailure = this.#lastFailure;
    const done = Math.min(this.#total, created + adopted + failures.size);
    if (done < this.#total || this.#toFetch === 0) {
      const { write } = client.stats();
      const pace = { writesPerMinute: this.#toRate(write), writeLimit: write.allowedPerWindow };
      const failed = failures.size;
      view.progress({ stage: "codes", done, total: this.#total, failed, lastFailure, ...pace });
      return;
    }
    const [files, lost] = [this.#toFetch, this.#lostFiles];
    const noPace = { writesPerMinute: undefined, writeLimit: undefined };
    const shared = { failed: lost, lastFailure, ...noPace };
    view.progress({ stage: "files", done: fetched + lost, total: files, ...shared });
  }
}

/** Makes what is left to make and fetches what is left to fetch. */
export async function sendRows(stage: SendStage): Promise<RunCounts> {
  return new Sending(stage).run();
}
