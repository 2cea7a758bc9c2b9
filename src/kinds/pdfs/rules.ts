import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";

export function pdfRules(manifest: ManifestTree): Finding[] {
  const isFolder = manifest.has(["source", "folder"]);
  if (isFolder || manifest.has(["pdf", "file"]) || manifest.has(["pdf", "pdf_url"])) return [];
  return [
    {
      path: ["pdf", "file"],
      rule: "must be given when rows come from a spreadsheet, got nothing",
      hint: 'add "file: …" (a file here) or "pdf_url: …" (an address) under pdf',
    },
  ];
}
