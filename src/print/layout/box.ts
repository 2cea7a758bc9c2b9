/** A rectangle in mm. `x` and `y` lead from the top left corner of the trimmed sheet, y downwards. */
export interface BoxMm {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box without `by` on each of its sides; never of negative size. */
export function insetBox(box: BoxMm, by: number): BoxMm {
  return {
    x: box.x + by,
    y: box.y + by,
    width: Math.max(0, box.width - 2 * by),
    height: Math.max(0, box.height - 2 * by),
  };
}

/** True when `inner` lies in `outer`, give or take `slackMm`. */
export function contains(outer: BoxMm, inner: BoxMm, slackMm = 1e-6): boolean {
  return (
    inner.x >= outer.x - slackMm &&
    inner.y >= outer.y - slackMm &&
    inner.x + inner.width <= outer.x + outer.width + slackMm &&
    inner.y + inner.height <= outer.y + outer.height + slackMm
  );
}

/** True when the boxes share more than an edge of up to `slackMm`. */
export function overlaps(a: BoxMm, b: BoxMm, slackMm = 1e-6): boolean {
  return (
    a.x + a.width > b.x + slackMm &&
    b.x + b.width > a.x + slackMm &&
    a.y + a.height > b.y + slackMm &&
    b.y + b.height > a.y + slackMm
  );
}

const tidy = (mm: number): number => Math.round(mm * 1e4) / 1e4;

/** Rounded to a tenth of a micron, so that rounding errors reach no file. */
export function tidyBox(box: BoxMm): BoxMm {
  return { x: tidy(box.x), y: tidy(box.y), width: tidy(box.width), height: tidy(box.height) };
}
