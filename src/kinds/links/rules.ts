import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { checkSlug } from "../shared-rules.ts";

export const linkRules = (manifest: ManifestTree): Finding[] =>
  checkSlug(manifest, ["link", "slug"]);
