/** Scans on their way into the store (docs/spec/design.md promise 9). */
import { expect, it } from "vitest";

import { fakeClock } from "../../help/fake-clock.ts";
import { sequentialIds } from "../../help/sequential-ids.ts";
import { makeLog } from "../../../src/base/log.ts";
import { ScanRecorder } from "../../../src/service/scans/recorder.ts";
import type { Note } from "../../../src/service/scans/note.ts";

const visit = { codeId: "c", sender: { ip: "10.0.0.1", userAgent: "a" } };

const noWork = (): Promise<void> => Promise.resolve();
const nothing = (): void => {};

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
    Array.from({ length: times }, () => recorder.record(visit).id);
  const storeWith = (next: typeof save): void => {
    save = next;
  };
  /** Visitors who come one after the other, one every `everyMs`; answers when they were answered. */
  const visits = async (times: number, everyMs: number): Promise<(number | undefined)[]> => {
    const answered: (number | undefined)[] = [];
    for (let n = 0; n < times; n += 1) {
      const { held } = recorder.record(visit);
      answered[n] = held === undefined ? clock.monotonicMs() : undefined;
      void held?.then(() => (answered[n] = clock.monotonicMs()));
      await clock.advance(everyMs);
    }
    return answered;
  };
  return { clock, recorder, stored, told, record, storeWith, visits };
}
const idsOf = (batches: readonly (readonly Note[])[]): string[] =>
  batches.flatMap((batch) => batch.map(({ id }) => id));

it("keeps no more than 100 million characters of senders, and reports how many scans were lost", async () => {
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

it("keeps what could not be stored, in order, and reports it now and then", async () => {
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

it("is limited when more comes than can be stored, and reports how many were lost", async () => {
  const { clock, stored, told, record, storeWith } = setUp(5);
  storeWith(() => clock.sleep(200));
  const first = record(1);
  await clock.advance(50);
  const kept = record(9).slice(0, 5);
  await clock.advance(500);
  expect(idsOf(stored)).toEqual([...first, ...kept]);
  expect(told.map(({ lost }) => lost)).toEqual([4]);
});

it("reports what it could not store when it closes", async () => {
  const { recorder, told, record, storeWith } = setUp();
  storeWith(() => Promise.reject(new Error("disk full")));
  record(3);
  await recorder.close();
  expect(told.at(-1)).toMatchObject({ lost: 3 });
});

it("answers leave only as long as the oldest whose scan is not stored left within the interval", async () => {
  const { clock, recorder, stored, storeWith, visits } = setUp();
  let commit = nothing;
  storeWith(
    () =>
      new Promise((resolve) => {
        commit = resolve;
      }),
  );
  // One every 10 ms: the eleventh comes 100 ms behind the first.
  const answered = await visits(40, 10);
  const bound = 10;
  expect(answered.filter((ms) => ms !== undefined)).toHaveLength(bound);
  commit();
  await clock.advance(0);
  // The first batch was taken 50 ms behind the first scan; nobody of the second has his answer but those before the bound.
  const [first = []] = stored;
  expect(first).toHaveLength(5);
  expect(answered.filter((ms) => ms !== undefined)).toHaveLength(bound);
  expect(recorder.record(visit).held).toBeDefined();
  commit();
  await clock.advance(0);
  expect(answered.filter((ms) => ms === undefined)).toEqual([]);
  expect(stored.flat()).toHaveLength(40);
});

it("never answers more than the interval allows, however slowly and irregularly the store commits", async () => {
  const { clock, recorder, stored, storeWith } = setUp();
  let commits = 0;
  storeWith(() => clock.sleep([30, 900, 5, 400, 120][(commits += 1) % 5] ?? 0));
  let answered = 0;
  let most = 0;
  for (let n = 0; n < 1500; n += 1) {
    const { held } = recorder.record(visit);
    if (held === undefined) answered += 1;
    else void held.then(() => (answered += 1));
    await clock.advance(n % 7 === 0 ? 9 : 3);
    most = Math.max(most, answered - stored.flat().length);
  }
  // 100 ms of visits, one every 3 ms.
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(Math.ceil(100 / 3));
  await clock.advance(2000);
  expect(answered).toBe(1500);
  expect(stored.flat()).toHaveLength(1500);
});

it("a batch follows as soon as the one before it is stored", async () => {
  const { clock, stored, storeWith, record } = setUp();
  storeWith(() => clock.sleep(70));
  const begun: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    record(1);
    await clock.advance(10);
    if (begun.length < stored.length) begun.push(clock.monotonicMs());
  }
  expect(begun).toEqual([120, 190, 260]);
});

it("no answer waits for a store that takes nothing, and all wait again once it does", async () => {
  const { clock, stored, told, storeWith, visits } = setUp();
  storeWith(() => Promise.reject(new Error("away")));
  expect(await visits(50, 10)).toEqual(Array.from({ length: 50 }, (_, n) => n * 10));
  expect(told[0]).toMatchObject({ msg: "scans could not be stored yet", error: "away" });
  storeWith(noWork);
  await clock.advance(50);
  expect(stored.flat()).toHaveLength(50);
  storeWith(() => clock.sleep(400));
  const answered = await visits(20, 10);
  expect(answered.filter((ms) => ms === undefined)).toHaveLength(10);
  await clock.advance(1000);
  expect(answered.filter((ms) => ms === undefined)).toEqual([]);
});

it("no answer waits longer than a second: when the store is stuck, codes still lead on", async () => {
  const { clock, recorder, stored, told, storeWith, visits } = setUp();
  let commit = nothing;
  storeWith(
    () =>
      new Promise((resolve) => {
        commit = resolve;
      }),
  );
  const answered = await visits(30, 10);
  await clock.advance(800);
  // The first who waited came 100 ms behind the start.
  expect(answered.slice(10)).toEqual(Array.from({ length: 20 }, () => 1100));
  expect(recorder.record(visit).held).toBeUndefined();
  expect(told.map(({ msg }) => msg)).toEqual(["scans wait for a store that takes none"]);
  storeWith(noWork);
  commit();
  await clock.advance(0);
  await recorder.close();
  expect(stored.flat()).toHaveLength(31);
});
