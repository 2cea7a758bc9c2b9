/** Steps (insert, delete, replace, swap of neighbours) from one word to the other. */
function countSteps(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      next.push(steps);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const toPlain = (word: string): string =>
  word
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "");

const MAX_WORD = 100;

/** The known word that a person most likely meant, or undefined when none is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const plain = toPlain(word.slice(0, MAX_WORD));
  let best: { word: string; steps: number } | undefined;
  for (const candidate of known) {
    const steps = countSteps(plain, toPlain(candidate.slice(0, MAX_WORD)));
    if (best === undefined || steps < best.steps) best = { word: candidate, steps };
  }
  const allowed = Math.max(1, Math.floor(plain.length / 3));
  return best === undefined || best.steps > allowed || best.steps >= plain.length
    ? undefined
    : best.word;
}

/** `did you mean "x"?`, or `known: a, b, c` when nothing is near. For hints. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = suggest(word, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  return known.length === 0 ? "" : `known: ${known.join(", ")}`;
}
