/** How V8 runs the program: set before the code that matters is loaded, for all threads of the process. */
import { setFlagsFromString } from "node:v8";

/** Four times the default. */
const LATER = "--interrupt-budget=270336";
/** That of Node 20. Later versions have more steps on the way to machine code. */
const MEASURED = "11.3.";

/**
 * Lets code run longer before it is translated to machine code. A job of some seconds spends a quarter of
 * its processor time on translating; this halves it, and what runs a little slower meanwhile costs less.
 */
export function translateLater(): void {
  if (process.versions.v8.startsWith(MEASURED)) setFlagsFromString(LATER);
}
