/**
 * Reading CSV: makeready's source (detection, checks, physical lines, normalised values) against
 * csv-parse alone, which does none of that. Prints CPU time, growth of memory and the ratio.
 *
 * npx tsx bench/read.ts [rows]
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";

import { parse } from "csv-parse";

import type { ColumnRule, JobSource } from "../src/job/job.ts";
import { openSource } from "../src/read/source.ts";

const ROWS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;
const HEADER = "site,table,region,Link,note,price,opened,ref";

async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${HEADER}\n`);
  for (let n = 0; n < ROWS; n += 1) {
    const day = String((n % 28) + 1).padStart(2, "0");
    const line = `München ${n % 500},${n % 80},Region ${n % 20},https://menu.example/r/${n}?t=${n % 80}&lang=de,"by the bar, ${n}",${n % 100}.50,2026-11-${day},R-${n}\n`;
    if (!out.write(line)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

const column = (rule: Partial<ColumnRule>): ColumnRule => ({
  type: "text",
  required: false,
  default: null,
  aliases: [],
  ...rule,
});

const makeSource = (file: string): JobSource => ({
  file,
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  key: ["site", "table"],
  columns: {
    site: column({ required: true }),
    table: column({ type: "integer", required: true }),
    url: column({ type: "url", required: true, aliases: ["link"] }),
    opened: column({ type: "date" }),
    price: column({ type: "number" }),
  },
  skipHiddenRows: false,
  merged: "warn",
});

type Pass = (file: string, tick: () => void) => Promise<number>;

const passes: Readonly<Record<string, Pass>> = {
  "csv-parse alone": async (file, tick) => {
    let rows = 0;
    for await (const _ of createReadStream(file).pipe(parse({ columns: true }))) {
      rows += 1;
      if (rows % 5000 === 0) tick();
    }
    return rows;
  },
  makeready: async (file, tick) => {
    const source = await openSource(makeSource(file));
    let rows = 0;
    for await (const row of source.rows()) {
      rows += Number(row.problems.length === 0);
      if (rows % 5000 === 0) tick();
    }
    await source.close();
    return rows;
  },
};

interface Figures {
  readonly cpuMs: number;
  readonly grownMb: number;
}

async function measure(pass: Pass, file: string): Promise<Figures> {
  const before = process.memoryUsage().rss;
  let highest = before;
  const start = process.cpuUsage();
  const rows = await pass(file, () => {
    highest = Math.max(highest, process.memoryUsage().rss);
  });
  const { user, system } = process.cpuUsage(start);
  if (rows !== ROWS) throw new Error(`${rows} rows instead of ${ROWS}`);
  return { cpuMs: (user + system) / 1000, grownMb: (highest - before) / 1e6 };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-bench-"));
try {
  const file = path.join(folder, "rows.csv");
  await writeRows(file);
  const results = new Map<string, Figures[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, pass] of Object.entries(passes)) {
      results.set(name, [...(results.get(name) ?? []), await measure(pass, file)]);
    }
  }
  const cpu = (name: string): number => median((results.get(name) ?? []).map(({ cpuMs }) => cpuMs));
  for (const [name, figures] of results) {
    const grown = Math.max(...figures.map(({ grownMb }) => grownMb));
    const ratio = (cpu(name) / cpu("csv-parse alone")).toFixed(2);
    console.log(
      `${name}: ${ROWS} rows x 8 columns, CPU ${cpu(name).toFixed(0)} ms (x ${ratio}), memory + ${grown.toFixed(0)} MB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
