import { describe, expect, it } from "vitest";

import { Budget, GUARD_MS, type Answered, type Ticket } from "../../src/client/budget.ts";

/** An answer with headers: `left` of 60, the window ends `resetS` later. */
const told = (receivedAtMs: number, left: number, resetS: number): Answered => ({
  receivedAtMs,
  limits: { limit: 60, remaining: left, resetMs: resetS * 1000, windowMs: undefined },
  retryAfterMs: undefined,
  isLimited: false,
});
const refused = (receivedAtMs: number, retryAfterS?: number, resetS?: number): Answered => ({
  receivedAtMs,
  limits:
    resetS === undefined
      ? undefined
      : { limit: 60, remaining: 0, resetMs: resetS * 1000, windowMs: undefined },
  retryAfterMs: retryAfterS === undefined ? undefined : retryAfterS * 1000,
  isLimited: true,
});
const silent = (receivedAtMs: number): Answered => ({
  receivedAtMs,
  limits: undefined,
  retryAfterMs: undefined,
  isLimited: false,
});

function mustTake(budget: Budget, nowMs: number): Ticket {
  const verdict = budget.take(nowMs);
  if (verdict.ticket === undefined) throw new Error(`waits until ${verdict.untilMs}`);
  return verdict.ticket;
}

/** How many may leave at once at this moment. */
function drain(budget: Budget, nowMs: number, atMost = 1000): Ticket[] {
  const tickets: Ticket[] = [];
  while (tickets.length < atMost) {
    const { ticket } = budget.take(nowMs);
    if (ticket === undefined) break;
    tickets.push(ticket);
  }
  return tickets;
}

/** An answer of a server that has changed its limit to 10 in 10 s. */
const changed = (receivedAtMs: number, remaining: number, resetS: number): Answered => ({
  ...told(receivedAtMs, 0, 0),
  limits: { limit: 10, remaining, resetMs: resetS * 1000, windowMs: 10_000 },
});

function answerAll(budget: Budget, tickets: readonly Ticket[], answered: Answered): void {
  for (const ticket of tickets) budget.answer(ticket, answered);
}

/** A budget in the second window that it knows: `left` of 60, ends at 30 s + guard. */
function known(left = 59, share = 1): Budget {
  const budget = new Budget({ limit: 60, share });
  budget.answer(mustTake(budget, -60_000), told(-60_000, 59, 30));
  budget.answer(mustTake(budget, 0), told(0, left, 30));
  return budget;
}

/** A budget that knows that the server says nothing. */
function silentServer(): Budget {
  const budget = new Budget({ limit: 60 });
  budget.answer(mustTake(budget, 0), silent(500));
  return budget;
}

describe("Budget that knows nothing yet", () => {
  it("lets one probe go and holds the rest until it answers", () => {
    const budget = new Budget({ limit: 60 });
    const probe = mustTake(budget, 0);
    expect(budget.take(0)).toEqual({ untilMs: undefined });
    budget.answer(probe, told(100, 59, 30));
    // The last four go one by one: whether others are about has yet to be seen.
    expect(drain(budget, 100)).toHaveLength(59 - 4);
  });

  it("sends the next probe when the first one got no answer", () => {
    const budget = new Budget({ limit: 60 });
    mustTake(budget, 0);
    budget.lose(10);
    expect(budget.take(10).ticket).toBeDefined();
    expect(budget.source).toBe("unknown");
  });

  it("sends the next probe when the first one never left", () => {
    const budget = new Budget({ limit: 60 });
    budget.giveBack(mustTake(budget, 0));
    expect(budget.take(10).ticket).toBeDefined();
  });
});

describe("Budget by the server's windows", () => {
  it("uses all that is left and then waits for the end of the window, guard included", () => {
    const budget = known(59);
    const tickets = drain(budget, 0);
    expect(tickets).toHaveLength(59);
    expect(budget.take(1)).toEqual({ untilMs: 30_000 + GUARD_MS });
    answerAll(budget, tickets, told(100, 0, 29.9));
    expect(budget.take(30_000 + GUARD_MS - 1).ticket).toBeUndefined();
    expect(budget.take(30_000 + GUARD_MS).ticket).toBeDefined();
  });

  it("sends one request into a new window, and the rest when it has shown that it is new", () => {
    const budget = known(59);
    answerAll(budget, drain(budget, 0), told(100, 0, 29.9));
    const first = mustTake(budget, 30_100);
    expect(budget.take(30_100)).toEqual({ untilMs: 30_000 + GUARD_MS + 1_000 });
    budget.answer(first, told(30_200, 59, 60));
    expect(drain(budget, 30_200)).toHaveLength(59);
  });

  it("waits for that one no longer than a rounded second", () => {
    const budget = known(59);
    answerAll(budget, drain(budget, 0), told(100, 0, 29.9));
    mustTake(budget, 30_100);
    expect(drain(budget, 31_100)).toHaveLength(59);
  });

  it("counts requests under way in the new window until their answer says otherwise", () => {
    const budget = known(59);
    const crossing = drain(budget, 29_000, 8);
    expect(drain(budget, 31_100)).toHaveLength(60 - 8);
    for (const ticket of crossing) budget.answer(ticket, told(31_200, 51, 0));
    expect(drain(budget, 31_300)).toHaveLength(8);
  });

  it("rolls over several unused windows", () => {
    const budget = known(59);
    answerAll(budget, drain(budget, 0), told(100, 0, 29.9));
    expect(drain(budget, 10 * 60_000)).toHaveLength(60);
  });

  it("leaves to others what they took, and does not count its own flying requests twice", () => {
    const budget = known(59);
    const [a, b] = drain(budget, 0, 10);
    // The server has seen 11 of ours and 5 of others; all of ours but the probe are flying.
    budget.answer(a as Ticket, told(10, 60 - 11 - 5, 30));
    budget.answer(b as Ticket, told(11, 60 - 11 - 5, 30));
    // From now on others are about: the last eight go one by one.
    expect(drain(budget, 12)).toHaveLength(60 - 11 - 5 - 8);
  });

  it("sends the tail one by one when others use the token, however slow the answers", () => {
    const budget = known(59 - 45);
    const left = drain(budget, 0);
    expect(left).toHaveLength(14 - 8);
    for (const ticket of left) budget.answer(ticket, told(10, 8, 30));
    for (let tail = 8; tail > 0; tail -= 1) {
      const ticket = mustTake(budget, 20);
      expect(budget.take(20).ticket).toBeUndefined();
      budget.answer(ticket, told(30, tail - 1, 30));
    }
    expect(budget.take(40)).toEqual({ untilMs: 30_030 + GUARD_MS });
  });

  it("goes on being careful in the window after others were seen, then forgets them", () => {
    const budget = known(40);
    for (const ticket of drain(budget, 0)) budget.answer(ticket, told(1, 0, 30));
    const tickets = drain(budget, 31_100);
    expect(tickets).toHaveLength(60 - 8);
    answerAll(budget, tickets, told(31_200, 8, 59));
    // The window after that had no foreign request in the one before.
    expect(drain(budget, 92_000)).toHaveLength(60);
  });

  it("takes an answer of the old window that comes late for what it is", () => {
    const budget = known(59);
    const old = drain(budget, 29_999, 5);
    expect(drain(budget, 30_100, 3)).toHaveLength(3);
    // Sent and counted in the old window, received in the new one: reset is nearly over.
    for (const ticket of old) budget.answer(ticket, told(30_200, 54, 0));
    expect(drain(budget, 30_300)).toHaveLength(57);
  });

  it("takes a request that crossed into the new window as the new window's", () => {
    const budget = known(59);
    const crossing = mustTake(budget, 29_990);
    // The server's next window has begun when it arrives: 60 s to go.
    budget.answer(crossing, told(30_020, 59, 60));
    expect(drain(budget, 30_030)).toHaveLength(59);
  });

  it("does not take its own crossing request for another client's", () => {
    const budget = known(59);
    const crossing = mustTake(budget, 29_990);
    mustTake(budget, 30_060);
    // Both are counted in the new window.
    budget.answer(crossing, told(30_100, 58, 60));
    expect(drain(budget, 30_200)).toHaveLength(58);
  });

  it("follows windows that begin with the first request", () => {
    const budget = known(59);
    drain(budget, 0).forEach((ticket) => budget.answer(ticket, told(1, 0, 30)));
    const first = mustTake(budget, 45_000);
    budget.answer(first, told(45_100, 59, 60));
    drain(budget, 45_100).forEach((ticket) => budget.answer(ticket, told(45_200, 0, 60)));
    expect(budget.take(46_000)).toEqual({ untilMs: 105_200 + GUARD_MS });
  });

  it("keeps to its share, and to at least one", () => {
    expect(drain(known(59, 0.9), 0)).toHaveLength(54 - 1);
    const sliver = new Budget({ limit: 60, share: 0.001 });
    expect(drain(sliver, 0)).toHaveLength(1);
    expect(sliver.allowedPerWindow).toBe(1);
  });

  it("follows a limit that changes", () => {
    const budget = known(59);
    const ticket = mustTake(budget, 0);
    budget.answer(ticket, changed(1, 8, 30));
    expect(budget.allowedPerWindow).toBe(10);
    answerAll(budget, drain(budget, 2), changed(3, 0, 30));
    const tickets = drain(budget, 31_100);
    expect(tickets).toHaveLength(10);
    answerAll(budget, tickets, changed(31_200, 0, 9));
    expect(drain(budget, 41_300)).toHaveLength(10);
  });

  it("uses the known quota when an answer only says what is left", () => {
    const budget = known(59);
    const ticket = mustTake(budget, 0);
    const partial = { limit: undefined, remaining: 20, resetMs: 30_000, windowMs: undefined };
    budget.answer(ticket, { ...told(1, 0, 0), limits: partial });
    expect(drain(budget, 2)).toHaveLength(20 - 8);
  });

  it("gives back what was never sent, once, and only in its own window", () => {
    const budget = known(59);
    const tickets = drain(budget, 0);
    budget.giveBack(tickets[0] as Ticket);
    expect(drain(budget, 1)).toHaveLength(1);
    drain(budget, 31_000);
    budget.giveBack(tickets[1] as Ticket);
    expect(drain(budget, 31_001)).toHaveLength(0);
  });

  it("keeps counting what was lost: the server may have counted it too", () => {
    const budget = known(59);
    drain(budget, 0, 58);
    budget.lose(5);
    expect(drain(budget, 6)).toHaveLength(1);
  });

  it("is not misled by an error page of a proxy, which has no limit headers", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), silent(10));
    expect(budget.source).toBe("headers");
    expect(drain(budget, 11)).toHaveLength(58);
  });

  it("waits a second longer for a server that rounds its seconds down", () => {
    const budget = known(59);
    const tickets = drain(budget, 0);
    budget.answer(tickets[0] as Ticket, told(30_000, 0, 0));
    expect(budget.take(30_500)).toEqual({ untilMs: 31_000 + GUARD_MS });
  });
});

describe("Budget after a 429", () => {
  it("closes for Retry-After, which wins over the reset", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), refused(100, 5, 30));
    expect(budget.take(200)).toEqual({ untilMs: 5_100 + GUARD_MS });
    // The window is full all the same, until it ends.
    expect(budget.take(6_000)).toEqual({ untilMs: 30_100 + GUARD_MS });
  });

  it("closes until the reset when there is no Retry-After", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), refused(100, undefined, 30));
    expect(budget.take(200)).toEqual({ untilMs: 30_100 + GUARD_MS });
  });

  it("does not count the refused request, and is careful in the next window", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), refused(100, 30, 30));
    const first = mustTake(budget, 30_200);
    expect(budget.take(30_200).ticket).toBeUndefined();
    budget.answer(first, told(30_300, 59, 60));
    expect(drain(budget, 30_300)).toHaveLength(59 - 8);
  });

  it("waits for a quarter of a minute when others were faster though it came at the given time", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), refused(100, 2, 2));
    budget.answer(mustTake(budget, 3_000), refused(3_100, 2, 2));
    expect(budget.take(3_200)).toEqual({ untilMs: 18_100 + GUARD_MS });
  });

  it("does not hammer a server that says 0", () => {
    const budget = known(59);
    budget.answer(mustTake(budget, 0), refused(100, 0, 0));
    expect(budget.take(1_000).ticket).toBeUndefined();
  });

  it("doubles its own wait up to a minute when the server names none", () => {
    const budget = new Budget({ limit: 60 });
    const waits: number[] = [];
    let now = 0;
    for (let round = 0; round < 8; round += 1) {
      budget.answer(mustTake(budget, now), refused(now));
      const { untilMs } = budget.take(now) as { untilMs: number };
      waits.push(untilMs - now - GUARD_MS);
      now = untilMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
    budget.answer(mustTake(budget, now), silent(now));
    budget.answer(mustTake(budget, now), refused(now));
    expect(budget.take(now)).toEqual({ untilMs: now + 1_000 + GUARD_MS });
  });

  it("takes eight refusals of one burst as one", () => {
    const budget = new Budget({ limit: 60, assume: "none" });
    const burst = drain(budget, 0, 8);
    for (const ticket of burst) budget.answer(ticket, refused(100));
    expect(budget.take(100)).toEqual({ untilMs: 1_100 + GUARD_MS });
  });

  it("then sends one request to see, not eight", () => {
    const budget = new Budget({ limit: 60, assume: "none" });
    for (const ticket of drain(budget, 0, 8)) budget.answer(ticket, refused(100, 3));
    const probe = mustTake(budget, 3_200);
    expect(budget.take(3_200)).toEqual({ untilMs: undefined });
    budget.answer(probe, silent(3_300));
    // Where the last one was met, the next ones go one by one, for two windows.
    expect(drain(budget, 3_300)).toHaveLength(1);
    expect(drain(budget, 130_000).length).toBeGreaterThan(8);
  });
});

describe("Budget after a 429, while one request finds out whether a new window began", () => {
  function probing(): { budget: Budget; probe: Ticket } {
    const budget = known();
    budget.answer(mustTake(budget, 1), refused(1, undefined, 30));
    return { budget, probe: mustTake(budget, 31_000) };
  }

  it("waits for its answer, not until a time", () => {
    const { budget } = probing();
    expect(budget.take(31_000)).toEqual({ untilMs: undefined });
  });

  it.each([
    ["an error page of a proxy", silent(31_100), 31_100],
    ["a 429 of a proxy", refused(31_100, 1), 33_200],
  ])("asks with another one where %s says nothing of windows", (_, answered, nextMs) => {
    const { budget, probe } = probing();
    budget.answer(probe, answered);
    expect(drain(budget, nextMs)).toHaveLength(1);
  });
});

describe("Budget without headers", () => {
  it("allows a window's limit, counted from receipt, requests under way included", () => {
    const budget = silentServer();
    const tickets = drain(budget, 1_000);
    expect(tickets).toHaveLength(59);
    expect(budget.take(2_000)).toEqual({ untilMs: 60_500 + GUARD_MS });
    for (const ticket of tickets) budget.answer(ticket, silent(3_000));
    // Only the probe has left the window.
    expect(drain(budget, 60_500 + GUARD_MS)).toHaveLength(1);
    expect(drain(budget, 63_000 + GUARD_MS)).toHaveLength(59);
  });

  it("waits for an answer when all that is allowed is under way", () => {
    const budget = silentServer();
    drain(budget, 61_000);
    expect(budget.take(61_001)).toEqual({ untilMs: undefined });
  });

  it("counts what was lost", () => {
    const budget = silentServer();
    drain(budget, 61_000, 60);
    for (let n = 0; n < 60; n += 1) budget.lose(62_000);
    expect(budget.take(62_001)).toEqual({ untilMs: 122_000 + GUARD_MS });
  });

  it("follows the headers as soon as there are any", () => {
    const budget = silentServer();
    budget.answer(mustTake(budget, 600), told(700, 30, 20));
    expect(budget.source).toBe("headers");
    // 29 of the 30 used ones look like others': the tail stays back until the answer is in.
    expect(budget.take(800).ticket).toBeDefined();
  });
});

describe("Budget for a server that is known to have no limits", () => {
  it("holds nothing back and claims no limit", () => {
    const budget = new Budget({ limit: 60, assume: "none" });
    for (const ticket of drain(budget, 0, 500)) budget.answer(ticket, silent(1));
    expect(drain(budget, 2, 500)).toHaveLength(500);
    expect(budget.allowedPerWindow).toBeUndefined();
  });

  it("believes headers, should there be any after all", () => {
    const budget = new Budget({ limit: 60, assume: "none" });
    budget.answer(mustTake(budget, 0), told(10, 59, 30));
    expect(drain(budget, 20)).toHaveLength(59 - 4);
  });
});
