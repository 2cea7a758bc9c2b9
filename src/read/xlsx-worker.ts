/**
 * Reads workbooks in a thread of its own, so that a huge or hostile file can be stopped. No row is
 * given before the whole sheet has been read and its checksum holds.
 */
import { parentPort, workerData } from "node:worker_threads";

import type { RawRow } from "./raw.ts";
import { openSheet, type SheetFacts, type SheetRequest } from "./xlsx-open.ts";
import { ZipFault } from "./zip-file.ts";

/** What the thread answers: first `opened` or `fault`, then `rows` per request. */
export type WorkerAnswer =
  | { readonly type: "opened"; readonly facts: SheetFacts }
  | { readonly type: "fault"; readonly message: string; readonly hint: string }
  /** Rows from the position asked for; `next` is the position behind, undefined at the end. */
  | { readonly type: "rows"; readonly rows: readonly RawRow[]; readonly next: number | undefined };

const BATCH_ROWS = 1000;

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const answer = (message: WorkerAnswer): void => port.postMessage(message);
  try {
    const { facts, rows } = await openSheet(workerData as SheetRequest);
    port.on("message", (from: number) => {
      const end = from + BATCH_ROWS;
      const next = end < rows.length ? end : undefined;
      answer({ type: "rows", rows: rows.slice(from, end), next });
    });
    answer({ type: "opened", facts });
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    answer({ type: "fault", message: error.message, hint: error.hint });
  }
}

if (parentPort !== null) await serve(parentPort);
