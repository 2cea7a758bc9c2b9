/** Scans on their way into the store (docs/spec/design.md promise 9). */
import { expect, it } from "vitest";

import { fakeClock } from "../../../src/base/clock.ts";
import { sequentialIds } from "../../../src/base/ids.ts";
import { makeLog } from "../../../src/base/log.ts";
import { ScanRecorder } from "../../../src/service/scans/recorder.ts";
import type { Note } from "../../../src/service/scans/note.ts";

const visit = { codeId: "c", sender: { ip: "10.0.0.1", userAgent: "a" } };

const noWork = (): Promise<void> => Promise.resolve();

function setUp(maxWaiting?: number) {
  const clock = fakeClock();
  const stored: (readonly Note[])[] = [];
  const told: Record<string, unknown>[] = [];
  let save: () => Promise<void> = noWork;
  const recorder = new ScanRecorder({
    clock,
    ids: sequentialIds(),
    log: makeLog({ to: { write: (line: string) => void told.push(JSON.parse(line)) } }),
    storage: {
      save: async (batch) => {
        await save();
        stored.push(batch);
      },
    },
    maxWaiting,
  });
  const record = (times: number): string[] =>
    Array.from({ length: times }, () => recorder.record(visit));
  const storeWith = (next: typeof save): void => {
    save = next;
  };
  return { clock, recorder, stored, told, record, storeWith };
}
const idsOf = (batches: readonly (readonly Note[])[]): string[] =>
  batches.flatMap((batch) => batch.map(({ id }) => id));

it("keeps no more than 100 million characters of senders, and tells how many scans were lost", async () => {
  const { clock, recorder, stored, told, storeWith } = setUp();
  storeWith(() => Promise.reject(new Error("full")));
  const sender = { ip: "10.0.0.1", userAgent: "x".repeat(900), hints: ["y".repeat(92)] };
  for (let n = 0; n < 100_010; n += 1) recorder.record({ codeId: "c", sender });
  await clock.advance(50);
  expect(told.map(({ lost }) => lost)).toEqual([10]);
  storeWith(noWork);
  await recorder.flush();
  await recorder.flush();
  expect(idsOf(stored)).toHaveLength(100_000);
  // There is room again.
  recorder.record({ codeId: "c", sender });
  await recorder.close();
  expect(idsOf(stored)).toHaveLength(100_001);
});

it("writes them half an interval later, all together", async () => {
  const { clock, stored, record } = setUp();
  const ids = record(3);
  await clock.advance(49);
  expect(stored).toEqual([]);
  await clock.advance(1);
  expect(stored.map((batch) => batch.length)).toEqual([3]);
  expect(idsOf(stored)).toEqual(ids);
});

it("keeps to the interval while the store is slow", async () => {
  const { clock, stored, record, storeWith } = setUp();
  storeWith(() => clock.sleep(40));
  record(1);
  await clock.advance(50);
  record(1);
  await clock.advance(40);
  expect(stored.length).toBe(1);
  // Noted 40 ms ago: due 50 ms after the write before it began.
  await clock.advance(50);
  expect(stored.length).toBe(2);
});

it("flush waits for what is being written", async () => {
  const { clock, recorder, stored, record, storeWith } = setUp();
  storeWith(() => clock.sleep(1000));
  record(2);
  await clock.advance(60);
  let isDone = false;
  const flushing = (async () => {
    await recorder.flush();
    isDone = true;
  })();
  await clock.advance(900);
  expect(isDone).toBe(false);
  await clock.advance(100);
  await flushing;
  expect(stored.length).toBe(1);
});

it("keeps what could not be stored, in order, and tells of it now and then", async () => {
  const { clock, recorder, stored, told, record, storeWith } = setUp();
  storeWith(() => Promise.reject(new Error("disk full")));
  const ids = record(2);
  await clock.advance(5000);
  expect(told.map(({ msg, scans, error }) => [msg, scans, error])).toEqual([
    ["scans could not be stored yet", 2, "disk full"],
  ]);
  await clock.advance(6000);
  expect(told.length).toBe(2);
  ids.push(...record(3));
  storeWith(() => Promise.resolve());
  await recorder.close();
  expect(idsOf(stored)).toEqual(ids);
});

it("is bounded when more comes than can be stored, and tells how many were lost", async () => {
  const { clock, stored, told, record, storeWith } = setUp(5);
  storeWith(() => clock.sleep(200));
  const first = record(1);
  await clock.advance(50);
  const kept = record(9).slice(0, 5);
  await clock.advance(500);
  expect(idsOf(stored)).toEqual([...first, ...kept]);
  expect(told.map(({ lost }) => lost)).toEqual([4]);
});

it("tells what it could not store when it closes", async () => {
  const { recorder, told, record, storeWith } = setUp();
  storeWith(() => Promise.reject(new Error("disk full")));
  record(3);
  await recorder.close();
  expect(told.at(-1)).toMatchObject({ lost: 3 });
});
