/** The embedded service for commands that look for no codes. */
import type { embeddedPort } from "../service/embedded/embedded.ts";
import { toLenientPort } from "../service/embedded/lenient.ts";
import type { Call } from "./call.ts";

/** Warns where the store was moved into a database; others refuse. */
export const toWarningPort = ({ view }: Pick<Call, "view">): typeof embeddedPort =>
  toLenientPort(({ message, hint }) =>
    view.warning({ message, ...(hint !== undefined && { hint }) }),
  );
