/**
 * HarfBuzz, loaded with the first font. The package has a top-level `await` for its WebAssembly: a
 * module that imports it directly can't be loaded by `require()`.
 */
import type * as HarfBuzzModule from "harfbuzzjs";

export type HarfBuzz = typeof HarfBuzzModule;
export type HarfBuzzFont = HarfBuzzModule.Font;
export type HarfBuzzBuffer = HarfBuzzModule.Buffer;

export const loadHarfBuzz = (): Promise<HarfBuzz> => import("harfbuzzjs");
