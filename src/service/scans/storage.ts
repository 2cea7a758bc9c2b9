/** Where scans go: into the store, and later into packs; in this thread, or in one of their own. */
import type { Clock } from "../../base/clock.ts";
import type { Rows, Store } from "../store/store.ts";
import type { Note } from "./note.ts";
import type { Places } from "./places.ts";
import { RollUp, type RollUpLog } from "./roll-up.ts";
import { makeScanWriter, type Outbox } from "./save-scans.ts";

export interface ScanStorage {
  /** Stores all of the batch or, rejected, nothing. */
  readonly save: (batch: readonly Note[]) => Promise<void>;
  /** Tells that a deleted code may have left scans behind. */
  readonly poke: () => void;
  /** Rolls up what is stored, without waiting for a quiet moment. */
  readonly rollUp: () => Promise<void>;
  /** Ends what is under way; the rest waits in the store. */
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
  /** A second connection to the store, for whoever has the time for long steps. */
  readonly reader?: Rows | undefined;
}

const SET_MARK = `
  INSERT INTO meta (key, value) VALUES ('stored_scans', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const FIND_MARK = "SELECT 1 FROM meta WHERE key = 'stored_scans' AND value = ?";

/** Whether a batch was stored under this mark; asked by those who never learned. */
export const isStored = async ({ rows }: Store, mark: string): Promise<boolean> =>
  (await rows.get(FIND_MARK, mark)) !== undefined;

/** Stores in this thread. `save` keeps the mark, if given, together with the batch. */
export function makeStorage(parts: StorageParts): Omit<ScanStorage, "save"> & {
  readonly save: (batch: readonly Note[], mark?: string) => Promise<void>;
} {
  const { store, clock, log } = parts;
  const writer = makeScanWriter(parts);
  const rollUp = new RollUp({ store, clock, log, reader: parts.reader });
  // What an earlier run left behind.
  rollUp.poke(0);
  return {
    async save(batch, mark) {
      try {
        await store.write(async (_tx, rows) => {
          await writer.save(rows, batch);
          if (mark !== undefined) await rows.run(SET_MARK, mark);
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
