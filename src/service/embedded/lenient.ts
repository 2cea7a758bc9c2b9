/**
 * The embedded service for those who look for no codes: they work also where its store was moved into a
 * database (docs/scale.md), or is damaged.
 */
import { AppError } from "../../base/errors.ts";
import { embeddedPort } from "./embedded.ts";

const CODES: ReadonlySet<string> = new Set(["bad-usage", "state-damaged"]);

/** Calls `onMoved`, once, where others refuse; the kept address is unknown then. */
export function toLenientPort(onMoved: (error: AppError) => void): typeof embeddedPort {
  let isTold = false;
  return {
    ...embeddedPort,
    address: async (dataDir) => {
      try {
        return await embeddedPort.address(dataDir);
      } catch (error) {
        if (!(error instanceof AppError) || !CODES.has(error.code)) throw error;
        if (!isTold) onMoved(error);
        isTold = true;
        return { kept: undefined, hasLinks: false };
      }
    },
  };
}
