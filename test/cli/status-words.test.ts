/** What `status` says without a job, and of the queues of `--on`. */
import { expect, it } from "vitest";

import { listQueue } from "../../src/cli/commands/status.ts";
import { runInProcess } from "../flow/in-process.ts";

it("status without a job asks for one, and shows no other command", async () => {
  const { err } = await runInProcess(["status"]);
  expect(err).toContain("a job manifest must be named");
  expect(err).not.toContain("makeready run");
});

it("volumes that wait for this makeready are not called those of another one", () => {
  const counts = { waiting: 5, active: 2, givenUp: 0 };
  const queues = ["prove-1", "draw-1", "prove-2", "draw-2"].map((queue) => ({ queue, ...counts }));
  const own = {
    names: ["prove-1", "draw-1"],
    isOfVolumes: (queue: string) => queue.startsWith("draw"),
  };
  const idle = { queue: "draw-1", waiting: 0, active: 0, givenUp: 0 };
  expect(listQueue({ database: "prints", workers: [], queues: [idle] }, own).slice(2)).toEqual([
    "  no chunk waits",
  ]);
  const says = "5 chunks waiting, 2 under way, 0 given up";
  expect(listQueue({ database: "prints", workers: [], queues }, own).slice(2)).toEqual([
    `  ${says}`,
    `  ${says}: volumes to draw`,
    `  ${says} (of another makeready)`,
    `  ${says}: volumes to draw (of another makeready or Node.js)`,
  ]);
});
