/** One destination per link type, and nothing to print without codes. */
import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { textOf } from "../shared-rules.ts";

/** One destination per link type, one default (docs/spec/api.md section 4.9). */
function checkProductLinks(manifest: ManifestTree): Finding[] {
  const links = ["product", "links"];
  const seen = new Map<string, number>();
  const findings: Finding[] = [];
  let chosen: number | undefined;
  for (const at of manifest.list(links).keys()) {
    const path = [...links, at, "link_type"];
    const type = textOf(manifest, path);
    const before = seen.get(type);
    if (type !== "" && before !== undefined) {
      const hint = `product.links[${before}] has it already: a product has one destination per link type`;
      findings.push({ path, rule: `must be another for each link, got "${type}" again`, hint });
    }
    seen.set(type, before ?? at);
    if (!manifest.is([...links, at, "is_default"], true)) continue;
    if (chosen !== undefined) {
      const hint = `product.links[${chosen}] is the default already: a product has one`;
      findings.push({
        path: [...links, at, "is_default"],
        rule: "must be true for one link only",
        hint,
      });
    }
    chosen ??= at;
  }
  return findings;
}

/** Without codes there is nothing to be printed. */
function checkProductFiles(manifest: ManifestTree): Finding[] {
  if (manifest.has(["code"])) return [];
  return ["files", "sheets", "zip"].flatMap((field): Finding[] => {
    const path = ["output", field];
    if (!manifest.has(path) || manifest.is(path, false)) return [];
    const hint = 'add "code: {}" to make a GS1 code of every product';
    return [{ path, rule: "must be left out for products without code", hint }];
  });
}

export const productRules = (manifest: ManifestTree): Finding[] => [
  ...checkProductLinks(manifest),
  ...checkProductFiles(manifest),
];
