/** Each test file has a folder of its own for temporary files, which goes with it. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll } from "vitest";

const before = tmpdir();
const folder = mkdtempSync(path.join(before, "f-"));
// As the system's: other users' processes make files in it, too.
chmodSync(folder, 0o1777);
process.env["TMPDIR"] = folder;

afterAll(() => {
  process.env["TMPDIR"] = before;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
