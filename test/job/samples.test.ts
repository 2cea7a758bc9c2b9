import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { checkTemplates } from "../../src/job/template/column-uses.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import type { CodesJob } from "../../src/kinds/codes/job.ts";
import { renderTemplate } from "../../src/job/template/template.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";
import { openSource } from "../../src/read/source.ts";

const manifest = fileURLToPath(new URL("../../jobs/table-codes.yaml", import.meta.url));

const loadTables = async (): Promise<CodesJob> =>
  (await loadJob(manifest, { env: {} })) as CodesJob;

async function readRows(): Promise<{ rows: SourceRow[]; unknown: unknown[]; warnings: unknown[] }> {
  const job = await loadTables();
  const source = await openSource(job.source);
  const rows: SourceRow[] = [];
  for await (const row of source.rows()) rows.push(row);
  await source.close();
  return { rows, unknown: checkTemplates(job, source.names), warnings: [...source.warnings] };
}

describe("jobs/table-codes.yaml on samples/tables.csv", () => {
  it("reads hundreds of good rows and the bad ones that were put there", async () => {
    const { rows, unknown, warnings } = await readRows();
    const bad = rows.filter(({ problems }) => problems.length > 0);
    expect({ unknown, warnings }).toEqual({ unknown: [], warnings: [] });
    expect(rows.length - bad.length).toBeGreaterThanOrEqual(480);
    expect(
      bad.map(({ line, problems }) => [line, problems[0]?.where?.column, problems[0]?.message]),
    ).toEqual([
      [78, "Link", 'must be a URL, got "htp://menu.example/schoenblick/order?table=99"'],
      [322, "table", "must not be empty"],
    ]);
  });

  it("has one key twice, and every other once", async () => {
    const { rows } = await readRows();
    const keys = rows
      .filter(({ problems }) => problems.length === 0)
      .map(({ values }) => `${values["site"]} / ${values["table"]}`);
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
    expect(twice).toEqual(["Krog Sjöboden, Malmö / 3"]);
  });

  it.each(["monthly-restyle", "weekly-scans", "export-codes"])(
    "makes the folder that %s selects",
    async (name) => {
      const beside = fileURLToPath(new URL(`../../jobs/${name}.yaml`, import.meta.url));
      const job = await loadJob(beside, { env: {} });
      const folder = "select" in job ? job.select.folder : undefined;
      const { code } = await loadTables();
      const { rows } = await readRows();
      const paths = rows
        .filter(({ problems }) => problems.length === 0)
        .map(({ values }) => `${renderTemplate(code.folder ?? "", values, { nowMs: 0 })}/`);
      expect(paths.some((path) => path.startsWith(`${folder}/`))).toBe(true);
    },
  );

  it("renders every template of every good row", async () => {
    const job = await loadTables();
    const { rows } = await readRows();
    const context = { nowMs: 0 };
    const names = rows
      .filter(({ problems }) => problems.length === 0)
      .map(({ values }) => renderTemplate(job.output.fileName, values, context));
    expect(names[0]).toBe("deutschland-sud/gasthaus-zur-linde-munchen-001");
    expect(new Set(names).size).toBe(names.length - 1);
    expect(names).toContain("unsorted/pop-up-the-yard-bristol-016");
    expect(names).toContain("ελλαδα/ταβερνα-ουρανος-αθηνα-024");
  });

  it("goes on behind a cell of two lines", async () => {
    const { rows } = await readRows();
    expect(rows.at(-1)?.values["note"]).toBe('snug,\nbehind the "old" door');
  });
});
