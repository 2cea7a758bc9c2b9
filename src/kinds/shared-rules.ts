/** Rules that several kinds have in common. */
import type { Finding, ManifestTree } from "../job/yaml/manifest-tree.ts";
import type { TreePath } from "../job/yaml/tree.ts";

export const textOf = (manifest: ManifestTree, path: TreePath): string => manifest.text(path) ?? "";

/** Texts that people read must not carry our references. */
export function checkMarker(manifest: ManifestTree): Finding[] {
  const path = ["run", "marker"];
  if (!manifest.has(path) || manifest.is(path, false)) return [];
  const hint = "the title is what visitors read: a reference would stand in it";
  return [{ path, rule: "must be left out for pages and forms", hint }];
}

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

/** Only one row can have a slug, so it must not be the same for all. */
export function checkSlug(manifest: ManifestTree, path: TreePath, isOneRow = false): Finding[] {
  const slug = manifest.text(path);
  if (slug === undefined || slug === "" || slug.includes("{{")) return [];
  const got = `got ${JSON.stringify(slug)}`;
  if (!SLUG.test(slug)) {
    const hint = "1 to 100 of them, no spaces";
    return [{ path, rule: `must be made of letters, digits and hyphens, ${got}`, hint }];
  }
  if (isOneRow) return [];
  const hint = "every row needs its own: name a column, like {{ slug }}";
  return [{ path, rule: `must name a column, ${got}`, hint }];
}
