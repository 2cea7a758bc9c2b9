/** Events of the last minute, in 60 buckets of a second, however many there are. */
export interface Rate {
  count(nowMs: number): void;
  perMinute(nowMs: number): number;
}

const BUCKETS = 60;

export function makeRate(): Rate {
  const buckets = Array.from({ length: BUCKETS }, () => ({ second: -Infinity, events: 0 }));
  return {
    count(nowMs) {
      const second = Math.floor(nowMs / 1000);
      const bucket = buckets[((second % BUCKETS) + BUCKETS) % BUCKETS];
      if (bucket === undefined) return;
      if (bucket.second !== second) bucket.events = 0;
      bucket.second = second;
      bucket.events += 1;
    },
    perMinute(nowMs) {
      const oldest = Math.floor(nowMs / 1000) - BUCKETS;
      return buckets.reduce((sum, bucket) => sum + (bucket.second > oldest ? bucket.events : 0), 0);
    },
  };
}
