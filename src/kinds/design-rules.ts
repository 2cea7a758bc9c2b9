/** What of a design can work for no row: told once, where the manifest says it. */
import { isWebUrl } from "../api/fields.ts";
import type { Finding, ManifestTree } from "../job/yaml/manifest-tree.ts";
import type { TreePath } from "../job/yaml/tree.ts";
import { checkColors } from "../plan/contrast.ts";
import { rowKinds, type Kind } from "./names.ts";

/** Texts that a row fills in are judged row by row. */
const isSame = (text: string): boolean => !text.includes("{{");

const HINTS: Partial<Record<Kind, string>> = {
  codes: "a file of this computer goes into logo_file",
  redesign: "a file of this computer goes into logo_file",
};

function checkLogo(manifest: ManifestTree, kind: Kind, design: TreePath): Finding[] {
  const path = [...design, "logo_url"];
  const url = manifest.text(path) ?? "";
  if (url === "" || !isSame(url) || isWebUrl(url)) return [];
  const rule = `must be an http or https address, got ${JSON.stringify(url)}`;
  return [{ path, rule, hint: HINTS[kind] ?? "name an image that stands on the web" }];
}

const COLORS = ["primary_color", "eye_color", "background_color"] as const;

/** Colours that no scanner tells apart. */
function checkContrast(manifest: ManifestTree, design: TreePath): Finding[] {
  if (manifest.text(["safety", "contrast"]) === "warn") return [];
  const given = [...COLORS, "template"].flatMap((field) => {
    const text = manifest.text([...design, field]);
    return text === undefined ? [] : [[field, text] as const];
  });
  if (!given.every(([, text]) => isSame(text))) return [];
  return checkColors(Object.fromEntries(given)).unreadable.map((message) => {
    const [named = ""] = message.split(" ", 1);
    const field = manifest.has([...design, named]) ? named : "background_color";
    const path = [...design, field];
    const rule = `must be a colour that scanners read, got ${JSON.stringify(manifest.text(path))}: ${message}`;
    const hint =
      "take a darker ink or a lighter background; safety: { contrast: warn } makes the codes all the same";
    return { path, rule, hint };
  });
}

/** Of kinds that style codes. */
export function checkDesign(manifest: ManifestTree, kind: Kind): Finding[] {
  if (kind === "redesign") return checkLogo(manifest, kind, ["design"]);
  if (!rowKinds.some((one) => one === kind)) return [];
  const design = ["code", "design"];
  return [...checkLogo(manifest, kind, design), ...checkContrast(manifest, design)];
}
