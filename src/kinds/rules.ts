/**
 * Rules over several fields. They look only at values that are there, so that they work beside
 * other mistakes.
 */
import type { Problem } from "../base/errors.ts";

import { builtIns, columnsOf, readTemplate } from "../job/template/template.ts";
import { checkDesign } from "./design-rules.ts";
import { kindTable } from "./index.ts";
import { rowKinds, type Kind } from "./names.ts";
import { checkSource } from "./source-rules.ts";
import { ManifestTree, type Finding } from "../job/yaml/manifest-tree.ts";
import { nodeAt, placeAt, toFieldName, type TreeNode, type TreePath } from "../job/yaml/tree.ts";

/** A file per group needs a name per group; any other column would differ within a group. */
function checkGroupName(manifest: ManifestTree, output: "zip" | "sheets"): Finding[] {
  const name = manifest.text(["output", output, "name"]);
  if (name === undefined) return [];
  const path = ["output", output, "name"];
  const per = manifest.text(["output", output, "per"]);
  const columns = columnsOf(readTemplate(name).template);
  if (per !== undefined && !columns.includes(per)) {
    const hint = `put {{ ${per} | slug }} into it, or all groups get one file name`;
    return [{ path, rule: `must contain the column of per, got ${JSON.stringify(name)}`, hint }];
  }
  const foreign = columns.find((column) => ![per, "date", "month"].includes(column));
  if (foreign === undefined) return [];
  const hint = per === undefined ? `add "per: ${foreign}"` : `use {{ ${per} }} only`;
  return [{ path, rule: `must name no column but that of per, got "${foreign}"`, hint }];
}

/** Kinds that make nothing new may have a folder per run. */
const datedKinds: readonly Kind[] = ["redesign", "retarget", "report", "export"];

function checkDir(manifest: ManifestTree, kind: Kind): Finding[] {
  const path = ["output", "dir"];
  const dir = manifest.text(path) ?? "";
  const got = `got ${JSON.stringify(dir)}`;
  if (!datedKinds.includes(kind)) {
    if (!dir.includes("{{")) return [];
    const hint = "the state of the job lives there; a new folder would make every code again";
    return [{ path, rule: `must be one fixed folder for kind ${kind}, ${got}`, hint }];
  }
  const foreign = columnsOf(readTemplate(dir).template).find(
    (name) => !builtIns.some((builtIn) => builtIn === name),
  );
  if (foreign === undefined) return [];
  const hint = "one run has one folder: {{ date }} and {{ month }} are those of the run";
  return [{ path, rule: `must name nothing but date and month, got "${foreign}"`, hint }];
}

const isWorkbook = (node: TreeNode): boolean => node.kind === "scalar" && node.text === "xlsx";

/** Pictures of the index are made of the artwork, and only a workbook holds them. */
function checkPictures(manifest: ManifestTree): Finding[] {
  const path = ["output", "index", "pictures"];
  if (manifest.text(path) !== "true") return [];
  const formats = nodeAt(manifest.root, ["output", "index", "formats"]);
  if (formats?.kind === "list" && !formats.items.some(isWorkbook)) {
    const hint = "add xlsx to output.index.formats";
    return [{ path, rule: "must go with the format xlsx: only a workbook holds pictures", hint }];
  }
  const files = nodeAt(manifest.root, ["output", "files"]);
  if (files?.kind !== "list" || files.items.length > 0) return [];
  const hint = "add svg or png to output.files";
  return [{ path, rule: "must go with artwork, of which pictures are made", hint }];
}

/** Codes that exist have no column that says how many labels they want. */
function checkCopies(manifest: ManifestTree, kind: Kind): Finding[] {
  const path = ["output", "sheets", "copies"];
  if (rowKinds.some((one) => one === kind)) return [];
  const copies = manifest.text(path);
  if (copies === undefined || !copies.includes("{{")) return [];
  const rule = `must be a number for kind ${kind}, got ${JSON.stringify(copies)}`;
  return [{ path, rule, hint: "copies: 2" }];
}

/** Other fields that say how codes are printed; `undefined` stands for any value. */
const otherPrints: readonly (readonly [field: string, value: string | undefined])[] = [
  ["code_style", undefined],
  ["artwork", "server"],
  ["application", "gs1-pos"],
  ["bar_width_reduction", undefined],
];

/** Designed codes have their own looks. */
function checkPrint(manifest: ManifestTree): Finding[] {
  const sheets = ["output", "sheets"];
  const path = [...sheets, "print"];
  if (manifest.text(path) !== "designed") return [];
  return otherPrints.flatMap(([field, value]) => {
    const node = nodeAt(manifest.root, [...sheets, field]);
    const text = manifest.text([...sheets, field]);
    const isOther = value === undefined ? node !== undefined && text !== "0" : text === value;
    if (!isOther) return [];
    const named = value === undefined ? field : `${field}: ${value}`;
    const hint = `leave out ${named}, or say print: plain`;
    return [
      { path, rule: `must not be designed with ${named}, which prints codes in its own way`, hint },
    ];
  });
}

function checkOutput(manifest: ManifestTree, kind: Kind): Finding[] {
  const findings = [
    ...checkPictures(manifest),
    ...checkPrint(manifest),
    ...checkGroupName(manifest, "zip"),
    ...checkGroupName(manifest, "sheets"),
    ...checkDir(manifest, kind),
    ...checkCopies(manifest, kind),
  ];
  const fileName = manifest.text(["output", "file_name"]);
  if (fileName !== undefined && /\.(?:svg|png|pdf)$/iu.test(fileName)) {
    findings.push({
      path: ["output", "file_name"],
      rule: `must be without extension, got ${JSON.stringify(fileName)}`,
      hint: "leave the extension to output.files",
    });
  }
  return findings;
}

const toNameKey = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

function checkColumnNames(manifest: ManifestTree): Finding[] {
  const columns = nodeAt(manifest.root, ["source", "columns"]);
  if (columns?.kind !== "map") return [];
  const owners = new Map<string, string>();
  const findings: Finding[] = [];
  const claim = (name: string, owner: string, path: TreePath): void => {
    const other = owners.get(toNameKey(name));
    owners.set(toNameKey(name), other ?? owner);
    if (other === undefined || other === owner) return;
    const hint = `"${name}" would mean both "${other}" and "${owner}"`;
    findings.push({ path, rule: `must mean one column, got "${name}" twice`, hint });
  };
  for (const { key } of columns.entries) claim(key, key, ["source", "columns", key]);
  for (const { key } of columns.entries) {
    const aliases = nodeAt(columns, [key, "aliases"]);
    if (aliases?.kind !== "list") continue;
    for (const [at, alias] of aliases.items.entries()) {
      const path = ["source", "columns", key, "aliases", at];
      if (alias.kind === "scalar") claim(alias.text, key, path);
    }
  }
  return findings;
}

const hasNumbers = (type: string): boolean => type === "number" || type === "integer";

/** Only numbers have decimals. */
function checkDecimals(manifest: ManifestTree): Finding[] {
  const columns = nodeAt(manifest.root, ["source", "columns"]);
  if (columns?.kind !== "map") return [];
  return columns.entries.flatMap(({ key }) => {
    const path = ["source", "columns", key, "decimal"];
    const type = manifest.text(["source", "columns", key, "type"]) ?? "text";
    if (manifest.text(path) === undefined || hasNumbers(type)) return [];
    const rule = `must stand beside type: number or type: integer, got type: ${type}`;
    return [{ path, rule, hint: "name the type, or take decimal out" }];
  });
}

/** Every rule over more than one field. */
export function checkRules(root: TreeNode, kind: Kind, file: string): Problem[] {
  const manifest = new ManifestTree(root);
  const findings = [
    ...kindTable[kind].rules(manifest),
    ...checkDesign(manifest, kind),
    ...checkOutput(manifest, kind),
    ...checkColumnNames(manifest),
    ...checkDecimals(manifest),
    ...checkSource(manifest),
  ];
  return findings.map(({ path, rule, hint }) => {
    const field = toFieldName(path);
    return { message: `${field} ${rule}`, hint, where: { file, ...placeAt(root, path), field } };
  });
}
