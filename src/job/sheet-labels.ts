/** The faces and inks of a manifest's labels: what can only be told with other files at hand. */
import type { z } from "zod";

import type { Problem } from "../base/errors.ts";
import { BLACK_INK, type Ink } from "../base/label-art.ts";
import { HAS_TEMPLATE } from "./fields.ts";
import { makeInkTable, readInk } from "./inks.ts";
import type { ColumnUse, JobLabel, JobSheets } from "./job.ts";
import { type ReadLabel, readLabel } from "./label.ts";
import type { Manifest } from "./manifest-shape.ts";
import type { SheetsFields } from "./output-shape.ts";
import { placeAt, type TreeNode } from "./tree.ts";

export interface SheetLabels {
  readonly front: JobLabel | null;
  readonly back: JobLabel | null;
  readonly codeStyle: JobSheets["codeStyle"];
}

export interface ReadSheetLabels {
  readonly labels: SheetLabels;
  readonly uses: readonly ColumnUse[];
  readonly problems: readonly Problem[];
}

const NONE: ReadLabel = { label: null, problems: [], uses: [] };

type SheetsShape = z.output<typeof SheetsFields>;

/** A design's name (`api-v2.md` 2.2), unless each row has its own. */
function designName(name: string | undefined, otherwise: string): string {
  return name === undefined || HAS_TEMPLATE.test(name) ? otherwise : name;
}

function readCodeStyle(
  manifest: Manifest,
  { code_style: style, inks }: SheetsShape,
  file: string,
): { codeStyle: JobSheets["codeStyle"]; problems: Problem[] } {
  if (style === undefined) return { codeStyle: null, problems: [] };
  const table = makeInkTable(inks);
  const problems: Problem[] = [];
  const ink = (text: string | undefined, name: string): Ink | undefined => {
    if (text === undefined) return undefined;
    const read = readInk(text, table);
    if ("cmyk" in read) return read;
    const field = `output.sheets.code_style.${name}`;
    problems.push({
      message: `${field} ${read.rule}`,
      hint: read.hint,
      where: { file, field },
    });
    return undefined;
  };
  const code = "code" in manifest ? manifest.code : undefined;
  const design = code === undefined || !("design" in code) ? {} : (code.design ?? {});
  const main = ink(style.ink, "ink") ?? BLACK_INK;
  const codeStyle = {
    pattern: style.pattern ?? designName(design.pattern, "Original"),
    eyes: style.eyes ?? designName(design.eye_style, "Square"),
    ink: main,
    eyeInk: ink(style.eye_ink, "eye_ink") ?? main,
  };
  return { codeStyle, problems };
}

/** Places of the manifest, for problems that know their field only. */
function toPlaced(problem: Problem, { root, file }: { root: TreeNode; file: string }): Problem {
  const { where } = problem;
  if (where?.file !== file || where.line !== undefined || where.field === undefined) return problem;
  const path = [...where.field.matchAll(/[^.[\]]+/gu)].map(([key]) =>
    /^\d+$/u.test(key) ? Number(key) : key,
  );
  return { ...problem, where: { ...where, ...placeAt(root, path) } };
}

/** Reads the label templates that a manifest names. Throws nothing. */
export async function readSheetLabels(
  manifest: Manifest,
  context: { readonly root: TreeNode; readonly file: string },
): Promise<ReadSheetLabels> {
  const { output } = manifest;
  const sheets = "sheets" in output ? output.sheets : false;
  const none = { front: null, back: null, codeStyle: null };
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
  const style = readCodeStyle(manifest, sheets, file);
  const problems = [...front.problems, ...back.problems, ...style.problems];
  return {
    labels: { front: front.label, back: back.label, codeStyle: style.codeStyle },
    uses: [...front.uses, ...back.uses],
    problems: problems.map((problem) => toPlaced(problem, context)),
  };
}
