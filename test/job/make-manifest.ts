import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { AppError, type Problem } from "../../src/base/errors.ts";
import type { Job, JobOf } from "../../src/kinds/any-job.ts";
import { loadJob, type LoadOptions } from "../../src/kinds/manifest.ts";

export const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-job-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The least that is a job. Parts of it are replaced by name. */
export const PARTS = {
  version: "version: 1",
  name: "name: menu",
  kind: "kind: codes",
  source:
    "source: { file: rows.csv, key: [site], columns: { site: { required: true }, url: { type: url } } }",
  code: 'code: { qr_data: "{{ url }}", display_name: "{{ site }}" }',
  output: "output: { dir: out }",
};

export function makeManifest(
  parts: Partial<Record<keyof typeof PARTS | "more", string>> = {},
): string {
  return Object.values({ ...PARTS, ...parts }).join("\n");
}

let count = 0;

export function writeManifest(content: string | Uint8Array, name = "job.yaml"): string {
  count += 1;
  const file = path.join(folder, String(count), name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The job of a manifest; of kind codes unless its name is given. */
export async function load<K extends Job["kind"] = "codes">(
  content: string,
  options: Partial<LoadOptions> = {},
): Promise<JobOf<K>> {
  return (await loadJob(writeManifest(content), { env: {}, ...options })) as JobOf<K>;
}

/** The AppError that loading ends in. */
export async function failureOf(
  content: string | Uint8Array,
  options: Partial<LoadOptions> & { name?: string } = {},
): Promise<AppError> {
  const { name, ...rest } = options;
  return failureOfFile(writeManifest(content, name), rest);
}

export async function failureOfFile(
  file: string,
  options: Partial<LoadOptions> = {},
): Promise<AppError> {
  try {
    await loadJob(file, { env: {}, ...options });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("loading should have failed");
}

/** `line:column message (hint)`, for comparing many at once. */
export function show({ message, where, hint }: Problem): string {
  const place = [where?.line, where?.column].filter((part) => part !== undefined).join(":");
  return `${place} ${message}${hint === undefined || hint === "" ? "" : ` (${hint})`}`;
}

export async function problemsOf(
  content: string,
  options: Partial<LoadOptions> = {},
): Promise<string[]> {
  return (await failureOf(content, options)).problems.map(show);
}
