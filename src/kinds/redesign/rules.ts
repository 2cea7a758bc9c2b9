import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { nodeAt } from "../../job/yaml/tree.ts";

export function redesignRules(manifest: ManifestTree): Finding[] {
  const node = nodeAt(manifest.root, ["design"]);
  const findings: Finding[] = [];
  if (node?.kind === "map" && node.entries.length === 0) {
    const rule = "must name at least one field, got none";
    findings.push({ path: ["design"], rule, hint: 'like primary_color: "#0a3d62"' });
  }
  const logos = ["logo_file", "logo_url"].filter((field) => manifest.has(["design", field]));
  const isRemoved = manifest.is(["design", "remove_logo"], true);
  if (logos.length + Number(isRemoved) > 1) {
    const path = ["design", logos.at(-1) ?? "remove_logo"];
    const hint = "one of logo_file, logo_url and remove_logo";
    findings.push({ path, rule: "must be the only field about a logo", hint });
  }
  return findings;
}
