/** Checks the columns that a manifest names: against those of its kind, else against the header. */
import { isRecord } from "../base/is-record.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { codeColumns, numberColumns, pdfColumns, serialColumns } from "../job/columns.ts";
import type { ColumnUse, JobRows } from "../job/job.ts";
import { SourceFields, type SourceShape } from "../job/shapes/source-shape.ts";
import { checkColumnUses } from "../job/template/column-uses.ts";
import { coerce, schemaAt } from "../job/yaml/coerce.ts";
import { nodeAt, type TreeNode } from "../job/yaml/tree.ts";
import type { z } from "zod";
import { kindTable } from "./index.ts";
import { resolveSource } from "./job-parts.ts";
import { selectKinds, type Kind } from "./names.ts";

/** Reads the header of a spreadsheet: every name that templates may use. Throws its problems. */
export type ReadColumns = (
  source: JobRows,
  uses: readonly ColumnUse[],
) => Promise<readonly string[]>;

/** A manifest, as far as it could be read. */
export interface ReadManifest {
  readonly root: TreeNode;
  readonly kind: Kind;
  /** Absolute. */
  readonly file: string;
  readonly uses: readonly ColumnUse[];
}

/** Columns that templates may use where there is no spreadsheet; undefined where its header decides. */
function listColumns({ root, kind }: ReadManifest): readonly string[] | undefined {
  if (selectKinds.some((one) => one === kind) && kind !== "retarget") return codeColumns;
  const has = (field: string): boolean => nodeAt(root, ["source", field]) !== undefined;
  if (kind === "pdfs" && has("folder")) return pdfColumns;
  if (!has("file")) {
    if (has("serial") || has("rows")) return serialColumns;
    if (has("range")) return numberColumns;
  }
  return kind === "forms" && nodeAt(root, ["source"]) === undefined ? [] : undefined;
}

/** Columns that the kind itself doesn't know. Empty where a header decides. */
export function checkKnownColumns(manifest: ReadManifest): Problem[] {
  const columns = listColumns(manifest);
  return columns === undefined ? [] : checkColumnUses(manifest.uses, columns);
}

/** Where the rows come from, even if the rest of the manifest is wrong. */
function readSource({ root, kind, file }: ReadManifest): JobRows | undefined {
  const node = nodeAt(root, ["source"]);
  const schema = schemaAt(kindTable[kind].shape, ["source"]) as z.ZodType | undefined;
  if (node === undefined || schema === undefined) return undefined;
  const written = coerce(node, schema);
  const parsed = [written, keepReadable(written)].map((value) => schema.safeParse(value));
  const found = parsed.find(({ success }) => success)?.data as SourceShape | undefined;
  return found === undefined ? undefined : resolveSource(found, file);
}

/** The fields of a faulty source that say where its header is and how its columns are named. */
function keepReadable(written: unknown): unknown {
  if (!isRecord(written)) return written;
  const { columns, ...fields } = written;
  const shape: Readonly<Record<string, z.ZodType>> = SourceFields.shape;
  const readable = Object.entries(fields).filter(
    ([key, value]) => shape[key]?.safeParse(value).success,
  );
  const named = Object.entries(isRecord(columns) ? columns : {}).map(([name, column]) => {
    const aliases = isRecord(column) ? column["aliases"] : undefined;
    const isList = Array.isArray(aliases) && aliases.every((alias) => typeof alias === "string");
    return [name, isList ? { aliases } : {}] as const;
  });
  return { ...Object.fromEntries(readable), columns: Object.fromEntries(named) };
}

function listDeclared({ root }: ReadManifest): readonly string[] {
  const declared = nodeAt(root, ["source", "columns"]);
  return declared?.kind === "map" ? declared.entries.map(({ key }) => key) : [];
}

/**
 * The same by the header, for a manifest with other mistakes: reports all at once, and nothing that
 * the header would refute. Without a readable header, declared columns decide.
 */
export async function checkByHeader(
  manifest: ReadManifest,
  readColumns: ReadColumns | undefined,
): Promise<readonly Problem[]> {
  const { uses } = manifest;
  if (listColumns(manifest) !== undefined) return [];
  if (readColumns === undefined) {
    const declared = listDeclared(manifest);
    return declared.length === 0 ? [] : checkColumnUses(uses, declared);
  }
  const source = readSource(manifest);
  if (source === undefined || source.from === "stream") return [];
  try {
    return checkColumnUses(uses, await readColumns(source, uses));
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    const { message, hint, where, problems } = error;
    return problems.length > 0 ? problems : [{ message, hint, where }];
  }
}
