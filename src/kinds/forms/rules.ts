import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { checkMarker, checkSlug, textOf } from "../shared-rules.ts";

const WITH_OPTIONS = ["select", "radio", "checkbox"];

function checkFields(manifest: ManifestTree): Finding[] {
  const fields = ["form", "fields"];
  return manifest.list(fields).flatMap((_node, at): Finding[] => {
    const type = textOf(manifest, [...fields, at, "field_type"]);
    const path = [...fields, at, "options"];
    const takesOptions = WITH_OPTIONS.includes(type);
    if (type === "" || takesOptions === manifest.list(path).length > 0) return [];
    if (!takesOptions && !manifest.has(path)) return [];
    const rule = takesOptions
      ? `must be given for field_type ${type}, got nothing`
      : `must be left out for field_type ${type}`;
    return [{ path, rule, hint: `options go with ${WITH_OPTIONS.join(", ")}` }];
  });
}

export const formRules = (manifest: ManifestTree): Finding[] => [
  ...checkFields(manifest),
  ...checkMarker(manifest),
  ...checkSlug(manifest, ["form", "slug"], !manifest.has(["source"])),
];
