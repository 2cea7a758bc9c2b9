import type { CodeUpdate } from "../api/code.ts";
import { AppError, toMessage } from "../base/errors.ts";
import { toSlug } from "../base/slug.ts";
import type { StateRow } from "../state/row.ts";
import { EMPTY_TAGS_HASH } from "../plan/hash.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";

/** Rows whose code is not what the spreadsheet and manifest want today. */
const CHANGED = `state = 'done' AND (made_hash <> wanted_hash OR made_design_hash <> design_hash
  OR coalesce(made_tags_hash, '${EMPTY_TAGS_HASH}') <> tags_hash)`;

function toUpdate(context: RunContext, row: StateRow): CodeUpdate {
  const { wanted, made } = row;
  const { folder } = wanted;
  const folderId = folder === null ? null : context.state.folderId(folder);
  return {
    ...(made?.displayName !== wanted.displayName && {
      display_name: toSentName(row, context.settings.marker),
    }),
    ...(made?.qrData !== wanted.qrData && wanted.qrData !== null && { qr_data: wanted.qrData }),
    ...(made?.gpsTracking !== wanted.gpsTracking && { gps_tracking: wanted.gpsTracking }),
    ...(made?.folder !== folder && folderId !== undefined && { folder: folderId }),
  };
}

async function updateContent(context: RunContext, row: StateRow, id: string): Promise<void> {
  const { client, state } = context;
  const patch = toUpdate(context, row);
  if (Object.keys(patch).length > 0) await client.updateCode(id, patch);
  const { design, tags } = row.made ?? row.wanted;
  state.journal.updated(row.key, { ...row.wanted, design, tags }, row.wantedHash);
}

async function updateDesign(context: RunContext, row: StateRow, id: string): Promise<void> {
  const { template: _template, ...design } = row.wanted.design;
  const code = await context.client.restyleCode(id, design);
  context.state.journal.restyled(row.key, row.designHash, code.svg ?? null);
}

async function updateTags(context: RunContext, row: StateRow, id: string): Promise<void> {
  const { client, state } = context;
  const gone = (row.madeTags ?? []).filter((tag) => !row.wanted.tags.includes(tag));
  for (const tag of gone) await client.removeTag(id, toSlug(tag));
  if (row.wanted.tags.length > 0) {
    await client.addTags(
      id,
      row.wanted.tags.map((title) => ({ title })),
    );
  }
  state.journal.tagged(row.key, row.tagsHash, row.wanted.tags);
}

async function changeRow(context: RunContext, row: StateRow): Promise<void> {
  const id = row.remoteId;
  if (id === null) return;
  if (row.madeHash !== row.wantedHash) await updateContent(context, row, id);
  if (row.madeDesignHash !== row.designHash) await updateDesign(context, row, id);
  if ((row.madeTagsHash ?? EMPTY_TAGS_HASH) !== row.tagsHash) await updateTags(context, row, id);
}

/** An error that concerns one row only; the others go on. */
const isRowError = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === "input" || error.kind === "missing");

/** Brings every finished code to what its row wants: content, design, tags. Repeats are harmless. */
export async function changeRows(context: RunContext): Promise<void> {
  const { state, events, signal, client } = context;
  const work = async (row: StateRow): Promise<void> => {
    try {
      await changeRow(context, row);
      events.changed(row);
    } catch (error) {
      if (!isRowError(error)) throw error;
      state.journal.stepFailed(row.key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
    }
  };
  await client.eachWrite(state.rows(CHANGED), work, { priority: "updates", signal });
}
