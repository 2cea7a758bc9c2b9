import { readdirSync } from "node:fs";
import path from "node:path";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { JobFolder } from "./job-folder.ts";

/** Codes in the embedded service of a job. */
export function countCodes({ data }: Pick<JobFolder, "data">): number {
  const [name = ""] = readdirSync(data).filter((file) => file.endsWith(".db"));
  const db = openSqlite(path.join(data, name));
  const count = db.get<{ n: number }>("SELECT count(*) AS n FROM codes")?.n ?? -1;
  db.close();
  return count;
}
