/**
 * Whether tills can read the codes of a job's sheets: shapes, inks, and a hint for codes that are
 * too small (docs/spec/print.md section 5). Their texts are judged row by row.
 */
import type { Problem } from "../../base/errors.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import type { JobSheets } from "../../job/job.ts";
import { symbolContrast } from "../../print/pdf/ink.ts";

/** Symbol contrast of grade 2: ISO/IEC 15415 asks 40%, tills a grade of 1.5. */
const LEAST_CONTRAST = 0.4;
const PLAIN_LOOKS = { pattern: "Original", eyes: "Square" } as const;

function findShapeFaults(style: NonNullable<JobSheets["codeStyle"]>): Problem[] {
  return (["pattern", "eyes"] as const).flatMap((field) => {
    if (style[field] === PLAIN_LOOKS[field]) return [];
    return [
      {
        message: `codeStyle.${field} must be ${PLAIN_LOOKS[field]} with application: gs1-pos, got ${style[field]}`,
        where: { field: `codeStyle.${field}` },
        hint: "tills are sure of whole square modules only",
      },
    ];
  });
}

/** True for an ink that is printed in dots. */
function isScreened({ cmyk, spot, tint }: Ink): boolean {
  if (spot !== null) return tint < 1;
  return cmyk.some((share) => share * tint > 0 && share * tint < 1);
}

function findInkFaults(field: string, ink: Ink): Problem[] {
  const where = { field };
  const hint = "take black, or one solid ink that is dark in red light, as a dark blue";
  const faults = isScreened(ink)
    ? [`${field} must be solid with application: gs1-pos, got an ink that is printed in dots`]
    : [];
  const { seen, red } = symbolContrast(ink);
  const least = Math.min(seen, red);
  if (least < LEAST_CONTRAST) {
    const light = red < seen ? "red light (660 nm)" : "white light";
    faults.push(
      `${field} must have a symbol contrast of at least ${LEAST_CONTRAST * 100}% with application: gs1-pos, got about ${Math.round(least * 100)}% in ${light}, less than grade 1.5`,
    );
  }
  return faults.map((message) => ({ message, where, hint }));
}

/** Each reason why tills may refuse the codes of these sheets; none for other uses. */
export function checkTillSheets(sheets: JobSheets | null): Problem[] {
  if (sheets?.application !== "gs1-pos") return [];
  const { codeStyle: style, artwork, artworkInks } = sheets;
  const drawn =
    style === null
      ? []
      : [
          ...findShapeFaults(style),
          ...findInkFaults("codeStyle.ink", style.ink),
          ...(style.eyeInk === style.ink ? [] : findInkFaults("codeStyle.eyeInk", style.eyeInk)),
        ];
  const inks = artwork === "server" ? Object.values(artworkInks) : [];
  return [...drawn, ...inks.flatMap((ink) => findInkFaults("artworkInks", ink))];
}

const TILL_SIZES = "tills need X of 0.396 to 0.990 mm";

/** The hint for a code that is too small for a till; a short link would not help. */
function toTillHint({ where, hint }: Problem): string | undefined {
  if (where?.field === "sheets")
    return `${TILL_SIZES}: use larger labels, error_correction M, a shorter host, or fewer values behind the GTIN`;
  if (where?.field !== "xDimensionMm" && where?.field !== "qrSizeMm") return hint;
  return hint === undefined ? TILL_SIZES : `${TILL_SIZES}: ${hint}`;
}

/** A problem of the sheets, with the hint for tills. */
export function toTillReason<Found extends Problem | undefined>(
  sheets: JobSheets | null,
  problem: Found,
): Found {
  if (problem === undefined || sheets?.application !== "gs1-pos") return problem;
  return { ...problem, hint: toTillHint(problem) };
}
