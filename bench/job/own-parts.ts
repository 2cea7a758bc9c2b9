/** The parts of makeready, and nothing between them. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type * as SqliteModule from "../../src/base/sqlite.ts";
import type * as ZipModule from "../../src/pack/zip.ts";
import type * as SheetFilesModule from "../../src/print/layout/sheet-files.ts";
import type * as SheetsModule from "../../src/print/sheets.ts";
import type * as DesignModule from "../../src/qr/draw/design.ts";
import type * as QrEngineModule from "../../src/qr/engine.ts";
import type * as ProofPoolModule from "../../src/verify/proof-pool.ts";
import type * as VerifyModule from "../../src/verify/verify.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import type { PictureClaim } from "../../src/verify/prover.ts";
import { PNG_PX, toPayload } from "./sheet.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A module of the built program, which runs as the program does. */
const built = <Module>(file: string): Promise<Module> =>
  import(pathToFileURL(path.join(ROOT, "dist", file)).href) as Promise<Module>;

const ROWS_PER_COMMIT = 64;

/**
 * The parts of makeready, each called for each row, and nothing between them: no service, no requests, no
 * plan, no states of rows, no report. What a whole job takes beyond this is what holds it together.
 */
export async function makeWithOwnParts(
  folder: string,
  rows: number,
  proves: boolean,
): Promise<void> {
  const { openQrEngine } = await built<typeof QrEngineModule>("qr/engine.js");
  const { resolveDesign } = await built<typeof DesignModule>("qr/draw/design.js");
  const { openSqlite } = await built<typeof SqliteModule>("base/sqlite.js");
  const { writeZip } = await built<typeof ZipModule>("pack/zip.js");
  const { loadSheet } = await built<typeof SheetFilesModule>("print/layout/sheet-files.js");
  const { writeSheets } = await built<typeof SheetsModule>("print/sheets.js");
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
  sheets: Parameters<typeof VerifyModule.verifySheets>[0],
  files: readonly PictureClaim[],
): Promise<void> {
  const { verifySheets } = await built<typeof VerifyModule>("verify/verify.js");
  const { sharedProver } = await built<typeof ProofPoolModule>("verify/proof-pool.js");
  const prover = sharedProver();
  const { pictures: each } = prover.portions({ pictures: files.length });
  const parts = Array.from({ length: Math.ceil(files.length / each) }, (_, at) =>
    files.slice(at * each, (at + 1) * each),
  );
  const found = await Promise.all(
    parts.map((pictures) => prover.pictures({ pictures, among: files.length })),
  );
  const { decoded } = await verifySheets(sheets);
  const flaws = found.flat().filter((flaw) => flaw !== undefined);
  if (flaws.length > 0 || decoded !== sheets.cells.length)
    throw new Error(`all must be proven, got ${decoded} labels and ${flaws.length} bad pictures`);
}
