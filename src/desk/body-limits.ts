/** How much a browser may send: a body is counted while it arrives, and cut off at its limit. */
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

import { badUsage, type AppError } from "../base/errors.ts";

/** The parts of a form around its file: name, borders and other fields. */
const AROUND_BYTES = 64 * 1024;
const FORM_BYTES = 4 * 1024 * 1024;

/** Reads the rest and drops it: browsers show no answer before they have sent everything. */
async function skipBody(c: Context): Promise<void> {
  const { body } = c.req.raw;
  if (body === null || body.locked) return;
  await body.pipeTo(new WritableStream()).catch(() => undefined);
}

/** For a form with a file of `maxBytes` at most; `refuse` makes the error for a larger one. */
export const limitBody = (maxBytes: number, refuse: () => AppError): MiddlewareHandler =>
  bodyLimit({
    maxSize: maxBytes + AROUND_BYTES,
    onError: async (c) => {
      await skipBody(c);
      throw refuse();
    },
  });

/** For forms that have a small file, or none. */
export const limitForm = limitBody(FORM_BYTES, () =>
  badUsage(
    "what is sent must have at most 4 MB, got more",
    "nothing was changed: go back, and choose a smaller file; a logo must have at most 2 MB",
  ),
);
