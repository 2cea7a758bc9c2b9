import fc from "fast-check";

/**
 * fast-check with the cases of every run fixed, so that the change under test alone decides whether
 * a run passes. `PROPERTY_SEED=random` (`npm run test:properties`) draws new ones; a number repeats
 * the run that failed with it.
 */
export * from "fast-check";

/** Surrogates stand for halves of code points. */
const [SURROGATES, SURROGATE_COUNT, LAST_CODE_POINT] = [0xd800, 0x800, 0x10ffff];

/** Any code point. fast-check's own `binary` holds a map of all of them, 113 MB, while the process lasts. */
const anyCodePoint = fc
  .nat({ max: LAST_CODE_POINT - SURROGATE_COUNT })
  .map((n) => String.fromCodePoint(n < SURROGATES ? n : n + SURROGATE_COUNT));

export const string = (constraints: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string(constraints.unit === "binary" ? { ...constraints, unit: anyCodePoint } : constraints);

const FIXED_SEED = 20_261_121;
const wanted = process.env["PROPERTY_SEED"] ?? String(FIXED_SEED);
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
