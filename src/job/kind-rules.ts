/** Rules over several fields of one kind, beside those of codes. */
import type { Kind } from "./kinds.ts";
import type { Finding, ManifestTree } from "./manifest-tree.ts";
import { nodeAt, type TreePath } from "./tree.ts";

const textOf = (manifest: ManifestTree, path: TreePath): string => manifest.text(path) ?? "";

/** One destination per link type, one default (api-v2.md 4.9). */
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

/** What people read must not carry our references. */
function checkMarker(manifest: ManifestTree): Finding[] {
  const path = ["run", "marker"];
  if (!manifest.has(path) || manifest.is(path, false)) return [];
  const hint = "the title is what visitors read: a reference would stand in it";
  return [{ path, rule: "must be left out for pages and forms", hint }];
}

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

/** A slug that is the same for all rows could be given to one of them only. */
function checkSlug(manifest: ManifestTree, path: TreePath, isOneRow = false): Finding[] {
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

function checkPdf(manifest: ManifestTree): Finding[] {
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

function checkDesign(manifest: ManifestTree): Finding[] {
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

function checkSet(manifest: ManifestTree): Finding[] {
  const node = nodeAt(manifest.root, ["set"]);
  if (node?.kind !== "map" || node.entries.length > 0) return [];
  const rule = "must name at least one field, got none";
  return [{ path: ["set"], rule, hint: 'like qr_data: "{{ new_url }}"' }];
}

function checkWindow(manifest: ManifestTree): Finding[] {
  const has = (field: string): boolean => manifest.has(["window", field]);
  const path = ["window", "days"];
  if (has("days") && (has("start") || has("end"))) {
    const hint = "a number of days up to today, or fixed days: not both";
    return [{ path, rule: "must stand without start and end", hint }];
  }
  if (has("end") && !has("start")) {
    const hint = 'add "start: …" under window';
    return [{ path: ["window", "end"], rule: "must go with start", hint }];
  }
  const start = textOf(manifest, ["window", "start"]);
  const end = textOf(manifest, ["window", "end"]);
  if (end === "" || start <= end) return [];
  const rule = `must not be before start (${start}), got "${end}"`;
  return [{ path: ["window", "end"], rule, hint: "swap the two" }];
}

/** kind -> its own rules. */
const rulesOf: Readonly<Record<Kind, (manifest: ManifestTree) => Finding[]>> = {
  codes: () => [],
  products: (manifest) => [...checkProductLinks(manifest), ...checkProductFiles(manifest)],
  links: (manifest) => checkSlug(manifest, ["link", "slug"]),
  pdfs: checkPdf,
  pages: (manifest) => [...checkSlug(manifest, ["page", "slug"]), ...checkMarker(manifest)],
  forms: (manifest) => [
    ...checkFields(manifest),
    ...checkMarker(manifest),
    ...checkSlug(manifest, ["form", "slug"], !manifest.has(["source"])),
  ],
  redesign: checkDesign,
  retarget: checkSet,
  report: checkWindow,
  export: () => [],
};

export const checkOwnFields = (manifest: ManifestTree, kind: Kind): Finding[] =>
  rulesOf[kind](manifest);
