/** Keeps unsaved changes of label and sheet beside the job, so that a closed tab loses nothing. */
import type { DeskContext } from "../../context.ts";
import { dropDraft, keepDraft, readDraft, toDraftForm } from "../../drafts.ts";
import { makeDraft, type Draft, type Form } from "./draft.ts";
import { readManifest } from "./manifest-text.ts";

const keyOf = (manifest: string) => ({ screen: "label", of: manifest }) as const;

/** A save may have written them meanwhile: compares with the manifest on disk. */
const isSaved = async ({ folder }: DeskContext, { manifest, text }: Draft): Promise<boolean> =>
  (await readManifest(folder, manifest)).text === text;

/** Forgets changes that were saved or discarded. */
export const dropChanges = (desk: DeskContext, manifest: string): Promise<void> =>
  dropDraft(desk, keyOf(manifest));

/** Keeps the fields that differ from the manifest. */
export async function keepChanges(desk: DeskContext, form: Form, draft: Draft): Promise<void> {
  const { manifest } = draft;
  if (await isSaved(desk, draft)) return dropChanges(desk, manifest);
  const typed = toDraftForm({ ...form, ...draft.texts });
  return keepDraft(desk, { ...keyOf(manifest), name: manifest, form: typed });
}

/** The manifest with these changes in it; undefined where there are none. */
export async function readChanges(desk: DeskContext, manifest: string): Promise<Draft | undefined> {
  const kept = await readDraft(desk, keyOf(manifest));
  if (kept === undefined) return undefined;
  const pairs = Object.entries(kept.form).map(([name, [text = ""]]) => [name, text] as const);
  const draft = await makeDraft(desk, manifest, Object.fromEntries(pairs));
  return (await isSaved(desk, draft)) ? undefined : draft;
}
