/** Stage 6: one archive per group, made anew only when something in it changed. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { writeGroupZip } from "../../pack/group-zip.ts";
import type { IndexRow } from "../../pack/index-file.ts";
import type { ZipEntry } from "../../pack/zip.ts";
import { toIndexRow } from "./index-stage.ts";
import { sweepPackages } from "./sweep.ts";
import { showStage, type Work } from "./work.ts";

export interface ZipFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly entries: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Files lie in an archive as below `artwork/`. */
const toEntryName = (file: string): string => file.replace(/^artwork\//u, "");

function* toEntries(work: Work, name: string): Iterable<ZipEntry> {
  for (const row of work.state.zipRows(name)) {
    for (const file of row.artwork?.files ?? []) {
      yield {
        name: toEntryName(file.name),
        path: path.join(work.folder, file.name),
        sha256: file.sha256,
      };
    }
  }
}

function* toRows(work: Work, name: string): Iterable<IndexRow> {
  for (const row of work.state.zipRows(name)) yield toIndexRow(row, toEntryName);
}

function toFingerprint(work: Work, name: string): string {
  const hash = createHash("sha256");
  hash.update(`${work.writer}\n${work.createdAt}`);
  for (const row of toRows(work, name)) hash.update(`\n${JSON.stringify(row)}`);
  return hash.digest("hex");
}

/** Packs every group's artwork with its index and checksums. */
export async function makeZips(work: Work): Promise<ZipFile[]> {
  const { state, folder, createdAt } = work;
  const files: ZipFile[] = [];
  const wanted = state.groups("zip");
  for (const { name } of wanted) {
    if (work.signal.aborted) break;
    showStage(work, "archives", files.length, wanted.length);
    const full = path.join(folder, name);
    const fingerprint = toFingerprint(work, name);
    const known = state.packaged(`zip ${name}`);
    const kept = known?.result as ZipFile | undefined;
    const holds = kept !== undefined && known?.fingerprint === fingerprint && existsSync(full);
    if (holds && (await hashFile(full)) === kept.sha256) {
      files.push(kept);
      continue;
    }
    const written = await writeGroupZip(full, {
      artwork: toEntries(work, name),
      rows: toRows(work, name),
      createdAt: new Date(createdAt),
    });
    const { entries, bytes } = written;
    const file: ZipFile = { file: name, entries, bytes, sha256: written.sha256 };
    state.setPackaged(`zip ${name}`, fingerprint, file);
    files.push(file);
  }
  if (work.signal.aborted) return files;
  await sweepPackages(
    work,
    "zip",
    files.map((file) => ({ name: file.file, files: [file] })),
    (result) => [result as ZipFile],
  );
  return files;
}
