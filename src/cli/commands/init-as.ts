/** `init --as`: writes the job that the desk writes of the same choices, and asks nothing. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { toSlug } from "../../base/text/slug.ts";
import { SAMPLE, SAMPLE_THING, writeSample } from "../../desk/screens/new/sample.ts";
import { saveJob } from "../../desk/screens/new/save.ts";
import {
  headersOf,
  lookAt,
  needHeader,
  pickHeader,
  type Look,
  type Shape,
} from "../../pipeline/draft/look.ts";
import { languageOf } from "../../pipeline/draft/manifest.ts";
import { NOTHING_READ } from "../../pipeline/draft/samples.ts";
import type { Roles } from "../../pipeline/draft/roles.ts";
import { factsOf, rolesOf, things, type Thing } from "../../pipeline/draft/things.ts";
import { findUsedColumns, type ColumnsUsed } from "../../pipeline/draft/used-columns.ts";
import { loadSheet } from "../../print/layout/sheet-files.ts";
import { pickWord, type Call } from "../call.ts";
import { findSource, nameAfter, readSaid } from "./init-source.ts";
import { DEFAULT_SHEET, NO_SHEET } from "../command-options.ts";

const COLUMNS_SAID = 10;

function sayColumns(look: Look): string {
  const columns = headersOf(look);
  const said = columns.slice(0, COLUMNS_SAID).map((column) => JSON.stringify(column.trim()));
  return said.join(", ") + (columns.length > COLUMNS_SAID ? ", …" : "");
}

/** `payload=Link` of each. */
function readUses(call: Call, thing: Thing, look: Look): Roles {
  const roles: readonly string[] = rolesOf(thing);
  const uses = call.list("use").map((text) => {
    const [role = "", ...rest] = text.split("=");
    if (rest.length > 0 && roles.includes(role))
      return [role, pickHeader(rest.join("="), "--use", look)];
    const rule = `--use must be ROLE=COLUMN with one of ${roles.join(", ")}`;
    throw badUsage(`${rule}, got ${text}`, didYouMean(role, roles));
  });
  const found = Object.fromEntries(uses) as Roles;
  const missing = factsOf[thing].needed.find((role) => found[role] === undefined);
  if (missing === undefined) return found;
  throw badUsage(
    `--use must name a column for ${missing}, got none`,
    `write --use ${missing}=COLUMN with one of: ${sayColumns(look)}`,
  );
}

/**
 * Writes the manifest, and beside it a spreadsheet that was sent to the desk; returns the columns
 * in use.
 */
export async function initAs(
  call: Call,
  as: string,
): Promise<{ readonly manifest: string; readonly look: Shape } & ColumnsUsed> {
  const { cwd, signal } = call.context;
  const thing = pickWord("--as", things, as);
  const given = call.text("source");
  if (given === undefined && call.input.argument === SAMPLE && thing === SAMPLE_THING) {
    return { manifest: await writeSample(cwd), used: [], left: [], look: NOTHING_READ };
  }
  if (given === undefined) {
    throw badUsage("--source must name a spreadsheet with --as, got none");
  }
  const file = await findSource(call, given);
  const look = await lookAt(file, readSaid(call), signal);
  needHeader(look);
  const name = call.input.argument ?? nameAfter(call, given, languageOf(look.columns));
  if (name === "" || toSlug(name) !== name) {
    throw badUsage(`a name must be lower-case letters, digits and hyphens, got ${name}`);
  }
  const label = call.text("sheet") ?? DEFAULT_SHEET;
  const manifest = await saveJob(cwd, path.relative(cwd, file).replaceAll(path.sep, "/"), {
    name,
    look,
    thing,
    columns: readUses(call, thing, look),
    key: call.list("key").map((column) => pickHeader(column, "--key", look)),
    caption: call.list("caption").map((column) => pickHeader(column, "--caption", look)),
    sheet: label === NO_SHEET ? undefined : (await loadSheet(label, cwd)).name,
  });
  const text = await readFile(path.join(cwd, manifest), "utf8");
  return { manifest, look, ...findUsedColumns(text, headersOf(look)) };
}
