/** Tests that are the steps of one story: each begins where the one before has ended. */
import { beforeEach } from "vitest";

/** In a `describe`, before its tests: once one of them has failed, those behind it are skipped. */
export function tellStory(): void {
  let failed: string | undefined;
  beforeEach(({ task, skip, onTestFailed }) => {
    skip(failed !== undefined, `the step "${failed}" has failed`);
    onTestFailed(() => {
      failed = task.name;
    });
  });
}
