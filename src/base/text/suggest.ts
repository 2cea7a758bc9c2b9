const at = (row: readonly number[], index: number): number => row[index] ?? 0;

/** Steps (insert, delete, replace, swap of neighbours) from one word to the other. */
function countSteps(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced, swapped));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

const toPlain = (word: string): string =>
  word
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "");

const MAX_WORD = 100;
const MIN_SHORT = 3;

/** The known word that was most likely meant; undefined when none is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const plain = toPlain(word.slice(0, MAX_WORD));
  let best: { word: string; steps: number } | undefined;
  for (const candidate of known) {
    const known = toPlain(candidate.slice(0, MAX_WORD));
    // An abbreviation: `int` means `integer`, `24up` means `a4-24up`.
    const isShort =
      plain.length >= MIN_SHORT &&
      (plain.length > MIN_SHORT ? known.includes(plain) : known.startsWith(plain));
    const steps = isShort ? Math.min(1, known.length - plain.length) : countSteps(plain, known);
    if (best === undefined || steps < best.steps) best = { word: candidate, steps };
  }
  const allowed = plain.length < 4 ? 1 : Math.max(2, Math.floor(plain.length / 3));
  return best === undefined || best.steps > allowed || best.steps >= plain.length
    ? undefined
    : best.word;
}

/** Quoted when its limits would not be clear in a list. */
const toListed = (word: string): string => (/[,\s]/u.test(word) ? JSON.stringify(word) : word);

/** `did you mean "x"?`; undefined when nothing is near. For hints below a sentence that lists the words. */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** `did you mean "x"?`, or `known: a, b, c` when nothing is near. For hints. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearWord(word, known);
  if (near !== undefined) return near;
  return known.length === 0 ? "" : `known: ${known.map(toListed).join(", ")}`;
}
