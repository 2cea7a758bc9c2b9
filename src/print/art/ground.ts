import type { ArtItem, Ink } from "../../base/shapes/label-art.ts";
import { type BoxMm, contains } from "../layout/box.ts";

/** The ground of a code: the last light area under all of its square, which hides everything below. */
export function groundOf(
  items: readonly ArtItem[],
  square: BoxMm,
): { readonly ink: Ink; readonly index: number } | undefined {
  let found: { ink: Ink; index: number } | undefined;
  for (const [index, item] of items.entries()) {
    if (item.kind !== "box" || item.fill === null) continue;
    const { x, y, width, height } = item.at;
    // Half of a corner's radius is more than the rounding takes from the diagonal.
    const by = item.radius * 0.3;
    const inner = { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
    if (contains(inner, square, 1e-3)) found = { ink: item.fill, index };
  }
  return found;
}
