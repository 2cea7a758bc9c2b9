/** Texts of frames that the built-in service can't draw: too long, or with characters of no font. */
import { readFile } from "node:fs/promises";

import { AppError, type Problem } from "../base/errors.ts";
import type { JobCode } from "../job/job.ts";
import { HAS_TEMPLATE } from "../job/shapes/fields.ts";
import type { Job, RowJob } from "../kinds/any-job.ts";
import { checkDesign, type FrameName, frameNames } from "../qr/draw/design.ts";
import { openTextShaper, type TextShaper } from "../qr/draw/text.ts";
import { labelFonts } from "../qr/engine.ts";

type Fields = Readonly<Record<string, unknown>>;

const TEXTS = ["text", "text_secondary"] as const;

const isOfRow = (text: string): boolean => HAS_TEMPLATE.test(text);

const hasText = ({ text }: Fields): boolean => typeof text === "string" && text !== "";

/** A second line is drawn below a first one only: without one, only the server knows what its codes have. */
const textsOf = (design: Fields, isWanted: (text: string) => boolean) =>
  TEXTS.filter(() => hasText(design)).flatMap((field) => {
    const text = design[field];
    return typeof text === "string" && text !== "" && isWanted(text) ? [{ field, text }] : [];
  });

function findShapeFaults(shaper: TextShaper, field: string, text: string): readonly Problem[] {
  try {
    shaper.outline(text, field);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "design-invalid") throw error;
    return error.problems.map((problem) => ({ hint: "change the text", ...problem }));
  }
}

const isFrame = (name: unknown): name is FrameName => frameNames.some((frame) => frame === name);

function findFaults(
  shaper: TextShaper,
  { frame: named }: Fields,
  texts: ReturnType<typeof textsOf>,
): readonly Problem[] {
  const frame = isFrame(named) ? named : null;
  return texts.flatMap(({ field, text }) => [
    ...checkDesign(field === "text" ? { frame, text } : { frame, text: "A", textSecondary: text }),
    ...findShapeFaults(shaper, field, text),
  ]);
}

async function openShaper(): Promise<TextShaper> {
  return openTextShaper({ fonts: await Promise.all(labelFonts.map((font) => readFile(font))) });
}

type Designed = Pick<Job, "file" | "api"> & ({ readonly code: JobCode } | object);

/** The design that a job gives its codes, and its field in the manifest. */
function readDesign(job: Designed): { readonly at: string; readonly design: Fields } {
  if ("code" in job) return { at: "code.design", design: { ...job.code.design } };
  return { at: "design", design: "design" in job ? { ...(job.design as Fields) } : {} };
}

/** Faults of the texts that are the same for all codes. What other servers draw is theirs to say. */
export async function findFrameTextFaults(job: Designed): Promise<Problem[]> {
  const { at, design } = readDesign(job);
  const texts = textsOf(design, (text) => !isOfRow(text));
  if (texts.length === 0 || job.api.baseUrl !== undefined) return [];
  const shaper = await openShaper();
  try {
    return findFaults(shaper, design, texts).map(({ message, hint, where }) => ({
      message: `${at}.${message}`,
      hint,
      where: { file: job.file, field: `${at}.${where?.field}` },
    }));
  } finally {
    shaper.close();
  }
}

/** Throws `manifest-invalid` for texts that all codes were to have. */
export async function refuseFrameTexts(job: Designed): Promise<void> {
  const problems = await findFrameTextFaults(job);
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError("manifest-invalid", first.message, { ...first, problems });
}

/** Judges the texts that rows fill in; undefined where they fill in none. */
export async function openFrameTexts(
  job: Pick<RowJob, "file" | "api" | "code">,
): Promise<((design: Fields) => readonly Problem[]) | undefined> {
  await refuseFrameTexts(job);
  const ofRows = textsOf({ ...job.code.design }, isOfRow).map(({ field }) => field);
  if (ofRows.length === 0 || job.api.baseUrl !== undefined) return undefined;
  const shaper = await openShaper();
  return (own) => {
    const texts = textsOf(own, () => true).filter(({ field }) => ofRows.includes(field));
    return findFaults(shaper, own, texts);
  };
}
