/** Which columns of a spreadsheet a manifest uses, and for what. Pure. */
import { findColumnUses } from "../../job/template/column-uses.ts";
import { nodeAt, type TreeNode } from "../../job/yaml/tree.ts";
import { parseYaml } from "../../job/yaml/yaml.ts";

export interface UsedColumn {
  /** Header of the spreadsheet. */
  readonly column: string;
  /** Fields of the manifest that name it, such as `code.qr_data`. */
  readonly fields: readonly string[];
  /** What its cells must be, such as `url`, where the manifest says it. */
  readonly type?: string;
}

export interface ColumnsUsed {
  readonly used: readonly UsedColumn[];
  /** Headers that the manifest doesn't use. */
  readonly left: readonly string[];
}

/** Header -> name, of columns that `source.columns` has under another name. */
function readAliases(root: TreeNode): Map<string, string> {
  const columns = nodeAt(root, ["source", "columns"]);
  const entries = columns?.kind === "map" ? columns.entries : [];
  const named = new Map<string, string>();
  for (const { key } of entries) {
    const aliases = nodeAt(root, ["source", "columns", key, "aliases"]);
    for (const item of aliases?.kind === "list" ? aliases.items : [])
      if (item.kind === "scalar") named.set(item.text, key);
  }
  return named;
}

/** `headers`: those of the spreadsheet. `manifest`: the text of a good one. */
export function findUsedColumns(manifest: string, headers: readonly string[]): ColumnsUsed {
  const { root } = parseYaml(manifest, "");
  if (root === undefined) return { used: [], left: [...headers] };
  const aliases = readAliases(root);
  const { uses } = findColumnUses(root, "");
  const told = [...new Set(headers.map((header) => header.trim()))].map((column) => {
    const name = aliases.get(column) ?? column;
    const own = uses.filter((use) => use.column === name);
    const fields = own.map(({ field }) => field.replace(/\[\d+\]$/u, ""));
    const type = nodeAt(root, ["source", "columns", name, "type"]);
    return {
      column,
      fields: [...new Set(fields)],
      ...(type?.kind === "scalar" && { type: type.text }),
    };
  });
  return {
    used: told.filter(({ fields }) => fields.length > 0),
    left: told.filter(({ fields }) => fields.length === 0).map(({ column }) => column),
  };
}

export const sayLeft = (left: readonly string[]): string =>
  `no use for ${left.length === 1 ? "column" : "columns"} ${left.map((column) => JSON.stringify(column)).join(", ")}: left out`;
