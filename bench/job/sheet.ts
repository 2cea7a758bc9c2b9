/** What every contender of the job bench makes: the same rows on the same labels. */
const COLUMNS = 3;
export const PER_SHEET = 24;
export const MM = 72 / 25.4;
/** Labels of 63.5 x 33.9 mm, from the left and upper edge of A4. */
export const LABEL = { width: 63.5, height: 33.9, pitchX: 66, left: 7.25, top: 12.9 };
export const CODE_MM = 26;
export const PNG_PX = 1000;
export const PROOF_DPI = 300;

export const toPayload = (row: number): string => `https://example.com/table/${row + 1}`;

/** Where the code of a row is, in mm from the page's left and upper edge. */
export function placeOf(row: number): { page: number; x: number; y: number } {
  const at = row % PER_SHEET;
  return {
    page: Math.floor(row / PER_SHEET),
    x: LABEL.left + (at % COLUMNS) * LABEL.pitchX + 2,
    y: LABEL.top + Math.floor(at / COLUMNS) * LABEL.height + (LABEL.height - CODE_MM) / 2,
  };
}
