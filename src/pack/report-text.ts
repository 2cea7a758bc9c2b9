/** Numbers as people read them in the report. */

export const toCountText = (n: number): string => n.toLocaleString("en");

export const toDecimalText = (n: number): string => n.toFixed(1);

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 05 min`. */
export function toDurationText(ms: number, decimal = toDecimalText): string {
  if (ms < 9_950) return `${decimal(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
