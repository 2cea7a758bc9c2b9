import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface JobFolder {
  readonly root: string;
  readonly manifest: string;
  readonly csv: string;
  readonly out: string;
  readonly data: string;
}

const MANIFEST = `version: 1
name: flow
kind: codes
source:
  file: ../rows.csv
  key: [site, table]
  columns:
    site: { required: true }
    table: { type: integer, required: true }
    url: { type: url, required: true, aliases: [Link] }
    region: { default: Unsorted }
code:
  type: Link
  dynamic: true
  qr_data: "{{ url }}"
  display_name: "{{ site }} / table {{ table }}"
  folder: "Tables/{{ region }}/{{ site }}"
  design: { error_correction: Q }
output:
  dir: ../out
  files: [svg, png]
  file_name: "{{ region | slug }}/{{ site | slug }}-{{ table | pad: 3 }}"
  zip: { per: region, name: "tables-{{ region | slug }}.zip" }
  sheets: { sheet: a4-24up-63.5x33.9, per: region, name: "tables-{{ region | slug }}.pdf", caption: "{{ site }} - {{ table }}", marks: [crop], device_dpi: 600 }
  index: [csv, xlsx]
`;

/** `rows` good rows over two regions, with names that need care, and two bad ones. */
export function makeRows(rows: number): string {
  const lines = ["site,table,region,Link"];
  for (let n = 0; n < rows; n += 1) {
    const site = n % 3 === 0 ? `"Café Łódź, Plac ${n % 7}"` : `Ταβέρνα ${n % 5}`;
    const region = n % 2 === 0 ? "North" : "South";
    lines.push(`${site},${n},${region},https://menu.example/t/${n}?utm_source=qr&n=${n}`);
  }
  lines.push("Bad link,1,North,htp://nowhere", "No table,,South,https://menu.example/");
  return `${lines.join("\n")}\n`;
}

function makeRoot(): JobFolder {
  const root = mkdtempSync(path.join(os.tmpdir(), "makeready-flow-"));
  return {
    root,
    manifest: path.join(root, "jobs", "flow.yaml"),
    csv: path.join(root, "rows.csv"),
    out: path.join(root, "out"),
    data: path.join(root, ".makeready"),
  };
}

/** A folder with a job in it, as a print shop would have it. */
export function makeJobFolder(csv: string, manifest = MANIFEST): JobFolder {
  const files = makeRoot();
  mkdirSync(path.dirname(files.manifest));
  writeFileSync(files.manifest, manifest);
  writeFileSync(files.csv, csv);
  return files;
}

/** What `make` comes to, a run of the job among it, is made once per name: each test has a copy of its own. */
export function madeOnce<Name extends string>(
  make: (name: Name) => Promise<JobFolder>,
): (name: Name) => Promise<JobFolder> {
  const made = new Map<Name, Promise<JobFolder>>();
  return async (name) => {
    const first = made.get(name) ?? make(name);
    made.set(name, first);
    const copy = makeRoot();
    cpSync((await first).root, copy.root, { recursive: true, preserveTimestamps: true });
    return copy;
  };
}

/** A job of short links with a `design`, and `beside` its manifest the pictures that this names. */
export function makeDesignJob(
  csv: string,
  { design, output }: { readonly design: string; readonly output: string },
  beside: Readonly<Record<string, string | Uint8Array>>,
): JobFolder {
  const files = makeJobFolder(
    csv,
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url } } }
code:
  type: Link
  dynamic: true
  qr_data: "{{ url }}"
  design: { ${design} }
output: { dir: ../out, file_name: "{{ n }}", ${output} }
`,
  );
  for (const [name, bytes] of Object.entries(beside)) {
    writeFileSync(path.join(path.dirname(files.manifest), name), bytes);
  }
  return files;
}
