import { execFileSync } from "node:child_process";

/**
 * The flow tests run the program as people get it: built. One build serves every test file. Types
 * are the business of `npm run types`, so that one wrong type doesn't hide what the tests say.
 */
export function setup(): void {
  const tsc = "node_modules/typescript/bin/tsc";
  execFileSync(process.execPath, [tsc, "-p", "src", "--noCheck"], {
    stdio: "inherit",
  });
  execFileSync("npm", ["run", "-s", "islands"], { stdio: "inherit", shell: true });
}
