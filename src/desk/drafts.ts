/** Keeps unsaved work of the desk, so that a closed tab loses nothing. */
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FOLDER, writeSmallFileAtomic } from "../base/files/atomic-file.ts";
import { sha256 } from "../base/ids/ids.ts";
import { makeFolder } from "../base/files/make-folder.ts";
import type { DeskContext } from "./context.ts";
import { DESK_DIR } from "./folder.ts";
import { toTexts } from "./jobs.ts";
import { sweepUploads } from "./screens/new/uploads.ts";

/** Names of fields with their values. */
type DraftForm = Readonly<Record<string, readonly string[]>>;

export interface DeskDraft {
  /** The screen on which it was begun. */
  readonly screen: "columns" | "label" | "mend";
  /** The spreadsheet of `columns`, the manifest of the others; relative to the folder. */
  readonly of: string;
  /** Its name for the person. */
  readonly name: string;
  readonly atMs: number;
  readonly form: DraftForm;
}

type Key = Pick<DeskDraft, "screen" | "of">;
type Place = Pick<DeskContext, "folder">;

const dirOf = ({ folder }: Place): string => path.join(folder, DESK_DIR, "drafts");

const fileOf = (desk: Place, { screen, of }: Key): string =>
  path.join(dirOf(desk), `${sha256(`${screen} ${of}`).slice(0, 32)}.json`);

async function readFrom(file: string): Promise<DeskDraft | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as DeskDraft;
  } catch {
    return undefined;
  }
}

/** The draft; undefined where there is none, or it was saved. */
export const readDraft = (desk: Place, key: Key): Promise<DeskDraft | undefined> =>
  readFrom(fileOf(desk, key));

/** Kept for as long as uploads are. */
export async function keepDraft(
  desk: Pick<DeskContext, "folder" | "clock">,
  draft: Omit<DeskDraft, "atMs">,
): Promise<void> {
  const atMs = desk.clock.nowMs();
  await makeFolder(dirOf(desk), PRIVATE_FOLDER);
  if (draft.screen === "columns") await sweepUploads(dirOf(desk), atMs);
  const text = JSON.stringify({ ...draft, atMs });
  writeSmallFileAtomic(fileOf(desk, draft), Buffer.from(text));
}

/** Forgets a draft that was saved or discarded. */
export const dropDraft = (desk: Place, key: Key): Promise<void> =>
  rm(fileOf(desk, key), { force: true });

/** All drafts of a screen, newest first. */
export async function listDrafts(
  desk: Place,
  screen: DeskDraft["screen"],
): Promise<readonly DeskDraft[]> {
  const names = await readdir(dirOf(desk)).catch(() => [] as string[]);
  const found = await Promise.all(names.map((name) => readFrom(path.join(dirOf(desk), name))));
  return found
    .filter((draft) => draft !== undefined)
    .filter((draft) => draft.screen === screen)
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** Forgets the drafts of that name in which nothing was chosen: what is sent now takes their place. */
export async function dropUntouched(
  desk: Place,
  { screen, name }: Pick<DeskDraft, "screen" | "name">,
): Promise<void> {
  for (const draft of await listDrafts(desk, screen)) {
    if (draft.name === name && Object.keys(draft.form).length === 0) await dropDraft(desk, draft);
  }
}

/** The fields of a form that a browser has sent, without files. */
export function toDraftForm(form: Readonly<Record<string, unknown>>): DraftForm {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, toTexts(value)]));
}
