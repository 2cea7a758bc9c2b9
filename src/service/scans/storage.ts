/** Where scans go: into the store, later into packs; in this thread or in a separate one. */
import { randomUUID } from "node:crypto";

import type { Clock } from "../../base/time/clock.ts";
import type { Rows, Store } from "../store/store.ts";
import type { Note } from "./note.ts";
import type { Places } from "./places.ts";
import { RollUp, type RollUpLog } from "./roll-up.ts";
import { makeScanWriter, type Outbox } from "./save-scans.ts";

export interface ScanStorage {
  /** Stores the whole batch or, when it rejects, nothing. */
  readonly save: (batch: readonly Note[]) => Promise<void>;
  /** Announces that a deleted code may have left scans behind. */
  readonly poke: () => void;
  /** Rolls up what is stored, without waiting for a quiet moment. */
  readonly rollUp: () => Promise<void>;
  /** Finishes the current work; the rest waits in the store. */
  readonly close: () => Promise<void>;
}

export interface StorageParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: RollUpLog;
  readonly places: Places;
  readonly outbox: Outbox;
  /** Key of the scanner hash. */
  readonly key: string;
  /** A second connection to the store, for long steps. */
  readonly reader?: Rows | undefined;
  /** Key of `meta` that holds the mark. */
  readonly markKey?: string | undefined;
}

const SET_MARK = `
  INSERT INTO meta (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const FIND_MARK = "SELECT 1 FROM meta WHERE key = ? AND value = ?";
/** One mark for the process that serves a data folder; each process on one database has its own. */
const MARK = "stored_scans";

/** Whether a batch was stored under this mark; asked when its answer was lost. */
export const isStored = async (rows: Rows, mark: string, key: string = MARK): Promise<boolean> =>
  (await rows.get(FIND_MARK, key, mark)) !== undefined;

/** The part of a batch that is still to be stored; called inside the transaction. */
type Leave = (rows: Rows) => Promise<readonly Note[]>;

/** Stores in this thread. `save` stores the mark, if given, together with the batch. */
export function makeStorage(parts: StorageParts): Omit<ScanStorage, "save"> & {
  readonly save: (batch: readonly Note[], mark?: string, leave?: Leave) => Promise<void>;
} {
  const { store, clock, log } = parts;
  const writer = makeScanWriter(parts);
  const rollUp = new RollUp({ store, clock, log, reader: parts.reader });
  // Continues with what an earlier run left.
  rollUp.poke(0);
  return {
    async save(batch, mark, leave) {
      try {
        await store.write(async (_tx, rows) => {
          await writer.save(rows, leave === undefined ? batch : await leave(rows));
          if (mark !== undefined) await rows.run(SET_MARK, parts.markKey ?? MARK, mark);
        }, "normal");
      } catch (error) {
        writer.forget();
        throw error;
      }
      rollUp.poke(batch.length);
    },
    poke: () => rollUp.poke(0),
    rollUp: () => rollUp.run(),
    close: () => rollUp.close(),
  };
}

/** Marks of processes that ended unexpectedly are deleted after this time. */
const FORGET_MS = 7 * 86_400_000;
const FORGET = `DELETE FROM meta WHERE key LIKE '${MARK} %' AND key < ?`;

/** A batch that may or may not be committed: its answer was lost. */
interface Unsure {
  readonly mark: string;
  readonly ids: ReadonlySet<string>;
}

/**
 * The same for a store that others share over a network. When the answer to a commit was lost, the
 * next batch first looks up whether it was stored, so that no scan is counted twice. It looks inside
 * its own transaction: before that, the lost commit may still be under way.
 */
export function makeSharedStorage(parts: Omit<StorageParts, "markKey">): ScanStorage {
  const { store, clock } = parts;
  // Times of 13 digits sort like texts.
  const markKey = `${MARK} ${clock.nowMs()} ${randomUUID()}`;
  const storage = makeStorage({ ...parts, markKey });
  let batches = 0;
  let unsure: readonly Unsure[] = [];
  const old = `${MARK} ${Math.max(0, clock.nowMs() - FORGET_MS)}`;
  store.write((_tx, rows) => rows.run(FORGET, old), "normal").catch(() => {});

  return {
    ...storage,
    async save(batch) {
      const mark = String((batches += 1));
      let stored: Unsure[] | undefined;
      try {
        await storage.save(batch, mark, async (rows) => {
          stored = [];
          for (const one of unsure) if (await isStored(rows, one.mark, markKey)) stored.push(one);
          return batch.filter(({ id }) => !stored?.some(({ ids }) => ids.has(id)));
        });
        unsure = [];
      } catch (error) {
        // Without `stored`, the transaction did not get far enough to be committed.
        if (stored !== undefined)
          unsure = [...stored, { mark, ids: new Set(batch.map(({ id }) => id)) }];
        throw error;
      }
    },
  };
}
