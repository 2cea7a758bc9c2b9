/**
 * The embedded service for commands that look for no codes: they work also where its store was moved
 * into a database (docs/scale.md).
 */
import { AppError } from "../base/errors.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import type { Call } from "./call.ts";

/** Calls `onMoved`, once, where others refuse; the kept address is unknown then. */
export function toLenientPort(onMoved: (error: AppError) => void): typeof embeddedPort {
  let isTold = false;
  return {
    ...embeddedPort,
    address: async (dataDir) => {
      try {
        return await embeddedPort.address(dataDir);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "bad-usage") throw error;
        if (!isTold) onMoved(error);
        isTold = true;
        return { kept: undefined, hasLinks: false };
      }
    },
  };
}

/** The same with a warning. */
export const toWarningPort = ({ view }: Pick<Call, "view">): typeof embeddedPort =>
  toLenientPort(({ message, hint }) =>
    view.warning({ message, ...(hint !== undefined && { hint }) }),
  );
