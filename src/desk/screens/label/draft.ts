/** What a person is about to save: the manifest on disk, the form over it, and the resulting job. */
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { readVariable } from "../../../base/settings.ts";
import { editManifestText } from "../../../pipeline/source/edit-manifest.ts";
import type { YamlEdit } from "../../../job/yaml/edit-yaml.ts";
import { inOrder } from "../../../job/yaml/field-settings.ts";
import { readLabelTemplates } from "../../../job/output/label.ts";
import type { Job } from "../../../kinds/any-job.ts";
import { openJob, type OpenJob } from "../../../pipeline/open.ts";
import type { WantedRow } from "../../../pipeline/preview/live.ts";
import { embeddedPort } from "../../../service/embedded/embedded.ts";
import type { DeskContext } from "../../context.ts";
import { findEdits, toFormValues, type FormValues } from "./form-values.ts";
import { BLANKS, type TemplateTexts } from "./label-texts.ts";
import type { Refusal } from "./looks.ts";
import { readManifest } from "./manifest-text.ts";
import type { Texts } from "./stock.ts";

export interface View {
  /** `first`, `longest` or `line`. */
  readonly row: string;
  readonly line: string;
  readonly hasGrid: boolean;
}

export interface Draft {
  readonly manifest: string;
  /** Of the manifest on disk. */
  readonly hash: string;
  /** The manifest has changed since the form was made. */
  readonly isOvertaken: boolean;
  readonly job: Job;
  /** The job as the manifest on disk says. */
  readonly onDisk: OpenJob;
  readonly saved: FormValues;
  /** The values of the form: the manifest with the person's changes. */
  readonly texts: Texts;
  readonly edits: readonly YamlEdit[];
  /** The manifest as it would be saved. */
  readonly text: string;
  /** The resulting job; undefined where there is none. */
  readonly opened: OpenJob | undefined;
  readonly refused: Refusal | undefined;
  readonly templates: readonly TemplateTexts[];
  readonly view: View;
}

export type Form = Readonly<Record<string, unknown>>;

const toText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Texts in a hidden field, by their names; empty where they aren't known. */
function readHidden(form: Form, field: string): Texts {
  try {
    const hidden = JSON.parse(toText(form[field]) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(hidden).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}

const readView = (form: Form): View => ({
  row: toText(form["row"]) ?? "first",
  line: toText(form["line"]) ?? "",
  hasGrid: form["grid"] === "yes",
});

export function toWantedRow({ row, line }: View): WantedRow {
  if (row === "longest") return "longest";
  const number = Number(line);
  return row === "line" && Number.isSafeInteger(number) && number > 0 ? number : "first";
}

/** A job as runs of the desk see it. Throws `manifest-invalid`. */
export function openDraft(
  { folder, clock, env }: DeskContext,
  manifest: string,
  text: string,
): Promise<OpenJob> {
  const publicUrl = readVariable(env, "publicUrl");
  const options = { text, publicUrl };
  return openJob(path.join(folder, manifest), options, { clock, server: embeddedPort });
}

/** Line ends as a browser sends them are those of the page. */
const toLines = (text: string): string => text.replaceAll("\r\n", "\n");

const templateOf = (name: string): string | undefined => name.split(".")[1];

/**
 * Texts of templates that were shown blank and left so stay as they are; beside one that was typed,
 * a person wants the others blank.
 */
function listLeft(form: Form): ReadonlySet<string> {
  const blanks = Object.values(readHidden(form, BLANKS));
  const typed = new Set(blanks.filter((name) => toText(form[name]) !== "").map(templateOf));
  return new Set(blanks.filter((name) => !typed.has(templateOf(name))));
}

function readNow(form: Form, { texts, locked }: FormValues, was: Texts): Texts {
  const now: Record<string, string> = {};
  const left = listLeft(form);
  for (const name of Object.keys(texts)) {
    const typed = toText(form[name]);
    if (typed === undefined || left.has(name) || locked.has(name)) continue;
    now[name] = toLines(typed);
  }
  return Object.fromEntries(Object.entries(now).filter(([name, text]) => text !== was[name]));
}

async function tryOpen(desk: DeskContext, manifest: string, text: string) {
  try {
    return { opened: await openDraft(desk, manifest, text), refused: undefined };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    const { message, hint, problems } = error;
    return { opened: undefined, refused: { message, hint, problems } };
  }
}

/** Throws what opening the manifest on disk throws. */
export async function makeDraft(
  desk: DeskContext,
  manifest: string,
  form: Form | undefined,
): Promise<Draft> {
  const { text: onDisk, hash } = await readManifest(desk.folder, manifest);
  const templates = await readLabelTemplates();
  const opened = await openDraft(desk, manifest, onDisk);
  const { job } = opened;
  const saved = toFormValues(onDisk, job, templates);
  const was = form === undefined ? saved.texts : { ...saved.texts, ...readHidden(form, "was") };
  const changed = form === undefined ? {} : readNow(form, saved, was);
  const edits = inOrder(findEdits({ text: onDisk, job }, { was, now: changed }, templates));
  const text = editManifestText(onDisk, edits);
  return {
    manifest,
    hash,
    isOvertaken: form !== undefined && form["hash"] !== hash,
    job,
    onDisk: opened,
    saved,
    texts: { ...saved.texts, ...changed },
    edits,
    text,
    ...(await tryOpen(desk, manifest, text)),
    templates,
    view: readView(form ?? {}),
  };
}
