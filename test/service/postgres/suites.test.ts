/** What is asked of the service with SQLite is asked of it with PostgreSQL. `TEST_PG=1` asks all. */
import { afterAll, beforeAll, describe } from "vitest";

import { hasPostgres } from "../../postgres.ts";
import { testStore } from "../make-service.ts";

/** What every client of the API goes through; each test has a database of its own. */
const SUITES = ["tags", "conformance/collections", "conformance/scans"];

describe.skipIf(!hasPostgres)("with PostgreSQL", async () => {
  const before = testStore.isPostgres;
  beforeAll(() => {
    testStore.isPostgres = true;
  });
  afterAll(() => {
    testStore.isPostgres = before;
  });
  // Another name than that of the file itself, which may have been loaded already.
  for (const name of SUITES) {
    const file = new URL(`../${name}.test.ts?postgres`, import.meta.url);
    describe(`suite ${name}`, async () => {
      await import(file.href);
    });
  }
});
