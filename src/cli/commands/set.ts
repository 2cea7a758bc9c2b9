/** `set`: changes fields of a manifest, as the desk does. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { formatMany } from "../../base/words.ts";
import { readSetting, readUnset } from "../../job/yaml/field-settings.ts";
import { editManifest } from "../../pipeline/edit-manifest.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { readFlag, readList, type CliContext, type Input } from "../context.ts";
import { readDataDir } from "../settings.ts";
import { toPeople } from "../terminal.ts";

export async function setFields(context: CliContext, input: Input): Promise<number> {
  const { cwd, clock, env } = context;
  const edits = [
    ...(input.others ?? []).map(readSetting),
    ...readList(input, "unset").map(readUnset),
  ];
  if (edits.length === 0) {
    throw new AppError("bad-usage", "a field must be named, got none", {
      hint: "for example output.dir=out/test, or --unset output.dir",
    });
  }
  const manifest = input.argument ?? "";
  const file = path.resolve(cwd, manifest);
  const dataDir = readDataDir(context, input);
  const isChanged = await editManifest(file, edits, { clock, env, dataDir, server: embeddedPort });
  const fields = edits.map(({ path: keys }) => keys.join("."));
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", file, fields, isChanged })}\n`);
  } else {
    const said = isChanged
      ? `${formatMany(fields.length, "field")} set: ${fields.join(", ")}`
      : "these fields have these values already; nothing was written";
    toPeople(context).out(`${manifest}: ${said}\n`);
  }
  return 0;
}
