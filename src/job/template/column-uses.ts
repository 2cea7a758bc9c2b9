import type { Problem } from "../../base/errors.ts";
import { suggest } from "../../base/text/suggest.ts";

import type { ColumnUse, JobCommon } from "../job.ts";
import { builtIns, placeholdersOf, readTemplate } from "./template.ts";
import {
  nodeAt,
  toFieldName,
  type ScalarNode,
  type TreeNode,
  type TreePath,
} from "../yaml/tree.ts";

/** Fields with templates; `*` is every entry of a map or a list. */
const TEMPLATE_PATHS: readonly TreePath[] = [
  ["code", "qr_data"],
  ["code", "display_name"],
  ["code", "folder"],
  ["code", "tags", "*"],
  ["code", "vcard", "*"],
  ["code", "gs1_product", "*"],
  ["code", "design", "*"],
  ["product", "identifier_value"],
  ["product", "batch_lot"],
  ["product", "serial_number"],
  ["product", "expiry_date"],
  ["product", "links", "*", "title"],
  ["product", "links", "*", "destination_url"],
  ["product", "links", "*", "language"],
  ["product", "links", "*", "media_type"],
  ["link", "link"],
  ["link", "slug"],
  ["link", "display_name"],
  ["pdf", "file"],
  ["pdf", "pdf_url"],
  ["pdf", "filename"],
  ["page", "title"],
  ["page", "description"],
  ["page", "links", "*", "*"],
  ["page", "bg_color"],
  ["page", "text_color"],
  ["page", "slug"],
  ["form", "*"],
  ["form", "fields", "*", "label"],
  ["form", "fields", "*", "placeholder"],
  ["form", "fields", "*", "options", "*"],
  ["form", "fields", "*", "options", "*", "*"],
  ["design", "*"],
  ["match", "value"],
  ["expect"],
  ["set", "qr_data"],
  ["set", "display_name"],
  ["set", "folder"],
  ["set", "tags", "*"],
  ["output", "dir"],
  ["output", "file_name"],
  ["output", "zip", "name"],
  ["output", "sheets", "name"],
  ["output", "sheets", "copies"],
  ["output", "sheets", "caption"],
  ["output", "sheets", "caption", "*"],
  ["output", "sheets", "label", "texts", "*"],
  ["output", "sheets", "label", "items", "*", "text"],
  ["output", "sheets", "label", "items", "*", "data"],
  ["output", "sheets", "back", "label", "texts", "*"],
  ["output", "sheets", "back", "label", "items", "*", "text"],
  ["output", "sheets", "back", "label", "items", "*", "data"],
];

const COLUMN_PATHS: readonly TreePath[] = [
  ["source", "key", "*"],
  ["output", "zip", "per"],
  ["output", "sheets", "per"],
];

interface Found {
  readonly node: ScalarNode;
  readonly path: TreePath;
}

function keysOf(node: TreeNode | undefined): PropertyKey[] {
  if (node?.kind === "map") return node.entries.map(({ key }) => key);
  return node?.kind === "list" ? [...node.items.keys()] : [];
}

function findTexts(root: TreeNode, pattern: TreePath): Found[] {
  const star = pattern.indexOf("*");
  const above = star < 0 ? pattern : pattern.slice(0, star);
  const node = nodeAt(root, above);
  if (star >= 0) {
    const below = pattern.slice(star + 1);
    return keysOf(node).flatMap((key) => findTexts(root, [...above, key, ...below]));
  }
  return node?.kind === "scalar" && node.value !== null ? [{ node, path: pattern }] : [];
}

export interface TemplateFindings {
  readonly uses: ColumnUse[];
  /** Templates that can't be read. */
  readonly problems: Problem[];
}

function readUses({ node, path }: Found, file: string): TemplateFindings {
  const field = toFieldName(path);
  const { template, faults } = readTemplate(node.text);
  const toWhere = (offset: number) => ({
    file,
    ...node.place,
    column: node.textColumn === undefined ? node.place.column : node.textColumn + offset,
    field,
  });
  return {
    uses: placeholdersOf(template).map(({ column, offset }) => ({
      column,
      field,
      where: toWhere(offset),
    })),
    problems: faults.map(({ message, hint, offset }) => ({
      message: `${field}: ${message}`,
      hint,
      where: toWhere(offset),
    })),
  };
}

/** Every column that a manifest names, and every template in it that can't be read. */
export function findColumnUses(root: TreeNode, file: string): TemplateFindings {
  const read = TEMPLATE_PATHS.flatMap((path) => findTexts(root, path)).map((found) =>
    readUses(found, file),
  );
  const named = COLUMN_PATHS.flatMap((path) => findTexts(root, path)).map(({ node, path }) => {
    const field = toFieldName(path);
    return { column: node.text, field, where: { file, ...node.place, field } };
  });
  return {
    uses: [...read.flatMap(({ uses }) => uses), ...named],
    problems: read.flatMap(({ problems }) => problems),
  };
}

const isColumnOnly = ({ field }: ColumnUse): boolean => /^source\.key|\.per$/u.test(field);

/** Uses of columns that are not among `available`. Templates know `date` and `month` besides. */
export function checkColumnUses(
  uses: readonly ColumnUse[],
  available: readonly string[],
): Problem[] {
  const known = new Set(available);
  const isKnown = (use: ColumnUse): boolean =>
    known.has(use.column) ||
    (!isColumnOnly(use) && builtIns.some((builtIn) => builtIn === use.column));
  const list = `columns: ${available.join(", ")}`;
  return uses
    .filter((use) => !isKnown(use))
    .map(({ column, field, where, hint: more }) => {
      const near = suggest(column, available);
      const named = near === undefined ? list : `did you mean "${near}"? ${list}`;
      const hint = more === undefined ? named : `${named}; ${more}`;
      return { message: `${field} must name a column of the source, got "${column}"`, hint, where };
    });
}

/**
 * Columns that the job names and the opened file doesn't have.
 * @param availableColumns `Source.names`
 */
export function checkTemplates(
  job: Pick<JobCommon, "columnUses">,
  availableColumns: readonly string[],
): Problem[] {
  return checkColumnUses(job.columnUses, availableColumns);
}
