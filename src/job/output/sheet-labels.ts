/** The faces and inks of a manifest's labels, which take other files to read. */
import type { z } from "zod";

import type { Problem, Where } from "../../base/errors.ts";
import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import { HAS_TEMPLATE } from "../shapes/fields.ts";
import { makeInkTable, readInk } from "./inks.ts";
import type { ColumnUse, JobLabel, JobSheets } from "../job.ts";
import { type ReadLabel, readLabel } from "./label.ts";
import type { SheetsFields } from "../shapes/output-shape.ts";
import { placeAt, type TreeNode } from "../yaml/tree.ts";

/** The parts of a manifest of any kind that matter here. */
interface LabelledManifest {
  readonly output: object | { readonly sheets: boolean | SheetsShape };
  readonly code?: object | { readonly design?: LabelledDesign } | undefined;
}

interface LabelledDesign {
  readonly pattern?: string | undefined;
  readonly eye_style?: string | undefined;
}

export interface SheetLabels {
  readonly front: JobLabel | null;
  readonly back: JobLabel | null;
  readonly codeStyle: JobSheets["codeStyle"];
  readonly artworkInks: JobSheets["artworkInks"];
}

export interface ReadSheetLabels {
  readonly labels: SheetLabels;
  readonly uses: readonly ColumnUse[];
  readonly problems: readonly Problem[];
}

const NONE: ReadLabel = { label: null, problems: [], uses: [] };

type SheetsShape = z.output<typeof SheetsFields>;

/** A design's name (docs/spec/api.md section 2.2), unless each row has its own. */
function designName(name: string | undefined, otherwise: string): string {
  return name === undefined || HAS_TEMPLATE.test(name) ? otherwise : name;
}

/** Reads an ink of the manifest; notes its problem. */
type InkReader = (text: string | undefined, field: string) => Ink | undefined;

function makeInkReader(
  { inks }: SheetsShape,
  { file, problems }: { file: string; problems: Problem[] },
): InkReader {
  const table = makeInkTable(inks);
  return (text, name) => {
    if (text === undefined) return undefined;
    const read = readInk(text, table);
    if ("cmyk" in read) return read;
    const field = `output.sheets.${name}`;
    problems.push({ message: `${field} ${read.rule}`, hint: read.hint, where: { file, field } });
    return undefined;
  };
}

function readArtworkInks(
  { artwork_inks: wanted }: SheetsShape,
  ink: InkReader,
): JobSheets["artworkInks"] {
  const inks: Record<string, Ink> = {};
  for (const [color, text] of Object.entries(wanted)) {
    const read = ink(text, `artwork_inks.${color}`);
    if (read !== undefined) inks[color.toLowerCase()] = read;
  }
  return inks;
}

function readCodeStyle(
  manifest: LabelledManifest,
  { code_style: style }: SheetsShape,
  ink: InkReader,
): JobSheets["codeStyle"] {
  if (style === undefined) return null;
  const code = "code" in manifest ? manifest.code : undefined;
  const design: LabelledDesign = code !== undefined && "design" in code ? (code.design ?? {}) : {};
  const main = ink(style.ink, "code_style.ink") ?? BLACK_INK;
  return {
    pattern: style.pattern ?? designName(design.pattern, "Original"),
    eyes: style.eyes ?? designName(design.eye_style, "Square"),
    ink: main,
    eyeInk: ink(style.eye_ink, "code_style.eye_ink") ?? main,
  };
}

/** Adds places of the manifest to problems and uses that know only their field. */
function toPlaced<T extends { readonly where?: Where | undefined }>(
  found: T,
  { root, file }: { root: TreeNode; file: string },
): T {
  const { where } = found;
  if (where?.file !== file || where.line !== undefined || where.field === undefined) return found;
  const path = [...where.field.matchAll(/[^.[\]]+/gu)].map(([key]) =>
    /^\d+$/u.test(key) ? Number(key) : key,
  );
  return { ...found, where: { ...where, ...placeAt(root, path) } };
}

/** Reads the label templates that a manifest names. Throws nothing. */
export async function readSheetLabels(
  manifest: LabelledManifest,
  context: { readonly root: TreeNode; readonly file: string },
): Promise<ReadSheetLabels> {
  const { output } = manifest;
  const sheets = "sheets" in output ? output.sheets : false;
  const none = { front: null, back: null, codeStyle: null, artworkInks: {} };
  if (typeof sheets === "boolean") return { labels: none, uses: [], problems: [] };
  const { file } = context;
  const { inks } = sheets;
  const front =
    sheets.label === undefined
      ? NONE
      : await readLabel(sheets.label, {
          file,
          inks,
          field: "output.sheets.label",
          firstText: 0,
        });
  const back =
    sheets.back?.label === undefined
      ? NONE
      : await readLabel(sheets.back.label, {
          file,
          inks,
          field: "output.sheets.back.label",
          firstText: front.label?.texts.length ?? 0,
        });
  const problems = [...front.problems, ...back.problems];
  const ink = makeInkReader(sheets, { file, problems });
  const codeStyle = readCodeStyle(manifest, sheets, ink);
  const artworkInks = readArtworkInks(sheets, ink);
  return {
    labels: { front: front.label, back: back.label, codeStyle, artworkInks },
    uses: [...front.uses, ...back.uses].map((use) => toPlaced(use, context)),
    problems: problems.map((problem) => toPlaced(problem, context)),
  };
}
