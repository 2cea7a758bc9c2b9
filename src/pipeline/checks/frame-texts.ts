/** Texts of frames that the built-in service can't draw: too long, or with characters of no font. */
import { readFile } from "node:fs/promises";

import { hasLogo, toLevel } from "../../api/design.ts";
import { toStaticPayload } from "../../api/payload.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import type { JobCode } from "../../job/job.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import type { Job, RowJob } from "../../kinds/any-job.ts";
import { toTemplateName } from "../../plan/looks.ts";
import { SAMPLE_PATH, toLinkPath } from "../../plan/link-path.ts";
import { checkDesign, type FrameName, frameNames } from "../../qr/draw/design.ts";
import { drawSurroundings } from "../../qr/draw/drawing.ts";
import { openTextShaper, type TextShaper } from "../../qr/draw/text.ts";
import { encodeQr, fitQr, type QrFit, type QrMatrix } from "../../qr/encode/encode.ts";
import { labelFonts } from "../../qr/engine.ts";
import type { Wanted } from "../../state/row.ts";
import { NO_LOGO, PrintDesigns } from "../stages/print-designs.ts";

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

function findDesignFaults(draw: () => unknown): readonly Problem[] {
  try {
    draw();
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
    ...findDesignFaults(() => shaper.outline(text, field)),
  ]);
}

async function openShaper(): Promise<TextShaper> {
  return openTextShaper({ fonts: await Promise.all(labelFonts.map((font) => readFile(font))) });
}

/** Judges the texts that codes which exist fill in; undefined where they fill in none. */
export async function openCodeTexts(
  { api }: Pick<Job, "api">,
  design: Fields,
): Promise<((design: Fields) => readonly Problem[]) | undefined> {
  const ofCodes = textsOf(design, isOfRow).map(({ field }) => field);
  if (ofCodes.length === 0 || api.baseUrl !== undefined) return undefined;
  const shaper = await openShaper();
  return (own) => {
    const texts = textsOf(own, () => true).filter(({ field }) => ofCodes.includes(field));
    return findFaults(shaper, own, texts);
  };
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

/** What a row's code will say, as far as its size depends on it; undefined where that isn't known. */
function toPayload(wanted: Wanted, linkOrigin: string | undefined): string | undefined {
  if (!wanted.dynamic && wanted.type !== "GS1") return toStaticPayload(wanted);
  return linkOrigin && `${linkOrigin}${toLinkPath(wanted) ?? SAMPLE_PATH}`;
}

/** A template may bring a frame, and a logo a larger code: only the server knows how large letters are. */
const isUnsized = (design: Fields): boolean =>
  hasLogo(design) || (toTemplateName(design) !== undefined && !isFrame(design["frame"]));

/** Finds letters that are too small in a code of the version. */
class FrameSizes {
  readonly #designs = new PrintDesigns();
  /** By version: a frame surrounds all codes of one alike. */
  readonly #matrices = new Map<number, QrMatrix>();
  readonly #shaper: TextShaper;

  constructor(shaper: TextShaper) {
    this.#shaper = shaper;
  }

  find(fields: Fields, text: string, { version, level }: QrFit): readonly Problem[] {
    const design = this.#designs.of(fields, level, NO_LOGO);
    if (design?.frame == null || design.text === "") return [];
    const matrix = this.#matrices.get(version) ?? encodeQr(text, { level });
    this.#matrices.set(version, matrix);
    return findDesignFaults(() =>
      drawSurroundings({ matrix, plan: undefined }, design, this.#shaper),
    );
  }
}

/** So many texts are remembered: often all rows have the same few. */
const MOST_KNOWN = 10_000;

/** Judges each text that frames of rows show, once; undefined where they show none. */
export async function openFrameTexts(
  job: Pick<RowJob, "file" | "api" | "code">,
  linkOrigin: string | undefined,
): Promise<((wanted: Wanted) => readonly Problem[]) | undefined> {
  await refuseFrameTexts(job);
  if (!hasText({ ...job.code.design }) || job.api.baseUrl !== undefined) return undefined;
  const ofRows = textsOf({ ...job.code.design }, isOfRow).map(({ field }) => field);
  const shaper = await openShaper();
  const sizes = new FrameSizes(shaper);
  const known = new Map<string, readonly Problem[]>();
  const judge = (own: Fields, payload: string, fit: QrFit | undefined): readonly Problem[] => {
    const texts = textsOf(own, () => true).filter(({ field }) => ofRows.includes(field));
    const faults = findFaults(shaper, own, texts);
    return faults.length > 0 || fit === undefined ? faults : sizes.find(own, payload, fit);
  };
  return (wanted) => {
    const { design } = wanted;
    const payload = isUnsized(design) ? undefined : toPayload(wanted, linkOrigin);
    const fit = payload && fitQr(payload, toLevel(wanted));
    const { frame, text, text_secondary: second, has_border: border } = design;
    const key = JSON.stringify([frame, text, second, border, fit && fit.version]);
    const found = known.get(key) ?? judge(design, payload ?? "", fit || undefined);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, found);
    return found;
  };
}
