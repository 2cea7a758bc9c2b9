import { badUsage } from "../errors.ts";

/** More than anybody would list by hand. */
const MOST = 1_000_000;

/** 3, 7, 8, 9 -> `3, 7-9`: numbers in rising order, each written by `write`. */
export function showRanges(
  numbers: Iterable<number>,
  write: (number: number) => string = String,
): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges
    .map(([first, last]) => (first === last ? write(first) : `${write(first)}-${write(last)}`))
    .join(", ");
}

/** `3,7-9` -> 3, 7, 8, 9; from 1. Throws `bad-usage`, naming the flag. */
export function readRanges(text: string, flag: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [, first = "", last = first] =
      /^\s*([1-9]\d{0,8})(?:\s*-\s*([1-9]\d{0,8}))?\s*$/u.exec(part) ?? [];
    if (first === "" || Number(last) < Number(first) || Number(last) - Number(first) > MOST) {
      throw badUsage(`${flag} must be numbers from 1, like 3,7-9, got ${JSON.stringify(text)}`);
    }
    for (let n = Number(first); n <= Number(last); n += 1) numbers.add(n);
  }
  return numbers;
}
