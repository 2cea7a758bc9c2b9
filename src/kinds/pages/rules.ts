import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { checkMarker, checkSlug } from "../shared-rules.ts";

export const pageRules = (manifest: ManifestTree): Finding[] => [
  ...checkSlug(manifest, ["page", "slug"]),
  ...checkMarker(manifest),
];
