/** A program that starts a PostgreSQL, tells its address and waits to be ended. */
import { startPostgres } from "./postgres.ts";

const { url } = await startPostgres();
process.stdout.write(`${url}\n`);
