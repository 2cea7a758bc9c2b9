import { availableParallelism } from "node:os";

import PQueue from "p-queue";

/** The order of work when several kinds wait (docs/spec/engine.md section 2.5). */
const priorities = { lane: 3, updates: 2, creates: 1, downloads: 0 } as const;
export type Priority = keyof typeof priorities;

/** Runs at most `concurrency` works at a time; waiting ones by priority, then in order. */
export interface WorkQueue {
  readonly concurrency: number;
  /** Number of works waiting and running. */
  readonly size: number;
  readonly pending: number;
  add<T>(work: () => Promise<T>, priority: Priority): Promise<T>;
  /** Resolves when fewer than `limit` works wait to start. */
  onSizeLessThan(limit: number): Promise<void>;
  onIdle(): Promise<void>;
}

export interface Queues {
  readonly write: WorkQueue;
  readonly read: WorkQueue;
  /** For drawing and checking images. */
  readonly cpu: WorkQueue;
}

const CONCURRENCY = 8;

/** The three queues of a run. `concurrency` is that of writes and reads. */
export function makeQueues(concurrency = CONCURRENCY): Queues {
  return {
    write: makeQueue(concurrency),
    read: makeQueue(concurrency),
    cpu: makeQueue(availableParallelism()),
  };
}

export function makeQueue(concurrency: number): WorkQueue {
  const queue = new PQueue({ concurrency });
  return {
    concurrency,
    get size() {
      return queue.size;
    },
    get pending() {
      return queue.pending;
    },
    add: (work, priority) => queue.add(work, { priority: priorities[priority] }),
    onSizeLessThan: (limit) => queue.onSizeLessThan(limit),
    onIdle: () => queue.onIdle(),
  };
}

export interface FeedOptions {
  readonly priority: Priority;
  /** When it is aborted, nothing more is started; running work is waited for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a work for each of `items` on the queue. Reads on only while fewer than twice the
 * concurrency wait, so that a million rows never become a million promises. Resolves with the
 * number of works done. The first work that throws stops the feed: waiting ones are dropped,
 * running ones end, then its error is thrown. Work must not add to the same queue and await it.
 */
export async function feed<Item>(
  queue: WorkQueue,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  options: FeedOptions,
): Promise<number> {
  const errors: unknown[] = [];
  const open = new Set<Promise<void>>();
  let done = 0;
  const isOver = (): boolean => errors.length > 0 || options.signal?.aborted === true;
  const run = async (item: Item): Promise<void> => {
    if (isOver()) return;
    try {
      await work(item);
      done += 1;
    } catch (error) {
      errors.push(error);
    }
  };
  try {
    for await (const item of items) {
      await queue.onSizeLessThan(queue.concurrency * 2);
      if (isOver()) break;
      const job: Promise<void> = queue
        .add(() => run(item), options.priority)
        .finally(() => open.delete(job));
      open.add(job);
    }
  } finally {
    await Promise.all(open);
  }
  if (errors.length > 0) throw errors[0];
  return done;
}
