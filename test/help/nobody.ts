/** Nothing is closed to root: as root a program runs as the user "nobody". */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Undefined where the tests are not run by root. */
export const uid = process.getuid?.() === 0 ? 65_534 : undefined;

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const readsProgram = ["-e", "require('fs').accessSync(process.argv[1])", program];

/** False where files can't be closed to anybody, or "nobody" may not read the program. */
export const canRunAsNobody =
  process.platform !== "win32" &&
  spawnSync(process.execPath, readsProgram, uid === undefined ? {} : { uid, gid: uid }).status ===
    0;
