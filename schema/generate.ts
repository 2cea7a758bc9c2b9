/** Writes `job.v1.json` from the manifest's shapes. `npm run schema`. */
import { writeFileSync } from "node:fs";

import { jobSchema } from "../src/job/schema.ts";

const file = new URL("job.v1.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(jobSchema(), null, 2)}\n`);
