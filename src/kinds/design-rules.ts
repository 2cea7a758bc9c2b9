/** Faults of a design that hold for all rows: reported once, at the field of the manifest. */
import { isWebUrl } from "../api/fields.ts";
import { contrastHint } from "../base/color/contrast.ts";
import type { Finding, ManifestTree } from "../job/yaml/manifest-tree.ts";
import type { TreePath } from "../job/yaml/tree.ts";
import { checkColors } from "../plan/contrast.ts";
import { rowKinds, type Kind } from "./names.ts";

/** Texts that a row fills in are judged row by row. */
const isSame = (text: string): boolean => !text.includes("{{");

/** The value of a field that is the same for all rows. */
function constantAt(manifest: ManifestTree, path: TreePath): string | undefined {
  const text = manifest.text(path);
  return text !== undefined && isSame(text) ? text : undefined;
}

const HINTS: Partial<Record<Kind, string>> = {
  codes: "a file of this computer goes into logo_file",
  redesign: "a file of this computer goes into logo_file",
};

function checkLogo(manifest: ManifestTree, kind: Kind, design: TreePath): Finding[] {
  const path = [...design, "logo_url"];
  const url = constantAt(manifest, path) ?? "";
  if (url === "" || isWebUrl(url)) return [];
  const rule = `must be an http or https address, got ${JSON.stringify(url)}`;
  return [{ path, rule, hint: HINTS[kind] ?? "name an image that stands on the web" }];
}

const HINT = contrastHint("makes the codes");

/** Colours that scanners can't read, where they are the same for all rows. */
function findUnreadable(manifest: ManifestTree, design: TreePath): readonly string[] {
  const given = ["primary_color", "eye_color", "background_color", "template"].flatMap((field) => {
    const text = manifest.text([...design, field]);
    return text === undefined ? [] : [[field, text] as const];
  });
  const same = Object.fromEntries(given.filter(([, text]) => isSame(text)));
  const isOfRow = (field: string): boolean =>
    given.some(([name, text]) => name === field && !isSame(text));
  if (isOfRow("background_color")) return [];
  if (isOfRow("template")) same["template"] = "";
  const { unreadable } = checkColors(same);
  // Eyes have the colour of the modules unless they have their own.
  return isOfRow("primary_color")
    ? unreadable.filter((message) => message.startsWith("eye_color"))
    : unreadable;
}

/** Colours that no scanner tells apart. */
function checkContrast(manifest: ManifestTree, design: TreePath): Finding[] {
  if (manifest.text(["safety", "contrast"]) === "warn") return [];
  return findUnreadable(manifest, design).map((message) => {
    const [named = ""] = message.split(" ", 1);
    const field = manifest.has([...design, named]) ? named : "background_color";
    const path = [...design, field];
    const rule = `must be a colour that scanners read, got ${JSON.stringify(manifest.text(path))}: ${message}`;
    return { path, rule, hint: HINT };
  });
}

/** Of kinds that style codes or pages. */
export function checkDesign(manifest: ManifestTree, kind: Kind): Finding[] {
  const isOfCodes = kind === "redesign" || rowKinds.some((one) => one === kind);
  if (!isOfCodes) return [];
  const design = kind === "redesign" ? ["design"] : ["code", "design"];
  return [
    ...checkLogo(manifest, kind, design),
    ...checkLogo(manifest, kind, ["form"]),
    ...checkContrast(manifest, design),
  ];
}
