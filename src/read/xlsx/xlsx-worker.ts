/**
 * Reads workbooks in a separate thread, so that a huge or hostile file can be stopped. Rows are
 * only answered after the whole sheet has been read and its checksum is right.
 */
import { parentPort, workerData } from "node:worker_threads";

import type { RawRow } from "../raw.ts";
import { openSheet, type SheetFacts, type SheetRequest } from "./xlsx-open.ts";
import { ZipFault } from "./zip-file.ts";

/** Answers of the thread: first `opened` or `fault`, then `rows` per request. */
export type WorkerAnswer =
  | { readonly type: "opened"; readonly facts: SheetFacts }
  | { readonly type: "fault"; readonly message: string; readonly hint: string }
  /** Rows from the requested position; `next` is the position after them, undefined at the end. */
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
