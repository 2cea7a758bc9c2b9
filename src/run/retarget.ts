/**
 * Codes and short links that exist get another destination, name, folder or tags. Updates set
 * values, so repeating one is harmless; what was there before is on the disk before it is sent.
 */
import { toMessage } from "../base/errors.ts";
import { isNoChange, type PlannedTarget } from "../plan/retarget.ts";
import type { Fields } from "../state/change-log.ts";
import type { StateRow } from "../state/row.ts";
import type { FoundCode } from "./catalog.ts";
import { ensureFolders } from "./folders.ts";
import { isRowError } from "./change.ts";
import type { ChangeContext } from "./redesign.ts";
import { TO_UPDATE } from "../state/which-rows.ts";

export interface RetargetContext extends ChangeContext {
  /** The code of a row, as the list showed it, and what the row wants of it. */
  readonly targetOf: (row: StateRow) => (PlannedTarget & { readonly code: FoundCode }) | undefined;
  /** Why a destination is no good; undefined when it is. */
  readonly probe: ((url: string) => Promise<string | undefined>) | undefined;
  /** At most this many codes. */
  readonly limit: number | null;
}

type Target = PlannedTarget & { readonly code: FoundCode };

/**
 * The body of the update, in the words of codes or of short links
 * (docs/spec/api.md sections 4.1 and 4.5).
 */
function toBody({ code, change }: Target, folderId: (path: string) => string | undefined): Fields {
  const { qr_data: data, display_name: name, folder } = change.fields;
  if (code.isLink) {
    return {
      ...(data !== undefined && { link: data }),
      ...(name !== undefined && { display_name: name }),
    };
  }
  return {
    ...(data !== undefined && { qr_data: data }),
    ...(name !== undefined && { display_name: name }),
    ...(folder !== undefined && { folder: folderId(folder) ?? null }),
  };
}

/** What the fields of a body hold now. */
function toBefore({ code }: Target, body: Fields): Fields {
  const now: Fields = {
    qr_data: code.destination,
    link: code.destination,
    display_name: code.name,
    folder: code.folder?.id ?? null,
  };
  return Object.fromEntries(Object.keys(body).map((field) => [field, now[field]]));
}

async function sendTarget(context: RetargetContext, target: Target): Promise<void> {
  const { client, state, changes, now } = context;
  const { code, change } = target;
  const body = toBody(target, (path) => state.folderId(path));
  const { tags } = change;
  const after = { ...body, ...(tags.length > 0 && { tags }) };
  changes?.begin(
    {
      key: code.id,
      remoteId: code.id,
      isLink: code.isLink,
      name: code.name,
      before: toBefore(target, body),
      after,
    },
    now(),
  );
  if (Object.keys(body).length > 0) {
    if (code.isLink) await client.updateLink(code.id, body);
    else await client.updateCode(code.id, body);
    // It leads elsewhere now, even if its tags are refused.
    changes?.applied(code.id, {});
  }
  if (tags.length > 0)
    await client.addTags(
      code.id,
      tags.map((title) => ({ title })),
    );
  changes?.applied(code.id, {});
}

/**
 * Changes every row's code that is not as the row wants it. A row's failure is reported, not
 * thrown.
 */
export async function retargetRows(context: RetargetContext): Promise<void> {
  const { state, client, events, signal, probe, targetOf, changes } = context;
  let left = context.limit ?? Number.POSITIVE_INFINITY;
  const fail = (row: StateRow, message: string): void => {
    changes?.dropped(row.key);
    state.selected.changeFailed(row.key, { message });
    events.failed(row, message);
  };
  const work = async (row: StateRow): Promise<void> => {
    const target = targetOf(row);
    if (target === undefined || isNoChange(target.change) || left <= 0) return;
    left -= 1;
    const { qr_data: url } = target.change.fields;
    const fault = url === undefined ? undefined : await probe?.(url);
    if (fault !== undefined) {
      fail(row, `the new destination ${fault}`);
      return;
    }
    try {
      await sendTarget(context, target);
      state.selected.changeDone(row.key);
      events.changed(row);
    } catch (error) {
      if (!isRowError(error)) throw error;
      fail(row, toMessage(error));
    }
  };
  await ensureFolders({ state, client, signal }, toFolders(state.rows(TO_UPDATE), targetOf));
  await client.eachWrite(state.rows(TO_UPDATE), work, { priority: "updates", signal });
}

function* toFolders(
  rows: Iterable<StateRow>,
  targetOf: RetargetContext["targetOf"],
): Iterable<string | null> {
  for (const row of rows) yield targetOf(row)?.change.fields.folder ?? null;
}
