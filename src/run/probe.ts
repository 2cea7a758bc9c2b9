/**
 * What a server that knows no keys is asked after the first create: does its list show the code
 * under the name and data that were sent, and how soon? The lane finds lost codes by nothing else.
 */
import type { CodeItem } from "../api/code.ts";
import { AppError } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import { fillItem } from "./fill.ts";
import { toItemMatchKey, toRowMatchKey } from "./match.ts";
import { LIST_LAG } from "./settle.ts";

/** Waits between looks at the list; a code that is not there after all of them is very late. */
const WAITS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];
const VERY_LATE_MS = 60_000;

/** Measures the list by a code that was made just now. Throws `answer-unusable` when it is changed. */
export async function probeList(context: RunContext, row: StateRow): Promise<void> {
  const { clock, state, signal, events } = context;
  const startMs = clock.monotonicMs();
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    if (signal.aborted) return;
    const item = await findItem(context, row.remoteId);
    if (item === undefined) continue;
    checkEcho(context, row, item);
    const lagMs = waitMs === 0 ? 0 : Math.ceil(clock.monotonicMs() - startMs);
    state.setMeta(LIST_LAG, String(lagMs));
    return;
  }
  state.setMeta(LIST_LAG, String(VERY_LATE_MS));
  events.waiting(
    "the server's list doesn't show a code that was just made; creates whose answer is lost are left to settle for longer",
  );
}

async function findItem(context: RunContext, id: string | null): Promise<CodeItem | undefined> {
  const { maker } = context;
  const { results } = await maker.list({ page: 1, page_size: maker.pageSize });
  const item = results.find((one) => one.id === id);
  return item && fillItem(context, item);
}

/** A code that the list shows changed could never be found again: better stop at the first. */
function checkEcho(context: RunContext, row: StateRow, item: CodeItem): void {
  const wanted = row.made ?? row.wanted;
  const folderId = wanted.folder === null ? null : (context.state.folderId(wanted.folder) ?? null);
  const name = toSentName({ ...row, state: "doubt" }, context.settings.marker);
  if (toRowMatchKey(wanted, name, folderId) === toItemMatchKey(item)) return;
  const sent = {
    display_name: name,
    qr_data: wanted.qrData,
    qr_type: wanted.type,
    folder: folderId,
  };
  const shown = {
    display_name: item.display_name,
    qr_data: item.qr_data,
    qr_type: item.qr_type,
    folder: item.folder?.id ?? null,
  };
  throw new AppError(
    "answer-unusable",
    `the server must list a code as it was sent, got ${JSON.stringify(shown)} for ${JSON.stringify(sent)}`,
    {
      hint: "shorten or simplify code.display_name and the data; stopped after one code, since a lost answer could never be cleared up",
    },
  );
}
