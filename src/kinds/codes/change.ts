/** Brings codes that exist to what their rows want: content, design, tags. Repeats are harmless. */
import { readFile } from "node:fs/promises";

import type { CodeUpdate } from "../../api/code.ts";
import { AppError } from "../../base/errors.ts";
import { toLevel } from "../../api/design.ts";
import { toSlug } from "../../base/text/slug.ts";
import { EMPTY_TAGS_HASH } from "../../plan/hash.ts";
import { diffTags } from "../../plan/writes.ts";
import { needsTemplateLogo, toLogoMark, toRestyle, type DesignFields } from "../../plan/restyle.ts";
import type { StateRow, Wanted } from "../../state/row.ts";
import { toSentName } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import { toLogoImage } from "../../qr/png/logo-file.ts";
import { recallLogo } from "../../run/logo-places.ts";
import type { Ids } from "../../run/templates.ts";

/** Where a scan of the code leads, where that can be set: for GS1 codes the default of their product. */
const toDestination = ({ qrData, gs1Product }: Wanted): string | null =>
  qrData ?? gs1Product?.["destination_url"] ?? null;

function toUpdate(env: RunEnvironment, row: StateRow): CodeUpdate {
  const { wanted, made } = row;
  const { folder } = wanted;
  const folderId = folder === null ? null : env.state.folderId(folder);
  const destination = toDestination(wanted);
  const isMoved = made === null || toDestination(made) !== destination;
  return {
    ...(made?.displayName !== wanted.displayName && {
      display_name: toSentName(row, env.settings.marker),
    }),
    ...(isMoved && destination !== null && { qr_data: destination }),
    ...(made?.gpsTracking !== wanted.gpsTracking && { gps_tracking: wanted.gpsTracking }),
    ...(made?.folder !== folder && folderId !== undefined && { folder: folderId }),
  };
}

/** True when anything was sent. */
async function updateContent(env: RunEnvironment, row: StateRow, id: string): Promise<boolean> {
  const patch = toUpdate(env, row);
  const isSent = Object.keys(patch).length > 0;
  if (isSent) await env.client.updateCode(id, patch);
  const { design, tags, pdf } = row.made ?? row.wanted;
  // A hosted PDF stays as it was made.
  const hosted = pdf === undefined ? {} : { pdf };
  env.state.journal.updated(row.key, { ...row.wanted, design, tags, ...hosted }, row.wantedHash);
  return isSent;
}

/** The body of the update that gives a code the design that its row wants. */
function toPatch({ templates }: Ids, row: StateRow): DesignFields {
  const wanted = row.wanted.design;
  const { template: name } = wanted;
  const template = name === undefined ? undefined : templates.find(String(name));
  const design = { before: row.made?.design ?? {}, wanted, template };
  if (!needsTemplateLogo(design)) return toRestyle(design);
  throw new AppError(
    "design-invalid",
    `the logo of the template "${String(name)}" can't be given to a code that exists: the API doesn't give it out`,
    { hint: "name the image in code.design.logo_url, or give the row a new key" },
  );
}

/** The image itself for the mark that stands for it. */
async function withLogo({ state }: RunEnvironment, patch: DesignFields): Promise<DesignFields> {
  const { logo_file: mark, ...design } = patch;
  if (typeof mark !== "string") return patch;
  const file = recallLogo(state, mark);
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (bytes === undefined || toLogoMark(bytes) !== mark) {
    throw new AppError("row-invalid", `logo_file must stay as it was planned, got ${file}`, {
      hint: "run the same command again",
    });
  }
  return {
    error_correction: toLevel({ design: patch }),
    ...design,
    logo_base64: Buffer.from(await toLogoImage(bytes)).toString("base64"),
  };
}

async function updateDesign(
  env: RunEnvironment,
  ids: Ids,
  row: StateRow,
  id: string,
): Promise<void> {
  const code = await env.client.restyleCode(id, await withLogo(env, toPatch(ids, row)));
  const { designHash: hash, wanted } = row;
  env.state.journal.restyled(row.key, { hash, design: wanted.design, svg: code.svg ?? null });
}

async function updateTags(env: RunEnvironment, row: StateRow, id: string): Promise<void> {
  const { client, state } = env;
  const { gone, isAnyNew } = diffTags(row.madeTags, row.wanted.tags);
  for (const tag of gone) await client.removeTag(id, toSlug(tag));
  if (isAnyNew) {
    await client.addTags(
      id,
      row.wanted.tags.map((title) => ({ title })),
    );
  }
  state.journal.tagged(row.key, row.tagsHash, row.wanted.tags);
}

/** True when anything was sent. `id`: that of the code. */
export async function changeCode(
  env: RunEnvironment,
  ids: Ids,
  row: StateRow,
  id: string,
): Promise<boolean> {
  const isRestyled = row.madeDesignHash !== row.designHash;
  const isRetagged = (row.madeTagsHash ?? EMPTY_TAGS_HASH) !== row.tagsHash;
  const isSent = row.madeHash !== row.wantedHash && (await updateContent(env, row, id));
  if (isRestyled) await updateDesign(env, ids, row, id);
  if (isRetagged) await updateTags(env, row, id);
  return isSent || isRestyled || isRetagged;
}
