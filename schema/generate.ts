/**
 * Writes `job.v1.json` from the manifest's shapes, `openapi.v2.json` and its old edition from the API's,
 * the table of application identifiers from GS1's dictionary, and the reference pages of `docs/`.
 * `npm run schema`.
 */
import { readFileSync, writeFileSync } from "node:fs";

import { makeOpenApi } from "../src/api/openapi/openapi.ts";
import { jobSchema } from "../src/kinds/schema.ts";

import { makeAiTable } from "./ai-table.ts";
import {
  makeCommandsPage,
  makeErrorsPage,
  makeManifestPage,
  makeSettingsPage,
} from "./reference.ts";

const at = (name: string): URL => new URL(name, import.meta.url);
const write = (name: string, content: unknown): void =>
  writeFileSync(at(name), `${JSON.stringify(content, null, 2)}\n`);

write("job.v1.json", jobSchema());
write("openapi.v2.json", makeOpenApi("/api/v2"));
write("openapi-3.0.v2.json", makeOpenApi("/api/v2", "3.0"));

const dictionary = readFileSync(at("../test/gs1/data/gs1-syntax-dictionary.txt"), "utf8");
writeFileSync(at("../src/gs1/ai-table.ts"), makeAiTable(dictionary));

writeFileSync(at("../docs/commands.md"), makeCommandsPage());
writeFileSync(at("../docs/errors.md"), makeErrorsPage());
writeFileSync(at("../docs/manifest.md"), makeManifestPage());
writeFileSync(at("../docs/settings.md"), makeSettingsPage());
