/** `output:` of a manifest -> what is written, and where. */
import path from "node:path";

import { toSlug } from "../../base/text/slug.ts";

import { parsePercent } from "../shapes/fields.ts";
import type { GroupedOutput, JobOutput, JobSheets } from "../job.ts";
import {
  SheetsFields,
  type OutputShape,
  VarnishFields,
  WhiteFields,
} from "../shapes/output-shape.ts";
import { placeholder, type ResolveContext } from "./resolve-context.ts";
import type { SheetLabels } from "./sheet-labels.ts";
import { renderTemplate } from "../template/template.ts";

/** Templates for the defaults of a job's files, and the job's name. */
export interface Names {
  /** Of the job. */
  readonly job: string;
  /** Tells rows apart for people. */
  readonly display: string;
  /** Of a row's artwork, without extension. */
  readonly file: string;
}

/** Name of a ZIP or PDF: the job's, with the group when there is one. */
function resolveGroup(
  shape: { per?: string | undefined; name?: string | undefined },
  extension: string,
  names: Names,
): GroupedOutput {
  const per = shape.per ?? null;
  const group = per === null ? "" : `-${placeholder(per, " | slug")}`;
  return { per, name: shape.name ?? `${toSlug(names.job)}${group}${extension}` };
}

function toLines(caption: string | readonly string[]): readonly string[] {
  return (typeof caption === "string" ? [caption] : caption).flatMap((line) =>
    line.split(/\r?\n/u),
  );
}

type SheetsShape = Exclude<OutputShape["sheets"], boolean>;

/** How rows fill sheets. */
function resolveOrder(fields: SheetsShape) {
  return {
    order: fields.order,
    reverse: fields.reverse,
    corner: fields.corner,
    start: fields.start,
    copies: fields.copies,
    copyOrder: fields.copy_order,
    overs: parsePercent(fields.overs),
    spares: fields.spares,
    spareLabels: fields.spare_labels,
    reprint: fields.reprint,
    volumeCodes: fields.volume_codes ?? null,
  };
}

/** How large codes are, and what stands round them. */
function resolveSizes(fields: SheetsShape) {
  return {
    deviceDpi: fields.device_dpi ?? null,
    barWidthReduction: fields.bar_width_reduction,
    application: fields.application,
    xDimensionMm: fields.x_dimension_mm ?? null,
    qrSizeMm: fields.qr_size_mm ?? null,
    safeMm: fields.safe_mm ?? null,
    bleedMm: fields.bleed_mm ?? null,
    paper: fields.paper ?? null,
  };
}

function resolveDieLine(shape: SheetsShape["die_line"]): JobSheets["dieLine"] {
  if (shape === false) return null;
  return shape === true ? { spot: "CutContour", cut: "through" } : shape;
}

function resolveWhite(shape: SheetsShape["white"]): JobSheets["white"] {
  if (shape === false) return null;
  const { spot, under, choke_mm } = shape === true ? WhiteFields.parse({}) : shape;
  return { spot, area: under, chokeMm: choke_mm };
}

function resolveVarnish(shape: SheetsShape["varnish"]): JobSheets["varnish"] {
  if (shape === false) return null;
  const { spot, over, choke_mm } = shape === true ? VarnishFields.parse({}) : shape;
  return { spot, area: over, chokeMm: choke_mm };
}

function resolveSheet(sheet: SheetsShape["sheet"]): JobSheets["sheet"] {
  if (typeof sheet === "string") return sheet;
  const { gutter } = sheet;
  return {
    page: sheet.page ?? null,
    roll: sheet.roll ?? null,
    label: sheet.label,
    gutter: typeof gutter === "number" ? [gutter, gutter] : gutter,
    margin: sheet.margin ?? null,
    columns: sheet.columns ?? null,
    rows: sheet.rows ?? null,
    radius: sheet.radius,
    ...(sheet.shape === "rectangle" ? {} : { shape: sheet.shape }),
    stock: sheet.stock ?? null,
  };
}

function resolveBackground(
  shape: SheetsShape["background"],
  folder: string,
): JobSheets["background"] {
  if (shape === undefined) return null;
  const { file, page } = typeof shape === "string" ? { file: shape, page: 1 } : shape;
  return { file: path.resolve(folder, file), page };
}

/** Other fields that say how codes are printed, or need whole modules in black. */
const hasOtherLooks = (fields: SheetsShape): boolean =>
  fields.code_style !== undefined ||
  fields.artwork === "server" ||
  fields.application === "gs1-pos" ||
  fields.bar_width_reduction > 0;

function resolveFaces(fields: SheetsShape, labels: SheetLabels, folder: string) {
  const { back: shape } = fields;
  const back = shape && {
    label: labels.back,
    background: resolveBackground(shape.background, folder),
    flip: shape.flip,
  };
  return {
    label: labels.front,
    background: resolveBackground(fields.background, folder),
    back: back ?? null,
    pages: fields.pages,
    codeStyle: labels.codeStyle,
    print: fields.print ?? (hasOtherLooks(fields) ? "plain" : "designed"),
    artwork: fields.artwork,
    artworkInks: labels.artworkInks,
  } satisfies Partial<JobSheets>;
}

/** A label of the front takes the place of captions. */
function findUnusedCaption(
  fields: SheetsShape,
  { front }: SheetLabels,
): Pick<JobSheets, "unusedCaption"> {
  if (front === null) return {};
  const written = [
    ...(["caption", "caption_place", "caption_align", "caption_size"] as const).filter(
      (name) => fields[name] !== undefined,
    ),
    ...(fields.caption_bold === "none" ? [] : ["caption_bold"]),
  ];
  return written.length === 0 ? {} : { unusedCaption: written };
}

function resolveSheets(
  shape: OutputShape["sheets"],
  names: Names,
  { folder, labels }: { readonly folder: string; readonly labels: SheetLabels },
): JobSheets | null {
  if (shape === false) return null;
  const fields = shape === true ? SheetsFields.parse({}) : shape;
  const caption = toLines(fields.caption ?? names.display);
  const { icc } = fields;
  return {
    ...resolveGroup(fields, ".pdf", names),
    ...resolveOrder(fields),
    ...resolveSizes(fields),
    ...resolveFaces(fields, labels, folder),
    sheet: resolveSheet(fields.sheet),
    caption: caption.at(-1) === "" ? caption.slice(0, -1) : caption,
    captionBold: fields.caption_bold,
    captionPlace: fields.caption_place ?? null,
    captionAlign: fields.caption_align ?? null,
    captionSize: fields.caption_size ?? null,
    ...findUnusedCaption(fields, labels),
    fonts: [...new Set(fields.fonts.map((file) => path.resolve(folder, file)))],
    marks: [...new Set(fields.marks)],
    proof: fields.proof,
    standard: fields.standard,
    printer: fields.printer ?? null,
    icc: typeof icc === "object" ? { ...icc, file: path.resolve(folder, icc.file) } : (icc ?? null),
    dieLine: resolveDieLine(fields.die_line),
    white: resolveWhite(fields.white),
    varnish: resolveVarnish(fields.varnish),
  };
}

/** Where files go. `dir` may name `date` and `month`. */
export function resolveDir(dir: string | undefined, context: ResolveContext, job: string): string {
  if (context.outDir !== undefined) return context.outDir;
  const { nowMs, timeZone } = context;
  const rendered = renderTemplate(dir ?? path.join("out", toSlug(job)), {}, { nowMs, timeZone });
  return path.resolve(path.dirname(context.file), rendered);
}

/**
 * Where a job's state goes: into the output folder; where each run has a folder of its own, into
 * the part of `dir` that stays the same, under the job's name.
 */
export function resolveStateDir(
  dir: string | undefined,
  context: ResolveContext,
  job: string,
): string {
  const at = dir?.indexOf("{{") ?? -1;
  if (dir === undefined || at < 0 || context.outDir !== undefined) {
    return resolveDir(dir, context, job);
  }
  const fixed = dir.slice(0, dir.lastIndexOf("/", at) + 1);
  return path.resolve(path.dirname(context.file), fixed, `${toSlug(job) || "job"}.state`);
}

/** A list of formats, or a map with it. */
function resolveIndex(shape: OutputShape["index"]): Pick<JobOutput, "index" | "indexPictures"> {
  const { formats, pictures } = Array.isArray(shape) ? { formats: shape, pictures: false } : shape;
  return { index: [...new Set(formats)], indexPictures: pictures };
}

export function resolveOutput(
  shape: OutputShape,
  context: ResolveContext,
  names: Names,
): JobOutput {
  const folder = path.dirname(context.file);
  return {
    dir: resolveDir(shape.dir, context, names.job),
    files: [...new Set(shape.files)],
    fileName: shape.file_name ?? names.file,
    zip:
      shape.zip === false ? null : resolveGroup(shape.zip === true ? {} : shape.zip, ".zip", names),
    sheets: resolveSheets(shape.sheets, names, { folder, labels: context.labels }),
    ...resolveIndex(shape.index),
    ...(shape.grade !== undefined && { grade: { refuse: undefined, ...shape.grade } }),
  };
}
