/**
 * `npm start`: the main job on the sample data. The sample has bad rows on purpose, to show what
 * becomes of them, so exit code 3 is the good end here.
 */
import { EXIT_ROWS_FAILED } from "../base/exit-codes.ts";
import { showCommands, toProgramLine } from "../base/text/program-words.ts";
import { main, makeProcessContext } from "./program.ts";

const context = makeProcessContext();
const exitCode = await main(["run", "jobs/table-codes.yaml", ...process.argv.slice(2)], context);
if (exitCode === EXIT_ROWS_FAILED) {
  const says =
    "\nThe bad rows are there on purpose: the sample shows what becomes of them.\n" +
    "`makeready run` itself ends with exit code 3 here; `npm start` ends with 0.\n";
  context.out(showCommands(says, toProgramLine(context)));
}
process.exitCode = exitCode === EXIT_ROWS_FAILED ? 0 : exitCode;
