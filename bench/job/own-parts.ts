/** The parts of makeready, and nothing between them. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { writeZip } from "../../src/pack/zip.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { type SheetOptions, writeSheets } from "../../src/print/sheets.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine } from "../../src/qr/engine.ts";
import type { SheetsToVerify } from "../../src/verify/proof/prove-sheets.ts";
import type { PictureClaim } from "../../src/verify/proof/prover.ts";
import { PNG_PX, toPayload } from "./sheet.ts";

const ROWS_PER_COMMIT = 64;

/**
 * The parts of makeready, each called for each row, with nothing between them: no service, no
 * requests, no plan, no states of rows, no report. What a whole job takes in addition is the cost of
 * holding them together.
 */
export async function makeWithOwnParts(
  folder: string,
  rows: number,
  proves: boolean,
): Promise<void> {
  const engine = await openQrEngine();
  const design = resolveDesign({ errorCorrection: "M" });
  const db = openSqlite(path.join(folder, "state.db"));
  db.exec("CREATE TABLE rows (key TEXT PRIMARY KEY, payload TEXT)");
  const all = Array.from({ length: rows }, (_, row) => ({
    key: `T-${row + 1}`,
    payload: toPayload(row),
  }));
  for (let from = 0; from < rows; from += ROWS_PER_COMMIT) {
    const some = all.slice(from, from + ROWS_PER_COMMIT);
    for (const { key, payload } of some) {
      writeFileSync(path.join(folder, `${key}.svg`), engine.svg(payload, design));
      const png = await engine.png(payload, design, { widthPx: PNG_PX });
      writeFileSync(path.join(folder, `${key}.png`), png);
    }
    db.transaction(() => {
      for (const { key, payload } of some) db.run("INSERT INTO rows VALUES (?, ?)", key, payload);
    }, "full");
  }
  db.close();
  const options: SheetOptions = {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Bench",
    createdAt: "2026-01-01T00:00:00Z",
    slug: { job: "bench", input: "rows.csv", inputHash: "0".repeat(64), rehearsal: false },
    marks: ["crop"],
    deviceDpi: 600,
    captionLines: 1,
  };
  const records = all.map(({ key, payload }) => ({
    key,
    payload,
    level: "M" as const,
    caption: [key],
  }));
  const pdf = path.join(folder, "sheets.pdf");
  const { volumes, cells } = await writeSheets(options, records, pdf);
  const files = all.flatMap(({ key, payload }) =>
    ["svg", "png"].map((format) => {
      const name = `${key}.${format}`;
      return { key, name, file: path.join(folder, name), payload };
    }),
  );
  const entries = files.map(({ name, file }) => ({ name, path: file }));
  await writeZip(path.join(folder, "all.zip"), entries, {
    createdAt: new Date("2026-01-01T00:00:00Z"),
  });
  if (proves) await proveOwnParts({ options, volumes, cells }, files);
}

async function proveOwnParts(
  sheets: SheetsToVerify,
  files: readonly PictureClaim[],
): Promise<void> {
  // The code for proving is loaded only when it is used.
  const { proveSheets } = await import("../../src/verify/proof/prove-sheets.ts");
  const { ProofPool } = await import("../../src/verify/proof/proof-pool.ts");
  const prover = new ProofPool();
  const { pictures: each } = prover.portions({ pictures: files.length });
  const parts = Array.from({ length: Math.ceil(files.length / each) }, (_, at) =>
    files.slice(at * each, (at + 1) * each),
  );
  const found = await Promise.all(
    parts.map((pictures) => prover.pictures({ pictures, among: files.length })),
  );
  const { decoded } = await proveSheets({ ...sheets, prover });
  await prover.close();
  const flaws = found.flat().filter((flaw) => flaw !== undefined);
  if (flaws.length > 0 || decoded !== sheets.cells.length)
    throw new Error(`all must be proven, got ${decoded} labels and ${flaws.length} bad pictures`);
}
