/**
 * HarfBuzz, loaded with the first font. It waits for its WebAssembly while it is loaded, which no
 * module may do that is to be had by `require()`.
 */
import type * as HarfBuzzModule from "harfbuzzjs";

export type HarfBuzz = typeof HarfBuzzModule;
export type HarfBuzzFont = HarfBuzzModule.Font;
export type HarfBuzzBuffer = HarfBuzzModule.Buffer;

export const loadHarfBuzz = (): Promise<HarfBuzz> => import("harfbuzzjs");
