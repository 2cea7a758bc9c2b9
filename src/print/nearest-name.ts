/** Steps from one word to the other: insert, delete, replace, or swap two neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swaps = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = swaps ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name that a person most likely meant, or undefined when none is near. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const plain = wanted.toLowerCase();
  const within = names.find((name) => plain.length >= 4 && name.includes(plain));
  if (within !== undefined) return within;
  let best: { name: string; steps: number } | undefined;
  for (const name of names) {
    const steps = distance(plain, name.toLowerCase());
    if (best === undefined || steps < best.steps) best = { name, steps };
  }
  if (best === undefined || best.steps > Math.max(2, wanted.length / 3)) return undefined;
  return best.name;
}
