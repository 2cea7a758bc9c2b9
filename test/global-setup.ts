import { execFileSync } from "node:child_process";

import { hasPostgres, NO_POSTGRES, offerPostgres } from "./postgres.ts";

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
  return offerPostgres();
}
