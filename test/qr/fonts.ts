/** The fonts of the package, for tests. */
import { readFileSync } from "node:fs";

import { labelFonts, openQrEngine, type QrEngine } from "../../src/qr/engine.ts";

export const fonts: readonly Uint8Array[] = labelFonts.map((url) => readFileSync(url));

export function openTestEngine(): Promise<QrEngine> {
  return openQrEngine({ fonts });
}
