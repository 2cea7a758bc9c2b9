import fc from "fast-check";

/**
 * fast-check with the cases of every run fixed, so that the change under test alone decides whether
 * a run passes. `PROPERTY_SEED=random` (`npm run test:properties`) draws new ones; a number repeats
 * the run that failed with it.
 */
export * from "fast-check";

const FIXED_SEED = 20_261_121;
const wanted = process.env["PROPERTY_SEED"] ?? String(FIXED_SEED);
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
