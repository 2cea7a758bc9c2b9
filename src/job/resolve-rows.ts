/** Manifests of the kinds that read rows -> their jobs. */
import path from "node:path";

import type { JobOf } from "./any-job.ts";
import type { CodeShape, LaterCodeShape, ProductCodeShape } from "./code-shape.ts";
import type { SafetyShape } from "./common-shapes.ts";
import type { ColumnRule, JobCode, JobCommon, JobRows, JobSafety } from "./job.ts";
import type { RowKind } from "./kinds.ts";
import type { ManifestOf } from "./manifest-shape.ts";
import type { Names } from "./resolve-output.ts";
import { resolveOutput } from "./resolve-output.ts";
import { placeholder, present, type ResolveContext } from "./resolve-context.ts";
import type { JobProduct, RowJob } from "./row-jobs.ts";
import type { ProductShape } from "./row-shapes.ts";
import { SourceFields, type PdfSourceShape, type SourceShape } from "./source-shape.ts";

/** Rows of a spreadsheet; `source: rows.csv` is short for its file. */
export function resolveSource(shape: string | SourceShape, folder: string): JobRows {
  const fields = typeof shape === "string" ? SourceFields.parse({ file: shape }) : shape;
  const columns: Record<string, ColumnRule> = Object.create(null) as Record<string, ColumnRule>;
  for (const [name, column] of Object.entries(fields.columns)) {
    columns[name] = { ...column, default: column.default ?? null };
  }
  return {
    from: "spreadsheet",
    file: path.resolve(folder, fields.file),
    subfolders: false,
    sheet: fields.sheet ?? null,
    headerRow: fields.header_row ?? null,
    encoding: fields.encoding ?? null,
    delimiter: fields.delimiter ?? null,
    key: fields.key,
    columns,
    skipHiddenRows: fields.skip_hidden_rows,
    merged: fields.merged,
  };
}

const NO_SPREADSHEET = {
  subfolders: false,
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  key: [],
  columns: {},
  skipHiddenRows: false,
  merged: "warn",
} as const;

function resolvePdfSource(shape: PdfSourceShape, folder: string): JobRows {
  if (typeof shape === "string" || "file" in shape) return resolveSource(shape, folder);
  return {
    ...NO_SPREADSHEET,
    from: "folder",
    file: path.resolve(folder, shape.folder),
    subfolders: shape.subfolders,
    key: ["file"],
  };
}

export const resolveSafety = (
  shape: Omit<SafetyShape, "contrast">,
): Omit<JobSafety, "contrast"> => ({
  confirmOver: shape.confirm_over ?? null,
  maxCodes: shape.max_codes ?? null,
});

function resolveCode(shape: CodeShape, displayName: string): JobCode {
  return {
    type: shape.type,
    dynamic: shape.type === "GS1" || (shape.dynamic ?? false),
    qrData: shape.qr_data ?? null,
    displayName,
    folder: shape.folder ?? null,
    tags: shape.tags,
    gpsTracking: shape.gps_tracking,
    domain: shape.domain ?? null,
    vcard: shape.vcard === undefined ? null : present(shape.vcard),
    gs1Product: shape.gs1_product ?? null,
    design: present(shape.design),
  };
}

/** A dynamic code that the server makes along with something else. */
function toDynamicCode(displayName: string, shape: Partial<LaterCodeShape> = {}): JobCode {
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
  };
}

const toProductCode = (displayName: string, shape?: ProductCodeShape): JobCode => ({
  ...toDynamicCode(displayName),
  type: "GS1",
  dynamic: shape !== undefined,
  folder: shape?.folder ?? null,
  tags: shape?.tags ?? [],
  gpsTracking: shape?.gps_tracking ?? false,
  domain: shape?.domain ?? null,
  design: present(shape?.design ?? {}),
});

function resolveProduct(shape: ProductShape): JobProduct {
  const chosen = shape.links.findIndex((link) => link.is_default);
  return {
    identifierType: shape.identifier_type,
    identifierValue: shape.identifier_value,
    batchLot: shape.batch_lot ?? null,
    serialNumber: shape.serial_number ?? null,
    expiryDate: shape.expiry_date ?? null,
    links: shape.links.map((link, at) => ({
      linkType: link.link_type,
      title: link.title,
      destinationUrl: link.destination_url,
      isDefault: chosen < 0 ? at === 0 : at === chosen,
      language: link.language ?? null,
      mediaType: link.media_type ?? null,
    })),
  };
}

/** What of a job doesn't depend on what its rows become. */
interface RowParts {
  readonly common: JobCommon;
  readonly context: ResolveContext;
}

type RowManifest = { [K in RowKind]: ManifestOf<K> }[RowKind];

/** Defaults of names: by the key columns, or by what tells the kind's things apart. */
function toNames(source: JobRows, job: string, display: string | undefined): Names {
  if (source.from === "folder") {
    return { job, display: display ?? "{{ name }}", file: "{{ folder }}/{{ name }}" };
  }
  const { key } = source;
  const byKey = key.map((column) => placeholder(column, " | slug")).join("-");
  const shown = display ?? key.map((column) => placeholder(column)).join(" / ");
  return { job, display: shown, file: byKey === "" ? shown : byKey };
}

/** What all these kinds take from the manifest in the same way, and the name that rows are shown by. */
function resolveRows(
  manifest: RowManifest,
  { common, context }: RowParts,
  given: { readonly source: JobRows; readonly display: string | undefined },
) {
  const { source } = given;
  const names = toNames(source, common.name, given.display);
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

const folderOf = ({ context }: RowParts): string => path.dirname(context.file);

/** kind -> how its manifest becomes its job. */
const resolvers: {
  readonly [K in RowKind]: (manifest: ManifestOf<K>, parts: RowParts) => JobOf<K>;
} = {
  codes(manifest, parts) {
    const source = resolveSource(manifest.source, folderOf(parts));
    const given = { source, display: manifest.code.display_name };
    const { rows, display } = resolveRows(manifest, parts, given);
    return { ...rows, kind: "codes", code: resolveCode(manifest.code, display) };
  },
  products(manifest, parts) {
    const { code, product } = manifest;
    const source = resolveSource(manifest.source, folderOf(parts));
    const given = { source, display: code?.display_name };
    const { rows, display } = resolveRows(manifest, parts, given);
    return {
      ...rows,
      kind: "products",
      product: resolveProduct(product),
      ...(code === undefined && { output: { ...rows.output, files: [] } }),
      hasCode: code !== undefined,
      code: toProductCode(display, code),
    };
  },
  links(manifest, parts) {
    const { link } = manifest;
    const source = resolveSource(manifest.source, folderOf(parts));
    const given = { source, display: link.display_name };
    const { rows, display } = resolveRows(manifest, parts, given);
    const code: JobCode = {
      ...toDynamicCode(display),
      qrData: link.link,
      gpsTracking: link.gps,
      domain: link.domain ?? null,
    };
    return { ...rows, kind: "links", slug: link.slug ?? null, code };
  },
  pdfs(manifest, parts) {
    const { code, pdf } = manifest;
    const source = resolvePdfSource(manifest.source, folderOf(parts));
    const given = { source, display: code.display_name };
    const { rows, display } = resolveRows(manifest, parts, given);
    const isBare = pdf.file === undefined && pdf.pdf_url === undefined;
    return {
      ...rows,
      kind: "pdfs",
      pdf: {
        file: isBare ? "{{ file }}" : (pdf.file ?? null),
        url: pdf.pdf_url ?? null,
        fileName: pdf.filename ?? null,
      },
      code: { ...toDynamicCode(display, code), domain: pdf.domain ?? null },
    };
  },
  pages(manifest, parts) {
    const { code, page } = manifest;
    const source = resolveSource(manifest.source, folderOf(parts));
    const given = { source, display: code.display_name ?? page.title };
    const { rows, display } = resolveRows(manifest, parts, given);
    const domain = page.domain ?? null;
    return { ...rows, kind: "pages", page, code: { ...toDynamicCode(display, code), domain } };
  },
  forms(manifest, parts) {
    const { form, source: given } = manifest;
    const source: JobRows =
      given === undefined
        ? { ...NO_SPREADSHEET, from: "manifest", file: parts.context.file }
        : resolveSource(given, folderOf(parts));
    const { rows, display } = resolveRows(manifest, parts, { source, display: form.title });
    const domain = form.domain ?? null;
    return { ...rows, kind: "forms", form, code: { ...toDynamicCode(display), domain } };
  },
};

/** Never fails: what it gets has been checked. */
export function resolveRowJob(manifest: RowManifest, parts: RowParts): RowJob {
  const resolve = resolvers[manifest.kind] as (manifest: RowManifest, parts: RowParts) => RowJob;
  return resolve(manifest, parts);
}
