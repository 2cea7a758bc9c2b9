import { mkdir } from "node:fs/promises";
import path from "node:path";

import { makeIndexCsv, type IndexRow } from "./index-file.ts";
import { writeZipWith, type OpenZip, type ZipEntry, type ZipResult } from "./zip.ts";

const INDEX_NAME = "index.csv";
const CHECKSUMS_NAME = "SHA256SUMS";

/** One row of a group: its line of the index, and its files under the names they have in the archive. */
export interface GroupRow {
  /** The name of its files; rows are sorted by it. */
  readonly name: string;
  /** `files` as named in the archive; `zip` names the first archive of the group. */
  readonly index: IndexRow;
  readonly entries: readonly ZipEntry[];
}

/** Limits of an archive, so that people can open it. */
export interface VolumeLimits {
  /** With index and checksums. */
  readonly maxEntries: number;
  /**
   * No row is begun beyond this size; so archives stay below the 2 GB (2 x 10^9 bytes) that every
   * tool takes.
   */
  readonly fullBytes: number;
}

export interface GroupZip {
  /** Sorted by their names. */
  readonly rows: AsyncIterable<GroupRow> | Iterable<GroupRow>;
  readonly createdAt: Date;
  readonly limits?: VolumeLimits | undefined;
  /** Of the index; default: comma. */
  readonly delimiter?: string | undefined;
}

/** One archive of a group. */
export interface ZipVolume extends ZipResult {
  /** Number of the group's rows in it. */
  readonly rows: number;
  /** Of its last row. */
  readonly lastName: string;
}

const LIMITS: VolumeLimits = { maxEntries: 20_000, fullBytes: 1_900_000_000 };
const OWN_ENTRIES = 2;

/**
 * How many archives so many rows of so many files each take; more where their files are large. An
 * index without files is one.
 */
export const countVolumes = (rows: number, filesPerRow: number): number =>
  filesPerRow === 0
    ? 1
    : Math.max(1, Math.ceil(rows / Math.floor((LIMITS.maxEntries - OWN_ENTRIES) / filesPerRow)));

/** `tables.zip`, `tables-2.zip`, `tables-3.zip` */
export const toVolumeName = (file: string, number: number): string =>
  number === 1 ? file : file.replace(/(\.zip)?$/iu, (suffix) => `-${number}${suffix}`);

/** The rows of a group, the next one seen before it is taken. */
class RowFeed {
  readonly #rows: AsyncIterator<GroupRow>;
  #next: IteratorResult<GroupRow, unknown>;

  private constructor(rows: AsyncIterator<GroupRow>, next: IteratorResult<GroupRow, unknown>) {
    this.#rows = rows;
    this.#next = next;
  }

  static async open(rows: GroupZip["rows"]): Promise<RowFeed> {
    const iterator = (async function* all() {
      yield* rows;
    })();
    return new RowFeed(iterator, await iterator.next());
  }

  get next(): GroupRow | undefined {
    return this.#next.done === true ? undefined : this.#next.value;
  }

  async skip(): Promise<void> {
    this.#next = await this.#rows.next();
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }
}

type Filled = Pick<ZipVolume, "rows" | "lastName">;

/** Adds rows until the archive is full, then their index and checksums. */
async function fillVolume(
  zip: OpenZip,
  feed: RowFeed,
  number: number,
  { limits = LIMITS, delimiter }: Pick<GroupZip, "limits" | "delimiter">,
): Promise<Filled> {
  const index: IndexRow[] = [];
  const checksums: string[] = [];
  let lastName = "";
  const add = async (entry: ZipEntry): Promise<void> => {
    checksums.push(`${await zip.add(entry)}  ${entry.name}\n`);
  };
  const isFull = ({ entries }: GroupRow): boolean =>
    zip.bytesIn >= limits.fullBytes ||
    checksums.length + entries.length + OWN_ENTRIES > limits.maxEntries;
  for (let row = feed.next; row !== undefined; row = feed.next) {
    if (index.length > 0 && isFull(row)) break;
    for (const entry of row.entries) await add(entry);
    const { zip: first } = row.index;
    index.push({ ...row.index, zip: first && toVolumeName(first, number) });
    lastName = row.name;
    await feed.skip();
  }
  await add({ name: INDEX_NAME, chunks: makeIndexCsv(index, delimiter) });
  await zip.add({ name: CHECKSUMS_NAME, data: checksums.join("") });
  return { rows: index.length, lastName };
}

/**
 * The archives of one group: its artwork, its `index.csv`, and `SHA256SUMS` over both, which
 * `sha256sum --check` reads. A group that doesn't fit into one goes on in `-2.zip`, `-3.zip` and so
 * on, each with its own index and checksums. Each is atomic and repeatable. Errors as of
 * `writeZip`.
 */
export async function writeGroupZip(file: string, group: GroupZip): Promise<ZipVolume[]> {
  await mkdir(path.dirname(file), { recursive: true });
  const volumes: ZipVolume[] = [];
  const feed = await RowFeed.open(group.rows);
  try {
    do {
      const number = volumes.length + 1;
      let filled: Filled = { rows: 0, lastName: "" };
      const written = await writeZipWith(toVolumeName(file, number), group, async (zip) => {
        filled = await fillVolume(zip, feed, number, group);
      });
      volumes.push({ ...written, ...filled });
    } while (feed.next !== undefined);
  } finally {
    await feed.close();
  }
  return volumes;
}
