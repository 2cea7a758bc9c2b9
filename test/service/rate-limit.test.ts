import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { OwnLimit, toLimitHeaders } from "../../src/service/http/rate-limit.ts";

const MINUTE = Date.UTC(2026, 0, 1, 12, 0, 0);

it("counts down, then refuses, until the next full minute", async () => {
  const clock = fakeClock(MINUTE + 30_000);
  const limit = new OwnLimit(clock);
  expect(await limit.take("a", 2)).toEqual({ limit: 2, remaining: 1, resetS: 30, exceeded: false });
  expect(await limit.take("a", 2)).toEqual({ limit: 2, remaining: 0, resetS: 30, exceeded: false });
  expect(await limit.take("a", 2)).toEqual({ limit: 2, remaining: 0, resetS: 30, exceeded: true });
  expect((await limit.take("b", 2)).exceeded).toBe(false);
  await clock.advance(29_999);
  expect(await limit.take("a", 2)).toMatchObject({ resetS: 1, exceeded: true });
  await clock.advance(1);
  expect(await limit.take("a", 2)).toMatchObject({ remaining: 1, resetS: 60, exceeded: false });
});

it("never lets more than the limit through in a window, whatever the pace", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }),
      async (waits) => {
        const clock = fakeClock(MINUTE);
        const limit = new OwnLimit(clock);
        const passed = new Map<number, number>();
        for (const wait of waits) {
          await clock.advance(wait);
          if ((await limit.take("a", 3)).exceeded) continue;
          const window = Math.floor(clock.nowMs() / 60_000);
          passed.set(window, (passed.get(window) ?? 0) + 1);
        }
        for (const count of passed.values()) expect(count).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: 20 },
  );
});

it("survives a clock that jumps back", async () => {
  let now = MINUTE;
  const clock = { ...fakeClock(), nowMs: () => now };
  const limit = new OwnLimit(clock);
  await limit.take("a", 1);
  now -= 3_600_000;
  expect(await limit.take("a", 1)).toMatchObject({ exceeded: false, resetS: 60 });
});

it("writes the headers of drafts up to 06", () => {
  const quota = { limit: 60, remaining: 12, resetS: 34, exceeded: false };
  expect(toLimitHeaders(quota)).toEqual({
    "ratelimit-limit": "60",
    "ratelimit-remaining": "12",
    "ratelimit-reset": "34",
    "ratelimit-policy": "60;w=60",
  });
});
