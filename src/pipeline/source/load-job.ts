/** Manifests, read along with the headers of their spreadsheets. */
import type { Job } from "../../kinds/any-job.ts";
import * as manifest from "../../kinds/manifest.ts";
import type { ReadColumns } from "../../kinds/column-check.ts";
import { openSource } from "../../read/source.ts";

const readColumns: ReadColumns = async (source, uses) => {
  const opened = await openSource(
    source,
    uses.map(({ column }) => column),
  );
  await opened.close();
  return opened.names;
};

/** Reads a manifest and makes it a Job: see `loadJob` of `kinds/`. */
export const loadJob = (file: string, options: manifest.LoadOptions): Promise<Job> =>
  manifest.loadJob(file, { readColumns, ...options });

/** The final job, value by value: see `explainJob` of `kinds/`. */
export const explainJob = (
  file: string,
  options: manifest.LoadOptions,
): ReturnType<typeof manifest.explainJob> => manifest.explainJob(file, { readColumns, ...options });
