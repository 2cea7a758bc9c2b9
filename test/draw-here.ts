/**
 * Services that tests open draw PNGs where they run: a thread of their own would take a third of a second
 * of the processor to begin. `qr/png-pool.test.ts` proves that threads draw the same; programs that tests
 * start have threads.
 */
import { beforeEach, vi } from "vitest";

import { PngPool } from "../src/qr/png/png-pool.ts";

beforeEach(({ task }) => {
  if (task.file.name.endsWith("qr/png-pool.test.ts")) return;
  // As where a thread broke down: the caller draws.
  vi.spyOn(PngPool.prototype, "render").mockResolvedValue(undefined);
});
