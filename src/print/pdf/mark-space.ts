/** The colour space of marks that stand on several plates (docs/spec/print.md section 10). */
import type { Plate } from "../draw/plates.ts";
import type { PdfObjects, PdfRef, PdfValue } from "./pdf-objects.ts";

const PROCESS = new Set(["Cyan", "Magenta", "Yellow", "Black"]);

/**
 * Shares of plates -> shares of CMYK as a calculator function: for each process ink the sum over all
 * plates, 1 at most. Then the shares themselves, beneath the four sums, are dropped.
 */
function tintProgram(plates: readonly Plate[]): string {
  const count = plates.length;
  const sums = [0, 1, 2, 3].map((channel) => {
    const terms = plates.map(({ cmyk }, i) => {
      const share = cmyk[channel] ?? 0;
      // On the stack above the plate's share: later plates, earlier sums, the current sum.
      return share === 0 ? "" : `${count - i - 1 + channel + 1} index ${share} mul add `;
    });
    return `0 ${terms.join("")}dup 1 gt { pop 1 } if`;
  });
  const drop = Array.from({ length: count }, () => "pop").join(" ");
  return `{ ${sums.join(" ")} ${count + 4} 4 roll ${drop} }`;
}

const span = (count: number): number[] => Array.from({ length: count }, () => [0, 1]).flat();

/** DeviceN over the plates; named inks are defined as everywhere else in the file. */
export function addMarkSpace(
  pdf: PdfObjects,
  plates: readonly Plate[],
  spotOf: (name: string) => PdfValue | undefined,
): PdfRef {
  const names = plates.map(({ name }) => name);
  const tint = pdf.addStream(tintProgram(plates), {
    FunctionType: 4,
    Domain: span(names.length),
    Range: span(4),
  });
  const colorants: Record<string, PdfValue> = {};
  for (const name of names) {
    const spot = PROCESS.has(name) ? undefined : spotOf(name);
    if (spot !== undefined) colorants[name] = spot;
  }
  const attributes = Object.keys(colorants).length === 0 ? [] : [{ Colorants: colorants }];
  return pdf.add(["DeviceN", names, "DeviceCMYK", tint, ...attributes]);
}
