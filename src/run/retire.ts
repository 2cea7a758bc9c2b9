/**
 * Codes of rows that vanished are filed away or deleted. Both may be repeated at will; what stood
 * before is on the disk before anything is sent, so that a killed run goes on and `undo` knows it.
 */
import { AppError, toMessage } from "../base/errors.ts";
import type { Client } from "../client/client.ts";
import type { ChangeLog } from "../state/change-log.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import { isRowError } from "./change.ts";

export interface RetireEvents {
  retired(row: StateRow): void;
  /** Somebody else had deleted the code before. */
  wasGone(row: StateRow): void;
  failed(row: StateRow, message: string): void;
}

export interface RetireContext {
  readonly state: State;
  readonly client: Client;
  readonly changes: ChangeLog;
  /** Id of a row's code; undefined where it has none. */
  readonly toId: (row: StateRow) => string | undefined;
  /** ISO. */
  readonly now: () => string;
  readonly events: RetireEvents;
  readonly signal: AbortSignal;
}

type Retire = (row: StateRow, id: string) => Promise<"retired" | "gone">;

async function eachRow(
  { client, toId, events, signal, changes }: RetireContext,
  rows: readonly StateRow[],
  retire: Retire,
): Promise<void> {
  const work = async (row: StateRow): Promise<void> => {
    const id = toId(row);
    if (id === undefined) return events.failed(row, "it has no code of its own");
    try {
      const how = await retire(row, id);
      if (how === "gone") events.wasGone(row);
      else events.retired(row);
    } catch (error) {
      if (!isRowError(error)) throw error;
      changes.dropped(row.key);
      events.failed(row, toMessage(error));
    }
  };
  await client.eachWrite(rows, work, { priority: "updates", signal });
}

const isGone = (error: unknown): boolean => error instanceof AppError && error.code === "not-found";

/** Where a filed code lies. */
export interface FiledIn {
  readonly id: string;
  readonly path: string;
}

/** Moves the codes into a folder. One that was deleted meanwhile is forgotten. */
export async function fileCodes(
  context: RetireContext,
  rows: readonly StateRow[],
  folder: FiledIn,
): Promise<void> {
  const { state, client, changes, now } = context;
  await eachRow(context, rows, async (row, id) => {
    const code = await client.getCode(id).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
    if (code === undefined) {
      state.retired.deleted(row.key, now());
      return "gone";
    }
    const { displayName: name } = row.made ?? row.wanted;
    const before = { folder: code.folder?.id ?? null };
    const after = { folder: folder.id, made_hash: row.madeHash };
    changes.begin({ key: row.key, remoteId: id, isLink: false, name, before, after }, now());
    if (before.folder !== folder.id) await client.updateCode(id, { folder: folder.id });
    changes.applied(row.key, {});
    state.retired.filed(row.key, folder.path);
    return "retired";
  });
}

export interface Deleting {
  /** False when the code was gone. */
  readonly remove: (id: string) => Promise<boolean>;
  /** Takes the row's pictures away. */
  readonly sweep: (row: StateRow) => Promise<void>;
}

/** Deletes the codes and their pictures. */
export async function deleteCodes(
  context: RetireContext,
  rows: readonly StateRow[],
  { remove, sweep }: Deleting,
): Promise<void> {
  const { state, changes, now } = context;
  await eachRow(context, rows, async (row, id) => {
    const { displayName: name } = row.made ?? row.wanted;
    const after = { deleted: true };
    // A start that was killed may have deleted it.
    const wasBegun = changes.begun(row.key)?.after["deleted"] === true;
    changes.begin({ key: row.key, remoteId: id, isLink: false, name, before: null, after }, now());
    const wasThere = await remove(id);
    await sweep(row);
    changes.applied(row.key, {});
    state.retired.deleted(row.key, now());
    return wasThere || wasBegun ? "retired" : "gone";
  });
}
