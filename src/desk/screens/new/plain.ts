/** Jobs without a spreadsheet: over codes that exist, a single form, the PDFs of a folder. */
import { readdir } from "node:fs/promises";
import path from "node:path";

import { writeNewFileAtomic } from "../../../base/files/atomic-file.ts";
import { badUsage } from "../../../base/errors.ts";
import { toCommandLine } from "../../../base/text/shell-words.ts";
import { draftJob } from "../../../pipeline/draft/draft-job.ts";
import { kindOf, type FormTexts, type InitKindName } from "../../../pipeline/draft/kinds.ts";
import { NOTHING_READ } from "../../../pipeline/draft/samples.ts";
import { resolveInside } from "../../folder.ts";
import { DEFAULT_SHEET } from "../label/stock.ts";
import { checkAsked } from "./questions.tsx";
import { isThere, refuse } from "./save.ts";

export const plainKinds = [
  "pdfs",
  "forms",
  "redesign",
  "report",
  "export",
] as const satisfies readonly InitKindName[];
export type PlainKind = (typeof plainKinds)[number];

const HIDDEN = /^(?:\.|node_modules$|out$)/u;
const PDF = /\.pdf$/iu;

/** Folders beside the manifests that hold PDFs, by name. */
export async function listPdfFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || HIDDEN.test(entry.name)) continue;
    const names = await readdir(path.join(folder, entry.name)).catch(() => []);
    if (names.some((name) => PDF.test(name))) found.push(entry.name);
  }
  return found.toSorted();
}

/** The writer of each of these jobs, and its default name. */
export const listPlainCommands = ([folder]: readonly string[]): string[] =>
  plainKinds
    .filter((kind) => kind !== "pdfs" || folder !== undefined)
    .map((kind) => {
      const source = kind === "pdfs" && folder !== undefined ? ["--source", folder] : [];
      return toCommandLine(["makeready", "init", kind, "--kind", kind, ...source, "--yes"]);
    });

interface PlainDraft {
  readonly kind: PlainKind;
  readonly name: string;
  /** Of PDFs. */
  readonly folder: string | undefined;
  /** Of a form. */
  readonly form: FormTexts;
}

function toManifest({ kind, name, folder, form }: PlainDraft): string {
  const file = kind === "pdfs" ? folder : undefined;
  const labelSheet = kindOf(kind).hasLabels ? DEFAULT_SHEET : undefined;
  const source = { file, look: NOTHING_READ };
  return draftJob({ name, kind, source, isDynamic: true, labelSheet, form }).manifest;
}

/** Writes the job; answers its manifest. Throws `output-unwritable` where one of that name is there. */
export async function savePlainJob(folder: string, draft: PlainDraft): Promise<string> {
  if (draft.kind === "pdfs") {
    if (draft.folder === undefined) throw badUsage("a folder must be chosen, got none");
    await resolveInside(folder, draft.folder);
  }
  if (draft.kind === "forms") checkAsked(draft.form.asked, draft.form);
  const manifest = `${draft.name}.yaml`;
  const file = await resolveInside(folder, manifest);
  await writeNewFileAtomic(file, toManifest(draft)).catch((error: unknown) => {
    throw isThere(error) ? refuse(manifest) : error;
  });
  return manifest;
}
