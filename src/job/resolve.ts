/** A checked manifest -> Job: defaults filled in, paths absolute, units parsed. */
import path from "node:path";

import { toSlug } from "../base/slug.ts";

import type { CodeShape } from "./code-shape.ts";
import { parseDuration, parsePercent } from "./fields.ts";
import type {
  ColumnRule,
  ColumnUse,
  GroupedOutput,
  Job,
  JobCode,
  JobOutput,
  JobRun,
  JobSheets,
  JobSource,
} from "./job.ts";
import type { ManifestShape } from "./manifest-shape.ts";
import { SheetsFields, type OutputShape } from "./output-shape.ts";
import { SourceFields, type SourceShape } from "./source-shape.ts";

export interface ResolveContext {
  /** The manifest, absolute. */
  readonly file: string;
  /** Wins over the manifest's folder; absolute. */
  readonly outDir: string | undefined;
  readonly baseUrl: string | undefined;
  readonly workspace: string | undefined;
  readonly columnUses: readonly ColumnUse[];
}

interface Names {
  /** Of the job. */
  readonly job: string;
  /** Template that tells rows apart for people. */
  readonly display: string;
}

const present = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const placeholder = (column: string, filter = ""): string => `{{ ${column}${filter} }}`;

function resolveSource(shape: SourceShape, folder: string): JobSource {
  const columns: Record<string, ColumnRule> = Object.create(null) as Record<string, ColumnRule>;
  for (const [name, column] of Object.entries(shape.columns)) {
    columns[name] = { ...column, default: column.default ?? null };
  }
  return {
    file: path.resolve(folder, shape.file),
    sheet: shape.sheet ?? null,
    headerRow: shape.header_row ?? null,
    encoding: shape.encoding ?? null,
    delimiter: shape.delimiter ?? null,
    key: shape.key,
    columns,
    skipHiddenRows: shape.skip_hidden_rows,
    merged: shape.merged,
  };
}

function resolveCode(shape: CodeShape, names: Names): JobCode {
  return {
    type: shape.type,
    dynamic: shape.type === "GS1" || (shape.dynamic ?? false),
    qrData: shape.qr_data ?? null,
    displayName: names.display,
    folder: shape.folder ?? null,
    tags: shape.tags,
    gpsTracking: shape.gps_tracking,
    domain: shape.domain ?? null,
    vcard: shape.vcard === undefined ? null : present(shape.vcard),
    gs1Product: shape.gs1_product ?? null,
    design: present(shape.design),
  };
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
    volumeCodes: fields.volume_codes ?? null,
  };
}

/** How large codes are, and what stands round them. */
function resolveSizes(fields: SheetsShape) {
  return {
    deviceDpi: fields.device_dpi ?? null,
    application: fields.application,
    xDimensionMm: fields.x_dimension_mm ?? null,
    qrSizeMm: fields.qr_size_mm ?? null,
    safeMm: fields.safe_mm ?? null,
    bleedMm: fields.bleed_mm ?? null,
  };
}

function resolveDieLine(shape: SheetsShape["die_line"]): JobSheets["dieLine"] {
  if (shape === false) return null;
  return shape === true ? { spot: "CutContour", cut: "through" } : shape;
}

function resolveSheets(
  shape: OutputShape["sheets"],
  names: Names,
  folder: string,
): JobSheets | null {
  if (shape === false) return null;
  const fields = shape === true ? SheetsFields.parse({}) : shape;
  const caption = toLines(fields.caption ?? names.display);
  const { icc } = fields;
  return {
    ...resolveGroup(fields, ".pdf", names),
    ...resolveOrder(fields),
    ...resolveSizes(fields),
    sheet: fields.sheet,
    caption: caption.at(-1) === "" ? caption.slice(0, -1) : caption,
    marks: [...new Set(fields.marks)],
    standard: fields.standard,
    printer: fields.printer ?? null,
    icc: icc === undefined ? null : { ...icc, file: path.resolve(folder, icc.file) },
    dieLine: resolveDieLine(fields.die_line),
  };
}

function resolveOutput(
  manifest: ManifestShape,
  context: ResolveContext,
  names: Names & { readonly key: readonly string[] },
): JobOutput {
  const { output: shape } = manifest;
  const folder = path.dirname(context.file);
  const byKey = names.key.map((column) => placeholder(column, " | slug")).join("-");
  return {
    dir: context.outDir ?? path.resolve(folder, shape.dir ?? path.join("out", toSlug(names.job))),
    files: [...new Set(shape.files)],
    fileName: shape.file_name ?? (byKey === "" ? names.display : byKey),
    zip:
      shape.zip === false ? null : resolveGroup(shape.zip === true ? {} : shape.zip, ".zip", names),
    sheets: resolveSheets(shape.sheets, names, folder),
    index: [...new Set(shape.index)],
  };
}

function resolveRun(shape: ManifestShape["run"]): JobRun {
  const { max_failures: most } = shape;
  return {
    concurrency: shape.concurrency,
    onRowError: shape.on_row_error,
    maxFailures: typeof most === "number" ? { count: most } : { share: parsePercent(most) },
    settleMs: parseDuration(shape.settle),
    share: shape.share,
    marker: shape.marker !== false,
    lateDoubles: shape.late_doubles,
  };
}

/** Without base URL the embedded service is used, and a workspace of another server means nothing. */
function resolveApi(shape: ManifestShape["api"], context: ResolveContext): Job["api"] {
  const baseUrl = (context.baseUrl ?? shape.base_url)?.replace(/\/+$/u, "");
  if (baseUrl === undefined) return {};
  const { token_file: tokenFile } = shape;
  return present({
    baseUrl,
    workspace: context.workspace ?? shape.workspace,
    tokenFile: tokenFile && path.resolve(path.dirname(context.file), tokenFile),
  }) as Job["api"];
}

function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

/** Never fails: what it gets has been checked. */
export function resolveJob(manifest: ManifestShape, context: ResolveContext): Job {
  const { file } = context;
  const source =
    typeof manifest.source === "string"
      ? SourceFields.parse({ file: manifest.source })
      : manifest.source;
  const byKey = source.key.map((column) => placeholder(column)).join(" / ");
  const names = {
    job: manifest.name ?? path.basename(file, path.extname(file)),
    display: manifest.code.display_name ?? byKey,
    key: source.key,
  };
  return freezeDeep<Job>({
    name: names.job,
    file,
    kind: manifest.kind,
    api: resolveApi(manifest.api, context),
    source: resolveSource(source, path.dirname(file)),
    code: resolveCode(manifest.code, names),
    output: resolveOutput(manifest, context, names),
    run: resolveRun(manifest.run),
    safety: manifest.safety,
    columnUses: context.columnUses,
  });
}
