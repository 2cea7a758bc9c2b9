import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    allowOnly: false,
    // Much of the time a test waits for processes of its own: two cores are busy with two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Only a test that hangs: a busy computer may take long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
