import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { once } from "node:events";
import path from "node:path";
import { finished } from "node:stream/promises";

import { TEMPORARY_SUFFIX } from "../base/atomic-file.ts";
import { makeIndexCsv, type IndexRows } from "./index-file.ts";
import { writeZipWith, type OpenZip, type ZipEntry, type ZipResult } from "./zip.ts";

const INDEX_NAME = "index.csv";
const CHECKSUMS_NAME = "SHA256SUMS";

export interface GroupZip {
  /** The group's files under the names they have in the archive, sorted by name. */
  readonly artwork: AsyncIterable<ZipEntry> | Iterable<ZipEntry>;
  /** The group's part of the index; `files` as named in the archive. Read after the artwork. */
  readonly rows: IndexRows;
  readonly createdAt: Date;
}

/** Lines of `sha256sum --check`, kept on disk while the archive grows: they may be a million. */
class ChecksumFile {
  readonly #file: string;
  readonly #stream;

  constructor(file: string) {
    this.#file = file;
    this.#stream = createWriteStream(file);
    this.#stream.on("error", () => undefined);
  }

  async add(name: string, sha256: string): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored;
    if (!this.#stream.write(`${sha256}  ${name}\n`)) await once(this.#stream, "drain");
  }

  async read(): Promise<AsyncIterable<Uint8Array>> {
    this.#stream.end();
    await finished(this.#stream);
    return createReadStream(this.#file);
  }

  async remove(): Promise<void> {
    this.#stream.destroy();
    if (!this.#stream.closed) await once(this.#stream, "close").catch(() => undefined);
    await rm(this.#file, { force: true });
  }
}

async function fillGroup(zip: OpenZip, group: GroupZip, checksums: ChecksumFile): Promise<void> {
  const add = async (entry: ZipEntry): Promise<void> => {
    await checksums.add(entry.name, await zip.add(entry));
  };
  for await (const entry of group.artwork) await add(entry);
  await add({ name: INDEX_NAME, chunks: makeIndexCsv(group.rows) });
  await zip.add({ name: CHECKSUMS_NAME, chunks: await checksums.read() });
}

/**
 * The archive of one group: its artwork, its `index.csv`, and `SHA256SUMS` over both, which
 * `sha256sum --check` reads. Atomic and repeatable. Errors as of `writeZip`.
 */
export async function writeGroupZip(file: string, group: GroupZip): Promise<ZipResult> {
  await mkdir(path.dirname(file), { recursive: true });
  const checksums = new ChecksumFile(`${file}.sums.${process.pid}${TEMPORARY_SUFFIX}`);
  try {
    return await writeZipWith(file, group, (zip) => fillGroup(zip, group, checksums));
  } finally {
    await checksums.remove();
  }
}
