/** Corrects the codewords of a block (Berlekamp-Massey, Chien, Forney), apart from `src/qr`. */

const exp = new Uint8Array(512);
const log = new Uint8Array(256);
for (let i = 0, value = 1; i < 255; i += 1) {
  exp[i] = value;
  exp[i + 255] = value;
  log[value] = i;
  value = (value << 1) ^ (value >= 128 ? 0x11d : 0);
}

const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (exp[(log[a] as number) + (log[b] as number)] as number);
const over = (a: number, b: number): number =>
  a === 0 ? 0 : (exp[(log[a] as number) + 255 - (log[b] as number)] as number);
/** A polynomial's value, lowest power first. */
const valueAt = (polynomial: readonly number[], x: number): number =>
  polynomial.reduceRight((sum, factor) => times(sum, x) ^ factor, 0);

function syndromesOf(block: readonly number[], check: number): number[] {
  return Array.from({ length: check }, (_, power) =>
    block.reduce((sum, codeword) => times(sum, exp[power] as number) ^ codeword, 0),
  );
}

/** The polynomial whose roots are the places of the errors, lowest power first. */
function locatorOf(syndromes: readonly number[]): number[] {
  let [locator, before] = [[1], [1]];
  let [errors, gap, scale] = [0, 1, 1];
  for (const [n, syndrome] of syndromes.entries()) {
    let discrepancy = syndrome;
    for (let i = 1; i <= errors; i += 1) {
      discrepancy ^= times(locator[i] ?? 0, syndromes[n - i] as number);
    }
    if (discrepancy === 0) {
      gap += 1;
      continue;
    }
    const factor = over(discrepancy, scale);
    const next = Array.from(
      { length: Math.max(locator.length, before.length + gap) },
      (_, i) => (locator[i] ?? 0) ^ times(factor, before[i - gap] ?? 0),
    );
    if (errors * 2 <= n) {
      [before, errors, scale, gap] = [locator, n + 1 - errors, discrepancy, 1];
    } else {
      gap += 1;
    }
    locator = next;
  }
  return locator.slice(0, errors + 1);
}

/** The block without its errors; undefined when there are more than `check` corrects. */
export function correct(block: readonly number[], check: number): number[] | undefined {
  const syndromes = syndromesOf(block, check);
  if (syndromes.every((syndrome) => syndrome === 0)) return [...block];
  const locator = locatorOf(syndromes);
  const evaluator = Array.from({ length: check }, (_, i) =>
    locator.reduce((sum, factor, j) => sum ^ times(factor, syndromes[i - j] ?? 0), 0),
  );
  const slope = locator.map((_, i) => (i % 2 === 0 ? (locator[i + 1] ?? 0) : 0));
  const fixed = [...block];
  let roots = 0;
  for (let i = 0; i < block.length; i += 1) {
    const power = block.length - 1 - i;
    const inverse = exp[(255 - power) % 255] as number;
    if (valueAt(locator, inverse) !== 0) continue;
    roots += 1;
    const size = over(valueAt(evaluator, inverse), valueAt(slope, inverse));
    fixed[i] = (fixed[i] as number) ^ times(size, exp[power] as number);
  }
  const isWhole = roots === locator.length - 1 && roots * 2 <= check;
  return isWhole && syndromesOf(fixed, check).every((s) => s === 0) ? fixed : undefined;
}
