/** Parts of jobs that several kinds make in the same way. */
import path from "node:path";
import type { z } from "zod";

import type { LaterCodeShape } from "../job/shapes/code-shape.ts";
import type { OutputShape } from "../job/shapes/output-shape.ts";
import type { SafetyShape } from "../job/shapes/common-shapes.ts";
import {
  PLAIN_SOURCE,
  type ColumnRule,
  type JobCode,
  type JobCommon,
  type JobRows,
  type JobSafety,
  type JobSelect,
  type RowsJob,
} from "../job/job.ts";
import { isStream, toStreamName } from "../base/files/stream-name.ts";
import { placeholder, present, type ResolveContext } from "../job/output/resolve-context.ts";
import { resolveOutput, type Names } from "../job/output/resolve-output.ts";
import type { SelectShape } from "../job/shapes/select-shapes.ts";
import {
  SourceFields,
  type RangeFields,
  type SerialFields,
  type SourceShape,
} from "../job/shapes/source-shape.ts";

type MadeShape = z.output<typeof RangeFields> | z.output<typeof SerialFields>;

/** Rows that the job itself makes; their last column is the key. */
function resolveMadeRows(shape: MadeShape, manifest: string): JobRows {
  const { language, pad = 1, key } = shape;
  const made = { ...PLAIN_SOURCE, file: manifest, language };
  if ("range" in shape) {
    const [first, last] = shape.range;
    return { ...made, from: "range", key: key ?? ["number"], numbers: { first, last, pad } };
  }
  const { rows, serial } = shape;
  return {
    ...made,
    from: "serials",
    key: key ?? ["serial"],
    numbers: { first: 1, last: rows, pad },
    serial,
  };
}

/** `source: rows.csv` is short for its file. */
export function resolveSource(shape: SourceShape, manifest: string): JobRows {
  if (typeof shape !== "string" && !("file" in shape)) return resolveMadeRows(shape, manifest);
  const folder = path.dirname(manifest);
  const fields = typeof shape === "string" ? SourceFields.parse({ file: shape }) : shape;
  const columns: Record<string, ColumnRule> = Object.create(null) as Record<string, ColumnRule>;
  for (const [name, column] of Object.entries(fields.columns)) {
    columns[name] = { ...column, default: column.default ?? null };
  }
  const { file } = fields;
  return {
    ...(isStream(file)
      ? { from: "stream", file: toStreamName(file), stream: file }
      : { from: "spreadsheet", file: path.resolve(folder, file) }),
    subfolders: false,
    sheet: fields.sheet ?? null,
    headerRow: fields.header_row ?? null,
    encoding: fields.encoding ?? null,
    delimiter: fields.delimiter ?? null,
    key: fields.key,
    columns,
    skipHiddenRows: fields.skip_hidden_rows,
    merged: fields.merged,
    ...(fields.mended !== undefined && { mended: path.resolve(folder, fields.mended) }),
    language: fields.language,
  };
}

export const resolveSafety = (
  shape: Omit<SafetyShape, "contrast">,
): Omit<JobSafety, "contrast"> => ({
  confirmOver: shape.confirm_over ?? null,
  maxCodes: shape.max_codes ?? null,
});

/** A dynamic code that the server makes along with something else. */
export function toDynamicCode(displayName: string, shape: Partial<LaterCodeShape> = {}): JobCode {
  return {
    type: "Link",
    dynamic: true,
    qrData: null,
    displayName,
    folder: shape.folder ?? null,
    tags: shape.tags ?? [],
    gpsTracking: false,
    domain: null,
    vcard: null,
    gs1Product: null,
    design: present(shape.design ?? {}),
    compact: false,
  };
}

/** The parts of a job that don't depend on its kind. */
export interface JobParts {
  readonly common: JobCommon;
  readonly context: ResolveContext;
}

/** The parts of a manifest that all kinds which read rows use. */
interface RowsManifest {
  readonly output: OutputShape;
  readonly safety: SafetyShape;
}

/** Defaults of names: by the key columns, or by what identifies the kind's things. */
function toNames(source: JobRows, job: string, display: string | undefined): Names {
  if (source.from === "folder") {
    return { job, display: display ?? "{{ name }}", file: "{{ folder }}/{{ name }}" };
  }
  const { key } = source;
  const byKey = key.map((column) => placeholder(column, " | slug")).join("-");
  const shown = display ?? key.map((column) => placeholder(column)).join(" / ");
  return { job, display: shown, file: byKey === "" ? shown : byKey };
}

/** The parts that all these kinds make in the same way, and the name that rows are shown by. */
export function resolveRows(
  manifest: RowsManifest,
  { common, context }: JobParts,
  { source, display }: { readonly source: JobRows; readonly display: string | undefined },
): { readonly display: string; readonly rows: Omit<RowsJob, "kind" | "code"> } {
  const names = toNames(source, common.name, display);
  const { safety } = manifest;
  return {
    display: names.display,
    rows: {
      ...common,
      source,
      output: resolveOutput(manifest.output, context, names),
      safety: { contrast: safety.contrast, ...resolveSafety(safety) },
    },
  };
}

/** The same for a kind whose rows come from the manifest's `source`. */
export const resolveSourceRows = (
  manifest: RowsManifest & { readonly source: SourceShape },
  parts: JobParts,
  display: string | undefined,
): ReturnType<typeof resolveRows> => {
  const source = resolveSource(manifest.source, parts.context.file);
  return resolveRows(manifest, parts, { source, display });
};

/** Which codes that exist. */
export const resolveSelect = (shape: SelectShape): JobSelect => ({
  folder: shape.folder ?? null,
  subfolders: shape.subfolders,
  tags: shape.tags,
  q: shape.q ?? null,
  dynamic: shape.dynamic ?? null,
  type: shape.type ?? null,
});

/** Codes that exist go by their names. */
export const toSelectNames = (job: string): Names => ({
  job,
  display: placeholder("display_name"),
  file: placeholder("display_name", " | slug"),
});
