import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { nodeAt } from "../../job/yaml/tree.ts";

export function retargetRules(manifest: ManifestTree): Finding[] {
  const node = nodeAt(manifest.root, ["set"]);
  if (node?.kind !== "map" || node.entries.length > 0) return [];
  const rule = "must name at least one field, got none";
  return [{ path: ["set"], rule, hint: 'like qr_data: "{{ new_url }}"' }];
}
