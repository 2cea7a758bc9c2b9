import type { Problem } from "../base/errors.ts";
import { LEAST_PT } from "./fonts/caption.ts";
import { DEFAULT_SPOT } from "./draw/die-line.ts";
import { isStackMode } from "./layout/imposition.ts";
import { type FinishKind, finishKinds, toFinishes } from "./layout/finish.ts";
import { BLEED_MM, offPaper } from "./layout/page-frame.ts";
import { isIsoTime } from "./pdf/pdfx.ts";
import { isPlainStyle } from "./art/styled-code.ts";
import type { SheetOptions } from "./sheet-job.ts";

/** Inks that a cutter must never follow. */
const reservedInks = new Set(["all", "none", "cyan", "magenta", "yellow", "black"]);

const MOST_BLEED_MM = 20;

type OptionRule = (options: SheetOptions) => Omit<Problem, "where"> | undefined;

const must = (holds: boolean, message: string, hint?: string): Omit<Problem, "where"> | undefined =>
  holds ? undefined : { message: `must be ${message}`, hint };

const isWhole = (value: number, least: number): boolean =>
  Number.isInteger(value) && value >= least;

const positive = (value: number | undefined): ReturnType<OptionRule> =>
  must(
    value === undefined || (Number.isFinite(value) && value > 0),
    `greater than 0, got ${value}`,
  );

/** True for an ink name that is unique in the job. */
function isOwnPlate(spot: string, options: SheetOptions): boolean {
  const { dieLine } = options;
  const cut = dieLine === undefined ? [] : [dieLine.spot ?? DEFAULT_SPOT];
  const plates = toFinishes(options).map((finish) => finish.spot);
  const same = [...cut, ...plates].filter((name) => name.toLowerCase() === spot.toLowerCase());
  return (
    /^[\x20-\x7e]{1,60}$/u.test(spot) && !reservedInks.has(spot.toLowerCase()) && same.length === 1
  );
}

/** field -> its rule. */
const optionRules: readonly (readonly [field: keyof SheetOptions, rule: OptionRule])[] = [
  ["deviceDpi", ({ deviceDpi }) => positive(deviceDpi)],
  [
    "barWidthReduction",
    ({ barWidthReduction = 0, deviceDpi, codeStyle }) =>
      must(
        isWhole(barWidthReduction, 0) &&
          (barWidthReduction === 0 || (deviceDpi !== undefined && isPlainStyle(codeStyle))),
        `a whole number of pixels of a known device_dpi, for codes of whole modules in black, got ${barWidthReduction}`,
      ),
  ],
  ["xDimensionMm", ({ xDimensionMm }) => positive(xDimensionMm)],
  ["qrSizeMm", ({ qrSizeMm }) => positive(qrSizeMm)],
  ["leastXMm", ({ leastXMm }) => positive(leastXMm)],
  ["mostXMm", ({ mostXMm }) => positive(mostXMm)],
  [
    "mostXMm",
    ({ mostXMm = Infinity, leastXMm = 0 }) =>
      must(mostXMm >= leastXMm, `at least the least X, ${leastXMm}, got ${mostXMm}`),
  ],
  [
    "xDimensionMm",
    ({ mostXMm = Infinity, xDimensionMm = 0 }) =>
      must(xDimensionMm <= mostXMm, `at most the greatest X, ${mostXMm}, got ${xDimensionMm}`),
  ],
  ["volumeCodes", ({ volumeCodes }) => positive(volumeCodes)],
  ["safeMm", ({ safeMm = 0 }) => must(safeMm >= 0, `0 or more, got ${safeMm}`)],
  [
    "captionPt",
    ({ captionPt = LEAST_PT }) =>
      must(captionPt >= LEAST_PT, `at least ${LEAST_PT}, got ${captionPt}`),
  ],
  [
    "captionLines",
    ({ captionLines = 0 }) =>
      must(isWhole(captionLines, 0), `a whole number of 0 or more, got ${captionLines}`),
  ],
  [
    "copies",
    ({ copies = 1 }) => must(isWhole(copies, 1), `a whole number of 1 or more, got ${copies}`),
  ],
  ["overs", ({ overs = 0 }) => must(overs >= 0 && overs <= 1, `a share of 0 to 1, got ${overs}`)],
  [
    "bleedMm",
    ({ bleedMm = 0 }) =>
      must(bleedMm >= 0 && bleedMm <= MOST_BLEED_MM, `0 to ${MOST_BLEED_MM}, got ${bleedMm}`),
  ],
  [
    "spares",
    ({ spares = 0, sheet: { rows, columns, name } }) => {
      const most = rows * columns - 1;
      return must(
        isWhole(spares, 0) && spares <= most,
        `a whole number, at most ${most} of the ${most + 1} cells of ${name}, got ${spares}`,
      );
    },
  ],
  [
    "spares",
    ({ spares = 0, order }) =>
      must(
        spares === 0 || order !== "stack-by-column",
        `0 with order stack-by-column, got ${spares}`,
        "lanes of a roll have no last cells; use overs",
      ),
  ],
  [
    "start",
    ({ start = 1, spares = 0, sheet }) => {
      const cells = sheet.rows * sheet.columns - spares;
      // Where there are no cells, the fault is that of the spares.
      return must(
        isWhole(start, 1) && (start <= cells || cells < 1),
        `a cell of the sheet, 1 to ${cells}, got ${start}`,
      );
    },
  ],
  [
    "start",
    ({ start = 1, order = "rows" }) =>
      must(
        start === 1 || !isStackMode(order),
        `1 with order ${order}, got ${start}`,
        "a part-used sheet can only be filled in rows or columns: take order rows, or leave start out",
      ),
  ],
  [
    "sheet",
    ({ sheet, marks, bleedMm }) => {
      const { x, y } = marks.length === 0 ? { x: 0, y: 0 } : offPaper(sheet, bleedMm ?? BLEED_MM);
      const { name, widthMm, heightMm } = sheet.paper ?? { name: "", widthMm: 0, heightMm: 0 };
      return must(
        x === 0 && y === 0,
        `such that its labels and marks fit ${name} (${widthMm} x ${heightMm} mm), got ${x.toFixed(1)} mm too much across and ${y.toFixed(1)} mm down`,
        "take fewer or smaller labels, a smaller bleed_mm, or a larger paper",
      );
    },
  ],
  [
    "dieLine",
    ({ dieLine }) => {
      const spot = dieLine?.spot ?? DEFAULT_SPOT;
      const holds = /^[\x20-\x7e]{1,60}$/u.test(spot) && !reservedInks.has(spot.toLowerCase());
      return must(
        holds,
        `an ink name of 1 to 60 plain characters that is no process ink, got ${JSON.stringify(spot)}`,
      );
    },
  ],
  ...finishKinds.flatMap((kind): [FinishKind, OptionRule][] => [
    [
      kind,
      ({ [kind]: plate, standard = "PDF/X-4" }) =>
        must(
          plate === undefined || standard === "PDF/X-4",
          `left out in ${standard}: it has no layers, so the white would cover the codes on screen`,
          "say standard: PDF/X-4",
        ),
    ],
    [
      kind,
      (options) => {
        const spot = options[kind]?.spot;
        return must(
          spot === undefined || isOwnPlate(spot, options),
          `a plate of its own, neither a process ink nor one of the job's, got ${JSON.stringify(spot)}`,
        );
      },
    ],
  ]),
  [
    "createdAt",
    ({ createdAt }) =>
      must(
        isIsoTime(createdAt),
        `an ISO date and time such as 2026-01-31T12:00:00Z, got ${JSON.stringify(createdAt)}`,
      ),
  ],
];

/** Faults of the options themselves. */
export function checkOptions(options: SheetOptions): Problem[] {
  return optionRules.flatMap(([field, rule]) => {
    const broken = rule(options);
    if (broken === undefined) return [];
    return [{ ...broken, message: `${field} ${broken.message}`, where: { field } }];
  });
}
