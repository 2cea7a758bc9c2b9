/**
 * Scans by day as our own SVG: bars, and the period before as a dashed line. A table shows the same.
 */

const WIDTH = 960;
const HEIGHT = 240;
const LEFT = 48;
const BOTTOM = 28;
const TOP = 12;

export interface Day {
  readonly date: string;
  readonly scans: number;
}

interface ChartProps {
  readonly days: readonly Day[];
  /** The same number of days, before those. */
  readonly before: readonly Day[];
  /** Description of the chart, in words. */
  readonly label: string;
  readonly count: (n: number) => string;
  readonly day: (date: string) => string;
}

/** 1, 2 or 5 times a power of ten: the end of an axis. */
export function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

const round = (n: number): number => Math.round(n * 10) / 10;

export function Chart({ days, before, label, count, day }: ChartProps) {
  const top = niceTop(
    Math.max(1, ...days.map(({ scans }) => scans), ...before.map(({ scans }) => scans)),
  );
  const step = (WIDTH - LEFT) / Math.max(1, days.length);
  const y = (scans: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - scans / top));
  const bottom = y(0);
  const [first] = days;
  const last = days.at(-1);
  const line = before
    .map(({ scans }, at) => `${round(LEFT + step * (at + 0.5))},${y(scans)}`)
    .join(" ");
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((share) => (
        <>
          <line x1={LEFT} x2={WIDTH} y1={y(top * share)} y2={y(top * share)} />
          <text x={LEFT - 6} y={y(top * share) + 4} text-anchor="end">
            {Number.isInteger(top * share) ? count(top * share) : ""}
          </text>
        </>
      ))}
      {days.map(({ scans }, at) => (
        <rect
          x={round(LEFT + step * at + step * 0.1)}
          y={y(scans)}
          width={round(step * 0.8)}
          height={round(bottom - y(scans))}
        />
      ))}
      {before.length === 0 ? null : <polyline class="before" points={line} />}
      <text x={LEFT} y={HEIGHT - 8}>
        {first === undefined ? "" : day(first.date)}
      </text>
      <text x={WIDTH} y={HEIGHT - 8} text-anchor="end">
        {last === undefined ? "" : day(last.date)}
      </text>
    </svg>
  );
}
