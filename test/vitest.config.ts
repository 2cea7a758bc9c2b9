import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take longest begin first, so that no worker is left alone with one of them. */
const LONGEST = [
  "test/flow/kinds.test.ts",
  "test/console/person.test.ts",
  "test/desk/kill.test.ts",
  "test/service/postgres/processes.test.ts",
  "test/desk/person.test.ts",
  "test/desk/label-person.test.ts",
  "test/flow/remote-counts.test.ts",
  "test/run/makers.test.ts",
  "test/flow/codes-files-anew.test.ts",
  "test/flow/designed-elsewhere.test.ts",
  "test/flow/files-anew.test.ts",
  "test/flow/fetch-counts.test.ts",
  "test/desk/ways.test.ts",
  "test/work/faults.test.ts",
  "test/client/pace-simulation.test.ts",
  "test/flow/run.test.ts",
  "test/work/fan-out.test.ts",
  "test/work/volumes.test.ts",
  "test/flow/redesign.test.ts",
  "test/flow/remote.test.ts",
  "test/flow/read-only.test.ts",
  "test/flow/kill.test.ts",
  "test/flow/select-kill.test.ts",
  "test/e2e/pages.test.ts",
  "test/verify/bombs.test.ts",
  "test/work/volume-faults.test.ts",
  "test/desk/new-jobs.test.ts",
  "test/flow/hosted-address.test.ts",
  "test/flow/hostile.test.ts",
  "test/flow/retarget.test.ts",
  "test/scan/scan.test.ts",
  "test/flow/label-numbers.test.ts",
  "test/flow/labels.test.ts",
  "test/flow/plan-counts.test.ts",
  "test/flow/serials.test.ts",
  "test/flow/undo-killed.test.ts",
  "test/flow/ledger.test.ts",
  "test/flow/ledger-gone.test.ts",
  "test/flow/moved-reads.test.ts",
  "test/desk/label.test.ts",
  "test/desk/result.test.ts",
  "test/cli/init.test.ts",
  "test/cli/watch.test.ts",
  "test/service/postgres/lost-ways.test.ts",
  "test/service/scans/kill.test.ts",
  "test/service/public-forms.test.ts",
  "test/service/durability.test.ts",
  "test/flow/full-disk.test.ts",
  "test/flow/kill-service.test.ts",
  "test/flow/mended-list.test.ts",
  "test/flow/logo-file.test.ts",
  "test/scan/older.test.ts",
  "test/qr/predicted-grade.test.ts",
  "test/service/fuzz.test.ts",
  "test/desk/keyboard.test.ts",
  "test/read/xlsx.test.ts",
  "test/service/embedded-thread.test.ts",
  "test/verify/labels.test.ts",
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place < 0 ? LONGEST.length : place;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's, and it answers a copy
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/**
 * Room for young objects: less time goes into collecting them. Most of what tests call runs a few times: it
 * is compiled simply, and later again only where it runs long.
 */
const FLAGS = ["--max-semi-space-size=64", "--always-sparkplug", "--interrupt-budget=2000000"];

/** Node 22 and 24 don't have all of them, and don't start with one that they don't have. */
const isKnown = (flag: string): boolean =>
  spawnSync(process.execPath, [flag, "-e", ""]).status === 0;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/sqlite-only.ts", "test/draw-here.ts"],
    allowOnly: false,
    // The files that a worker runs share its process, so that each module is loaded once: a file
    // leaves no global and no module changed (`test/arch.test.ts`); spies end with their test.
    isolate: false,
    restoreMocks: true,
    execArgv: FLAGS.filter(isKnown),
    sequence: { sequencer: LongestFirst },
    // One more than cores: a test that waits for a process of its own leaves its core idle.
    maxWorkers: Math.max(3, availableParallelism() + 1),
    // Only a test that hangs: a busy computer may take long. No test has a limit of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
