/** One archive per group: the artwork of its rows, their index and checksums. */
import { createHash } from "node:crypto";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { writeGroupZip, type GroupRow } from "../../pack/group-zip.ts";
import { toListedAs } from "../standing/left.ts";
import { PUBLIC_URL } from "../address/public-address.ts";
import type { ListedRow } from "../../state/row.ts";
import type { Work } from "./work.ts";
import { DEFAULT_DELIMITER } from "../../pack/csv.ts";
import { listUnreplaced, makeGroups } from "./groups.ts";
import { toDelimiter, toIndexRow } from "./lookups.ts";
import { type SheetOf, toSheetOf } from "./sheet-of.ts";
import type { Stage, ZipFile } from "./stage.ts";
import { findKept, type KeptFile } from "./sweep.ts";

/** Files lie in an archive as below `artwork/`. */
const toEntryName = (file: string): string => file.replace(/^artwork\//u, "");

/** What archives are made of. */
type Zipped = Pick<Work, "state" | "folder" | "writer" | "createdAt"> & {
  readonly input: Pick<Work["input"], "delimiter">;
  readonly job: Pick<Work["job"], "kind" | "output">;
};

interface ZipGroup {
  readonly name: string;
  /** The same for all groups: asked for once. */
  readonly sheetOf: SheetOf;
}

/** How many rows of an archive are left to do, and how many others lack pictures: none came, or they were wrong. */
interface Missed {
  leftToDo: number;
  leftOut: number;
}

function count(missed: Missed, { state, artwork }: ListedRow): void {
  if (state === "pending") missed.leftToDo += 1;
  else if (artwork === null) missed.leftOut += 1;
}

function* toRows(work: Zipped, { name, sheetOf }: ZipGroup, missed?: Missed): Iterable<GroupRow> {
  const publicUrl = work.state.meta(PUBLIC_URL);
  const names = { publicUrl, toName: toEntryName, sheetOf };
  for (const row of work.state.zipRows(name, toListedAs(work.job.kind))) {
    if (missed !== undefined) count(missed, row);
    const files = row.artwork?.files ?? [];
    yield {
      name: row.placing.fileBase,
      index: toIndexRow(row, names),
      entries: files.map((file) => ({
        name: toEntryName(file.name),
        path: path.join(work.folder, file.name),
        sha256: file.sha256,
      })),
    };
  }
}

/** Changes whenever the archives of a group would. */
export function fingerprintZip(work: Zipped, group: ZipGroup): string {
  const hash = createHash("sha256");
  hash.update(`${work.writer}\n${work.createdAt}`);
  const delimiter = toDelimiter(work);
  if (delimiter !== DEFAULT_DELIMITER) hash.update(`\n${delimiter}`);
  for (const { index } of toRows(work, group)) hash.update(`\n${JSON.stringify(index)}`);
  return hash.digest("hex");
}

/** Notes a picture that is not what was written, so that the next run fetches it. */
function noteDamage({ state, folder }: Work, group: string, error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "artwork-unusable") return;
  const file = error.where?.file;
  for (const { key, artwork } of state.zipRows(group)) {
    const isIts = artwork?.files.some(({ name }) => path.join(folder, name) === file) === true;
    if (!isIts) continue;
    state.pictures.setSpoiled(key, "lost");
    return;
  }
}

async function writeZips(work: Work, group: ZipGroup): Promise<readonly ZipFile[]> {
  const { name } = group;
  const hasPictures = work.job.output.files.length > 0;
  const missed: Missed = { leftToDo: 0, leftOut: 0 };
  const volumes = await writeGroupZip(path.join(work.folder, name), {
    rows: toRows(work, group, missed),
    createdAt: new Date(work.createdAt),
    delimiter: toDelimiter(work),
  }).catch((error: unknown) => {
    noteDamage(work, name, error);
    throw error;
  });
  const { leftToDo, leftOut } = missed;
  return volumes.map(({ file, entries, bytes, sha256, lastName }, at) => ({
    file: path.relative(work.folder, file),
    entries,
    bytes,
    sha256,
    group: name,
    lastName,
    ...(at === 0 && leftToDo > 0 && { leftToDo }),
    ...(at === 0 && leftOut > 0 && hasPictures && { leftOut }),
  }));
}

/** The state's record of a group; states that are older than volumes have one archive. */
export const toZipFiles = (kept: unknown): readonly ZipFile[] =>
  Array.isArray(kept) ? (kept as readonly ZipFile[]) : [kept as ZipFile];

/** The archives that a run made, as the state remembers them. */
export const readZipGroups = (
  state: Work["state"],
): { readonly name: string; readonly files: readonly ZipFile[] }[] =>
  (state.allPackaged("zip").length === 0 ? [] : state.groups("zip")).flatMap(({ name }) => {
    const kept = state.packaged(`zip ${name}`);
    return kept === undefined ? [] : [{ name, files: toZipFiles(kept.result) }];
  });

/** Archives of groups whose rows are bad now, but for those whose names are those of today's. */
function keepZips({ state, folder }: Work, today: readonly ZipFile[]): Promise<KeptFile[]> {
  const files = listUnreplaced(state, "zip").flatMap(({ result }) => toZipFiles(result));
  const taken = new Set(today.map(({ file }) => file));
  return findKept(
    folder,
    files.map(({ file }) => file).filter((file) => !taken.has(file)),
  );
}

export const zipStage: Stage = {
  name: "zip",
  isTimed: true,
  async make(work, { kept: before, swept: others }) {
    const sheetOf = toSheetOf(work);
    const { groups, swept } = await makeGroups<readonly ZipFile[]>(work, {
      kind: "zip",
      shownAs: "archives",
      fingerprint: ({ name }) => Promise.resolve(fingerprintZip(work, { name, sheetOf })),
      write: ({ name }) => writeZips(work, { name, sheetOf }),
      filesOf: toZipFiles,
    });
    const zips = groups.flatMap(({ kept }) => toZipFiles(kept));
    return {
      zips,
      kept: [...before, ...(await keepZips(work, zips))],
      swept: [...others, ...swept],
    };
  },
  async recall(work, { kept }) {
    const { state } = work;
    const unreplaced = new Set(listUnreplaced(state, "zip").map(({ name }) => name));
    const packed = state.allPackaged("zip").filter(({ name }) => !unreplaced.has(name));
    const zips = packed.flatMap(({ result }) => toZipFiles(result));
    return { zips, kept: [...kept, ...(await keepZips(work, zips))] };
  },
  describe: ({ folder }, { zips }) =>
    zips.map(({ file, bytes, entries, leftToDo, leftOut }) => ({
      role: "zip",
      file: path.join(folder, file),
      bytes,
      entries,
      ...(leftToDo !== undefined && { leftToDo }),
      ...(leftOut !== undefined && { leftOut }),
    })),
  watched: (state) =>
    state.allPackaged("zip").flatMap(({ result }) => toZipFiles(result).map(({ file }) => file)),
  *written(state) {
    for (const { files } of readZipGroups(state)) yield* files;
  },
};
