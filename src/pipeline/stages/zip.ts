/** One archive per group: the artwork of its rows, their index and checksums. */
import { createHash } from "node:crypto";
import path from "node:path";

import { writeGroupZip } from "../../pack/group-zip.ts";
import type { IndexRow } from "../../pack/index-file.ts";
import type { ZipEntry } from "../../pack/zip.ts";
import type { Work } from "../work.ts";
import { makeGroups } from "./groups.ts";
import { toIndexRow } from "./lookups.ts";
import type { Stage, ZipFile } from "./stage.ts";

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

async function writeZip(work: Work, name: string): Promise<ZipFile> {
  const { entries, bytes, sha256 } = await writeGroupZip(path.join(work.folder, name), {
    artwork: toEntries(work, name),
    rows: toRows(work, name),
    createdAt: new Date(work.createdAt),
  });
  return { file: name, entries, bytes, sha256 };
}

export const zipStage: Stage = {
  name: "zip",
  isTimed: true,
  async make(work) {
    const groups = await makeGroups<ZipFile>(work, {
      kind: "zip",
      shownAs: "archives",
      fingerprint: ({ name }) => Promise.resolve(toFingerprint(work, name)),
      write: ({ name }) => writeZip(work, name),
      filesOf: (kept) => [kept],
    });
    return { zips: groups.map(({ kept }) => kept) };
  },
  recall: ({ state }) => ({
    zips: state.allPackaged("zip").map(({ result }) => result as ZipFile),
  }),
  describe: ({ folder }, { zips }) =>
    zips.map(({ file, bytes, entries }) => ({
      role: "zip",
      file: path.join(folder, file),
      bytes,
      entries,
    })),
  watched: (state) => state.allPackaged("zip").map(({ name }) => name),
  *written(state) {
    for (const { name } of state.groups("zip")) {
      const zip = state.packaged(`zip ${name}`)?.result as ZipFile | undefined;
      if (zip !== undefined) yield zip;
    }
  },
};
