/** Writes `job.v1.json` from the manifest's shapes and `openapi.v2.json` from the API's. `npm run schema`. */
import { writeFileSync } from "node:fs";

import { makeOpenApi } from "../src/api/openapi.ts";
import { jobSchema } from "../src/job/schema.ts";

const write = (name: string, content: unknown): void =>
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(content, null, 2)}\n`);

write("job.v1.json", jobSchema());
write("openapi.v2.json", makeOpenApi("/api/v2"));
