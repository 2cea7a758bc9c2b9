import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { hasPostgres, NO_POSTGRES, offerPostgres } from "./postgres.ts";

/** What outlasts a run of tests, such as an unpacked browser (`e2e/browser.ts`), lies in it. */
const LASTING = "TEST_LASTING_FOLDER";

/** One folder for all temporary files of this run; answers what takes it away. */
function holdTemporaryFiles(): () => void {
  const before = tmpdir();
  const folder = mkdtempSync(path.join(before, "mk-"));
  // As the system's: other users' processes make files in it, too.
  chmodSync(folder, 0o1777);
  process.env[LASTING] = before;
  process.env["TMPDIR"] = folder;
  return () => {
    process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/**
 * The flow tests run the program as people get it: built. One build serves every test file. Types
 * are the business of `npm run types`, so that one wrong type doesn't hide what the tests say.
 */
export async function setup(): Promise<() => Promise<void>> {
  const tsc = "node_modules/typescript/bin/tsc";
  execFileSync(process.execPath, [tsc, "-p", "src", "--noCheck"], {
    stdio: "inherit",
  });
  execFileSync("npm", ["run", "-s", "islands"], { stdio: "inherit", shell: true });
  // oxlint-disable-next-line no-console -- whoever reads the result has to know
  if (!hasPostgres) console.warn(NO_POSTGRES);
  const clear = holdTemporaryFiles();
  const stop = await offerPostgres();
  return async () => {
    await stop();
    clear();
  };
}
