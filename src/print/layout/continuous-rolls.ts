/** Rolls that the printer cuts to length: a job gives the length of its labels. */
interface ContinuousRoll {
  readonly widthMm: number;
  /** Numbers of the maker, without signs. */
  readonly numbers: readonly string[];
}

/**
 * Brother's numbers and the widths that the rolls are sold as (templates/sheets/NOTICE.md); numbers of
 * four digits, which are those of the US, and DK-22246 are known from resellers only. Measured, rolls of 54, 102 and 103 mm are 53.8, 101.6 and 103.6 mm wide.
 */
const rolls: readonly ContinuousRoll[] = [
  { widthMm: 12, numbers: ["dk22214", "dk2214"] },
  { widthMm: 29, numbers: ["dk22210", "dk2210", "dk22211", "dk2211"] },
  { widthMm: 38, numbers: ["dk22225", "dk2225"] },
  { widthMm: 50, numbers: ["dk22223", "dk2223"] },
  { widthMm: 54, numbers: ["dkn55224", "dkn5224"] },
  {
    widthMm: 62,
    numbers:
      "dk22205 dk2205 dk22212 dk2212 dk22113 dk2113 dk22251 dk2251 dk22606 dk2606 dk44205 dk4205 dk44605 dk4605".split(
        " ",
      ),
  },
  { widthMm: 102, numbers: ["dk22243", "dk2243"] },
  { widthMm: 103, numbers: ["dk22246", "dk2246"] },
];

/** Width in mm of the continuous roll that words name, such as `Brother DK-22205`; undefined for any other. */
export function findContinuousRoll(text: string): number | undefined {
  const plain = text
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, "")
    .replace(/^brother|brother$/u, "");
  return rolls.find(({ numbers }) =>
    numbers.some((number) => plain === number || `dk${plain}` === number),
  )?.widthMm;
}

/** What to do with such a roll, in a line. */
export const sayContinuousRoll = (widthMm: number): string =>
  `this roll is ${widthMm} mm wide and has no fixed length: write the length of a label yourself, for example sheet: { roll: ${widthMm}, label: [${widthMm}, 40] }`;
