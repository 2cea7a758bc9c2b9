import { setImmediate as nextTurn } from "node:timers/promises";

import { type PressWarning, PressTally } from "../../base/shapes/press-warning.ts";
import type { RepeatedRecord } from "../layout/repeat-records.ts";
import { readServerCode, type ServerCode } from "./server-code.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import type { SheetJob, SheetRecord } from "../sheet-job.ts";

/** Rows whose codes are drawn from their text after all, by the reason for it. */
interface Redrawn {
  readonly first: string;
  readonly rows: Set<string>;
}

/** The codes of a job as their server drew them, and warnings about those that can't be printed so. */
export class Drawings {
  readonly #job: SheetJob;
  readonly #redrawn = new Map<string, Redrawn>();

  constructor(job: SheetJob) {
    this.#job = job;
  }

  /** Codes by key; none for a job that draws its own. Throws the reason of the signal. */
  async readAll(
    records: readonly RepeatedRecord<SheetRecord>[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, ServerCode>> {
    const codes = new Map<string, ServerCode>();
    const { drawingInks: inks } = this.#job;
    if (inks === undefined) return codes;
    const decoder = await loadDecoder();
    const seen = new Set<string>();
    for (const { record } of records) {
      const { key } = record;
      if (seen.has(key)) continue;
      seen.add(key);
      await nextTurn();
      signal?.throwIfAborted();
      const { svg, payload, level } = record;
      const read =
        svg === undefined
          ? { reason: "is not there" }
          : await readServerCode(svg, { payload, level, inks, signal }, decoder);
      if ("reason" in read) this.#note(record, read.reason);
      else codes.set(key, read);
    }
    return codes;
  }

  warnings(): string[] {
    return Array.from(this.#redrawn, ([reason, { first, rows }]) => {
      const which = rows.size === 1 ? `row ${first}` : `${rows.size} rows, first ${first}`;
      return `codes are drawn from their text, since the server's drawing ${reason} (${which})`;
    });
  }

  /** The same as data. */
  press(): PressWarning[] {
    const press = new PressTally();
    for (const [reason, { rows }] of this.#redrawn)
      for (const row of rows) press.add("codes-redrawn", row, [reason]);
    return press.list();
  }

  #note({ key }: SheetRecord, reason: string): void {
    const known = this.#redrawn.get(reason);
    if (known === undefined) this.#redrawn.set(reason, { first: key, rows: new Set([key]) });
    else known.rows.add(key);
  }
}
