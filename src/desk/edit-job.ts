/** Fields of a manifest, changed by a click; and the command that changes them likewise. */
import { toCommandLine } from "../base/text/shell-words.ts";
import { toSettingWords } from "../job/yaml/field-settings.ts";
import type { YamlEdit } from "../job/yaml/edit-yaml.ts";
import { editManifest } from "../pipeline/source/edit-manifest.ts";
import { toLenientPort } from "../service/embedded/lenient.ts";
import type { DeskContext } from "./context.ts";
import { resolveInside } from "./folder.ts";

/** The command that changes these fields. */
export const toSetCommand = (manifest: string, edits: readonly YamlEdit[]): string =>
  toCommandLine(["makeready", "set", manifest, ...toSettingWords(edits)]);

/** Of each desk: manifest -> the command of the last change. */
const lastEdits = new WeakMap<DeskContext, Map<string, string>>();

/** Keeps the command of a change, for the next pages. */
export function noteCommand(desk: DeskContext, manifest: string, command: string): void {
  const known = lastEdits.get(desk) ?? new Map<string, string>();
  known.set(manifest, command);
  lastEdits.set(desk, known);
}

export const noteEdits = (desk: DeskContext, manifest: string, edits: readonly YamlEdit[]): void =>
  noteCommand(desk, manifest, toSetCommand(manifest, edits));

/** The command of this desk's last change of a manifest; undefined before that. */
export const lastEdit = (desk: DeskContext, manifest: string): readonly string[] =>
  [lastEdits.get(desk)?.get(manifest)].flatMap((command) => command ?? []);

/** Throws `manifest-invalid` when a run would refuse the result; then nothing is written. */
export async function editJob(
  desk: DeskContext,
  manifest: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const file = await resolveInside(desk.folder, manifest);
  const server = toLenientPort(() => undefined);
  await editManifest(file, edits, { clock: desk.clock, server });
  noteEdits(desk, manifest, edits);
}
