import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";

/** The fields that each type of code is made from. */
const CONTENT: Readonly<Record<string, string>> = {
  Link: "qr_data",
  Text: "qr_data",
  vCard: "vcard",
  GS1: "gs1_product",
};

function checkContent(manifest: ManifestTree): Finding[] {
  const type = manifest.type();
  const wanted = CONTENT[type];
  if (wanted === undefined || !manifest.has(["code"])) return [];
  const findings: Finding[] = [];
  if (!manifest.has(["code", wanted])) {
    findings.push({
      path: ["code", wanted],
      rule: `must be given for type ${type}, got nothing`,
      hint: `add "${wanted}: …" under code`,
    });
  }
  for (const other of new Set(Object.values(CONTENT))) {
    const path = ["code", other];
    if (other === wanted || !manifest.has(path)) continue;
    const hint = `type ${type} is made from ${wanted}`;
    findings.push({ path, rule: `must be left out for type ${type}`, hint });
  }
  return findings;
}

function checkDynamic(manifest: ManifestTree): Finding[] {
  const dynamic = ["code", "dynamic"];
  const type = manifest.type();
  const findings: Finding[] = [];
  if (type === "Text" && manifest.is(dynamic, true)) {
    const hint = "remove it, or use type Link";
    findings.push({ path: dynamic, rule: "must be false for type Text, got true", hint });
  }
  if (type === "GS1" && manifest.is(dynamic, false)) {
    const hint = "remove it: GS1 codes are always dynamic";
    findings.push({ path: dynamic, rule: "must be true for type GS1, got false", hint });
  }
  if (!manifest.isDynamic()) {
    const hint = 'add "dynamic: true" under code';
    if (manifest.is(["code", "gps_tracking"], true)) {
      const path = ["code", "gps_tracking"];
      findings.push({ path, rule: "must go with a dynamic code", hint });
    }
    if (manifest.has(["code", "domain"])) {
      findings.push({ path: ["code", "domain"], rule: "must go with a dynamic code", hint });
    }
  }
  return findings;
}

/** A code has one logo. */
function checkLogos(manifest: ManifestTree): Finding[] {
  const design = ["code", "design"];
  const both = ["logo_file", "logo_url"].every((field) => manifest.has([...design, field]));
  if (!both) return [];
  const hint = "one of logo_file and logo_url";
  return [{ path: [...design, "logo_url"], rule: "must be the only field about a logo", hint }];
}

export const codeRules = (manifest: ManifestTree): Finding[] => [
  ...checkLogos(manifest),
  ...checkContent(manifest),
  ...checkDynamic(manifest),
];
