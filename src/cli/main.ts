#!/usr/bin/env node
/** What `makeready` begins with. */
import { main, makeProcessContext } from "./program.ts";

process.exitCode = await main(process.argv.slice(2), makeProcessContext());
