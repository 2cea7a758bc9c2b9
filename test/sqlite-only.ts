/**
 * Tests that are about SQLite's file, its text index or its threads: with `TEST_PG=1` they are skipped, each
 * with its reason. All other tests hold on both stores.
 */
import { beforeEach } from "vitest";

const OLDER =
  "makes a file as an older makeready left it; PostgreSQL: test/service/postgres/schema.test.ts";
const INDEX = "is about SQLite's text index; PostgreSQL keeps its own";
const FILE = "looks at service.db itself";
const FAILS = "lets SQLite fail; PostgreSQL: shared-database.test.ts and lost-ways.test.ts";
const RAW = "counts what SQLite's connection is asked";

const THREAD =
  "is about the thread that stores scans in SQLite's file; PostgreSQL: kill -9 in processes.test.ts";

const FOLDER =
  "gives a command the data folder; PostgreSQL: test/cli/store-option.test.ts and shared-database.test.ts";

const COPIES =
  "copies SQLite's file; with --store these commands say so: test/cli/store-option.test.ts";

/** File, and a part of the test's name -> why. */
const ONLY: readonly (readonly [file: string, name: string, why: string])[] = [
  ["cli/backup.test.ts", "", COPIES],
  ["cli/import-links.test.ts", "", FOLDER],
  ["cli/move.test.ts", "", COPIES],
  ["cli/outlive.test.ts", "", COPIES],
  ["console/settings.test.ts", "the size of the data and the age of the backup", FILE],
  ["flow/ledger.test.ts", "are void once", FOLDER],
  ["service/auth.test.ts", "tokens of a store that knew no names", OLDER],
  ["service/data-folder.test.ts", "a data folder with files of others", FILE],
  ["service/find-codes.test.ts", "makes the text index", INDEX],
  ["service/find-codes.test.ts", "reads every code while most", INDEX],
  ["service/find-codes.test.ts", "counts a code that is made while", INDEX],
  ["service/find-codes.test.ts", "a store of an older version", OLDER],
  ["service/folders.test.ts", "deleting a folder of very many codes", FILE],
  ["service/open-service.test.ts", "keeps the plain token in one file", FILE],
  ["service/open-service.test.ts", "is backed up while it serves", FILE],
  ["service/open-service.test.ts", "tells nobody outside what went wrong", FAILS],
  ["service/scans.test.ts", "scans that could not be stored", FAILS],
  ["service/scans/known-levels.test.ts", "are read once", RAW],
  ["service/scans/roll-up.test.ts", "takes out what a deleted code left", FILE],
  ["service/scans/roll-up.test.ts", "a store of an older version", OLDER],
  ["service/scans/storage-thread.test.ts", "a thread that dies at any moment", THREAD],
  ["service/unwritable.test.ts", "", FAILS],
  ["service/webhooks.test.ts", "a store that knew one receiver", OLDER],
  ["service/watch.test.ts", "takes no slug that it needs", FILE],
];

beforeEach(({ task, skip }) => {
  if (process.env["TEST_PG"] !== "1") return;
  const named = task.fullTestName.replaceAll(" > ", " ");
  const found = ONLY.find(([file, name]) => task.file.name.endsWith(file) && named.includes(name));
  if (found !== undefined) skip(found[2]);
});
