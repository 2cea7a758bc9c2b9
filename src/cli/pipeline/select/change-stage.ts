/** Codes are changed and files fetched at the same time, with one progress. */
import { ArtworkQueue } from "../../../download/artwork-queue.ts";
import { downloadRows, hasArtwork, type ArtworkFormat } from "../../../download/download.ts";
import type { Client } from "../../../client/client.ts";
import type { StateRow } from "../../../state/row.ts";
import { makeCounts, type RunCounts } from "../counts.ts";
import type { ChangeEvents } from "../../../run/redesign.ts";
import type { SelectParts } from "./open-select.ts";

export interface ChangeStage {
  readonly parts: SelectParts;
  readonly client: Client;
  readonly formats: readonly ArtworkFormat[];
  /** Rows whose files are wanted before anything is changed: SQL over the columns of `rows`. */
  readonly settled: string;
  /** Rows that are to be changed, for the progress. */
  readonly toChange: number;
}

class Changing {
  readonly #stage: ChangeStage;
  readonly #queue = new ArtworkQueue();
  readonly counts: RunCounts = makeCounts();
  #lastFailure: string | undefined;
  #toFetch = 0;
  /** Files that could not be fetched. */
  #lostFiles = 0;
  #seen = 0;

  constructor(stage: ChangeStage) {
    this.#stage = stage;
  }

  async run(change: (events: ChangeEvents) => Promise<void>): Promise<RunCounts> {
    const { parts, client, formats, settled } = this.#stage;
    const { state, folders, context, view } = parts;
    for (const row of state.rows(settled)) {
      if (!hasArtwork(row, folders.output, formats)) this.#fetch(row.key);
    }
    const downloads = downloadRows(
      {
        state,
        client,
        clock: context.clock,
        signal: context.signal,
        formats,
        folder: folders.output,
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
    downloads.catch(() => undefined);
    try {
      await change(this.#events());
    } catch (error) {
      this.#queue.close(true);
      await downloads.catch(() => undefined);
      throw error;
    }
    this.#queue.close();
    await downloads;
    view.stageEnd();
    return this.counts;
  }

  #events(): ChangeEvents {
    const { log } = this.#stage.parts;
    return {
      changed: (row) => {
        this.counts.changed += 1;
        this.#seen += 1;
        log.info({ row: row.key }, "code changed");
        this.#fetch(row.key);
        this.#show();
      },
      unchanged: (row) => {
        this.#seen += 1;
        this.#fetch(row.key);
        this.#show();
      },
      failed: (row, message) => {
        this.#seen += 1;
        this.#failed(row, message);
      },
    };
  }

  #fetch(key: string): void {
    this.#toFetch += 1;
    this.#queue.push(key);
  }

  #failed(row: StateRow, message: string): void {
    const { log, view } = this.#stage.parts;
    const name = row.wanted.displayName === "" ? row.key : row.wanted.displayName;
    const problem = { message: `${name} (${row.key}): ${message}` };
    this.counts.failures.set(row.key, problem);
    this.#lastFailure = `${name}: ${message}`;
    log.error({ row: row.key, message }, "row failed");
    view.row(problem);
    this.#show();
  }

  #show(): void {
    const { parts, client, toChange } = this.#stage;
    const { failures, fetched } = this.counts;
    const lastFailure = this.#lastFailure;
    if (this.#seen < toChange || this.#toFetch === 0) {
      const { write } = client.stats();
      parts.view.progress({
        stage: "codes",
        done: this.#seen,
        total: toChange,
        writesPerMinute: write.perMinute,
        writeLimit: write.allowedPerWindow,
        failed: failures.size,
        lastFailure,
      });
      return;
    }
    parts.view.progress({
      stage: "files",
      done: fetched + this.#lostFiles,
      total: this.#toFetch,
      writesPerMinute: undefined,
      writeLimit: undefined,
      failed: this.#lostFiles,
      lastFailure,
    });
  }
}

/** Runs `change` and fetches the files of every row that has none of today. */
export function changeAndFetch(
  stage: ChangeStage,
  change: (events: ChangeEvents) => Promise<void>,
): Promise<RunCounts> {
  return new Changing(stage).run(change);
}
