/** `init --as`: writes the job that the desk writes of the same choices, and asks nothing. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { closing } from "../../base/closing.ts";
import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { toSlug } from "../../base/slug.ts";
import { SAMPLE, SAMPLE_THING, writeSample } from "../../desk/screens/new/sample.ts";
import { saveJob } from "../../desk/screens/new/save.ts";
import { PLAIN_SOURCE } from "../../job/job.ts";
import { rolesOf, things, type Role, type Thing } from "../../pipeline/draft/things.ts";
import { findUsedColumns, type ColumnsUsed } from "../../pipeline/draft/used-columns.ts";
import { loadSheet } from "../../print/layout/sheet-files.ts";
import { withFullestSheet } from "../../read/fullest-sheet.ts";
import { openSource } from "../../read/source.ts";
import type { Call } from "../call.ts";
import { DEFAULT_SHEET, NO_SHEET } from "../command-options.ts";

function readThing(given: string): Thing {
  const found = things.find((one) => one === given);
  if (found !== undefined) return found;
  throw badUsage(
    `--as must be one of ${things.join(", ")}, got ${given}`,
    didYouMean(given, [...things]),
  );
}

interface Read {
  readonly columns: readonly string[];
  readonly sheetName: string | undefined;
  readonly headerRow: number | undefined;
}

async function readHeader(
  file: string,
  sheet: string | undefined,
  signal: AbortSignal,
): Promise<Read> {
  const meant = await withFullestSheet({ ...PLAIN_SOURCE, file, sheet: sheet ?? null });
  return closing(await openSource(meant, [], signal), (source) => {
    const { sheet: sheetName, headerLine } = source.detected;
    const headerRow = headerLine === 1 ? undefined : headerLine;
    return { columns: [...source.columns], sheetName, headerRow };
  });
}

function pick(given: string, flag: string, { columns }: Read): string {
  const found = columns.find((column) => column === given || column.trim() === given.trim());
  if (found !== undefined) return found;
  throw badUsage(
    `${flag} must name a column of the spreadsheet, got ${given}`,
    didYouMean(
      given,
      columns.map((column) => column.trim()),
    ),
  );
}

const COLUMNS_SAID = 10;

function sayColumns({ columns }: Read): string {
  const said = columns.slice(0, COLUMNS_SAID).map((column) => JSON.stringify(column.trim()));
  return said.join(", ") + (columns.length > COLUMNS_SAID ? ", …" : "");
}

/** `payload=Link` of each. */
function readUses(call: Call, thing: Thing, read: Read): Partial<Record<Role, string>> {
  const { needed, more } = rolesOf[thing];
  const roles: readonly string[] = [...needed, ...more];
  const uses = call.list("use").map((text) => {
    const [role = "", ...rest] = text.split("=");
    if (rest.length > 0 && roles.includes(role)) return [role, pick(rest.join("="), "--use", read)];
    const rule = `--use must be ROLE=COLUMN with one of ${roles.join(", ")}`;
    throw badUsage(`${rule}, got ${text}`, didYouMean(role, roles));
  });
  const found = Object.fromEntries(uses) as Partial<Record<Role, string>>;
  const missing = needed.find((role) => found[role] === undefined);
  if (missing === undefined) return found;
  throw badUsage(
    `--use must name a column for ${missing}, got none`,
    `write --use ${missing}=COLUMN with one of: ${sayColumns(read)}`,
  );
}

/**
 * Writes the manifest, and beside it a spreadsheet that was sent to the desk; returns the columns
 * in use.
 */
export async function initAs(
  call: Call,
  as: string,
): Promise<{ readonly manifest: string } & ColumnsUsed> {
  const { cwd, signal } = call.context;
  const thing = readThing(as);
  const given = call.text("source");
  if (given === undefined && call.input.argument === SAMPLE && thing === SAMPLE_THING) {
    return { manifest: await writeSample(cwd), used: [], left: [] };
  }
  if (given === undefined) {
    throw badUsage("--source must name a spreadsheet with --as, got none");
  }
  const file = call.resolve(given);
  const read = await readHeader(file, call.text("worksheet"), signal);
  const name = call.input.argument ?? toSlug(path.parse(given).name);
  if (name === "" || toSlug(name) !== name) {
    throw badUsage(`a name must be lower-case letters, digits and hyphens, got ${name}`);
  }
  const label = call.text("sheet") ?? DEFAULT_SHEET;
  const { sheetName, headerRow } = read;
  const manifest = await saveJob(cwd, path.relative(cwd, file).replaceAll(path.sep, "/"), {
    name,
    thing,
    sheetName,
    headerRow,
    columns: readUses(call, thing, read),
    key: call.list("key").map((column) => pick(column, "--key", read)),
    caption: call.list("caption").map((column) => pick(column, "--caption", read)),
    sheet: label === NO_SHEET ? undefined : (await loadSheet(label, cwd)).name,
  });
  const text = await readFile(path.join(cwd, manifest), "utf8");
  return { manifest, ...findUsedColumns(text, read.columns) };
}
