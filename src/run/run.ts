/**
 * Stage 3: the plan's rows become codes on the server, each exactly once. The state says at any
 * moment what is left, so a run is only ever "what is left".
 */
import { AppError } from "../base/errors.ts";
import type { CodeCreate } from "../api/code.ts";
import type { StateRow } from "../state/row.ts";
import { toCreateBody, toSentName, toSentWish } from "./body.ts";
import { changeRows } from "./change.ts";
import type { RunContext } from "./context.ts";
import { createRows } from "./create.ts";
import { ensureFolders } from "./folders.ts";
import { reconcile } from "./reconcile.ts";
import { Sender } from "./send.ts";
import { readTemplateIds } from "./templates.ts";

/** Rows that still want something of the server. */
const OPEN =
  "state IN ('pending', 'sending', 'doubt') OR (state = 'done' AND made_hash <> wanted_hash)";

/** Does what is left. Returns early, with the state in order, when the signal is aborted. */
export async function runRows(context: RunContext): Promise<void> {
  const { state, signal, settings } = context;
  state.journal.doubtAllSending();
  const open = (): Iterable<StateRow> => state.rows(OPEN);
  await ensureFolders(context, toFolders(open()));
  const templateId = await readTemplateIds(context, open());
  const sender = new Sender(context, (row) => makeBody(context, templateId, row));
  let left = settings.limit ?? Number.POSITIVE_INFINITY;
  for (;;) {
    left -= await createRows(context, sender, left);
    const looked = await reconcile(context, sender);
    if (signal.aborted || looked === 0 || left <= 0) break;
  }
  if (!signal.aborted) await changeRows(context);
}

function* toFolders(rows: Iterable<StateRow>): Iterable<string | null> {
  for (const row of rows) {
    yield row.wanted.folder;
    if (row.made !== null) yield row.made.folder;
  }
}

function makeBody(
  context: RunContext,
  templateId: (name: string) => string,
  row: StateRow,
): CodeCreate {
  const { state, settings } = context;
  // What changed since a row in doubt was sent comes afterwards, as an update.
  const ref = state.toRef(row.key, row.generation);
  return toCreateBody(
    { ...toSentWish(row), displayName: toSentName(row, settings.marker, ref) },
    {
      workspace: settings.workspace,
      templateId,
      folderId: (path) => {
        const id = state.folderId(path);
        if (id === undefined)
          throw new AppError("bug", `folder ${path} must exist before its codes`);
        return id;
      },
    },
  );
}
