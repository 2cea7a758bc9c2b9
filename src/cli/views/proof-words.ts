/** The proof in one line. */
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { sayPressWarning, sayPrinted, saySampled } from "../../base/shapes/press-warning.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import type { Reprint } from "../../pipeline/reprint/reprint-result.ts";
import type { PictureCount, Proof } from "../../pipeline/results.ts";

function describePictures({ files, decoded, before = 0 }: PictureCount, what: string): string[] {
  const known = `${formatMany(before, what)} proven before`;
  if (files === 0) return before === 0 ? [] : [known];
  const many = `${formatMany(files, what)} read back`;
  const now = decoded === files ? many : `only ${formatCount(decoded)} of ${many}`;
  return [before === 0 ? now : `${now} and ${known}`];
}

function describeCodes({ codes, decoded, compared, symbols, printed }: Proof): string[] {
  if (codes === 0) return [];
  if (compared !== undefined) {
    const proven = decoded + compared < codes ? `only ${formatCount(decoded + compared)}` : "all";
    return [`sampled proof of ${saySampled({ codes, decoded, printed })}, ${proven} of them right`];
  }
  if (decoded < codes) {
    const which = printed === undefined ? "" : `, of ${sayPrinted(printed)}`;
    const only = `only ${formatCount(decoded)} of ${formatCount(codes)} codes`;
    return [`${only} read back from the PDFs${which}`];
  }
  if (printed !== undefined) {
    const also = symbols === undefined ? "" : `, and ${formatMany(symbols, "symbol")}`;
    const all =
      printed.codes === 1 ? "the only code on" : `all ${formatMany(printed.codes, "code")} on`;
    return [`${all} ${formatMany(printed.labels, "label")} read back from the PDFs${also}`];
  }
  const all = codes === 1 ? "the only code" : `all ${formatCount(codes)} codes`;
  const beside = symbols === undefined ? "" : `, ${formatCount(symbols)} of them symbols`;
  return [`${all} read back from the PDFs${beside}`];
}

const WARNINGS_SHOWN = 3;

/** Each begins with the row that it is about. */
function describeWarnings({ verification: { findings } }: Proof): string {
  const warnings = findings.filter(({ severity }) => severity === "warning");
  if (warnings.length === 0) return "no rule broken";
  const shown = warnings.slice(0, WARNINGS_SHOWN).map(({ message }) => message);
  const left = warnings.length - shown.length;
  const more = left === 0 ? [] : [`and ${formatCount(left)} more`];
  return `no error, ${formatMany(warnings.length, "warning")} (${[...shown, ...more].join("; ")})`;
}

/**
 * One line on what was opened again and read; `inReport`: errors stand in the report of the run;
 * `others`: errors that were found besides.
 */
export function describeProof(
  proof: Proof,
  { inReport, others = 0 }: { readonly inReport: boolean; readonly others?: number },
): string {
  const errors = proof.errors + others;
  const faults =
    errors === 0
      ? describeWarnings(proof)
      : `${formatMany(errors, "error")}${inReport ? " (see the report)" : ""}`;
  return [
    ...describeCodes(proof),
    ...describePictures(proof.png, "PNG"),
    ...describePictures(proof.svg, "SVG"),
    faults,
  ].join(", ");
}

interface Judged {
  readonly isReady: boolean;
  readonly isRehearsal: boolean;
  readonly warnings: number;
  /** There is no PDF. */
  readonly isOfPictures?: boolean;
}

/** Whether sheets may go to the press. */
export function sayReady({ isReady, isRehearsal, warnings, isOfPictures }: Judged): string {
  if (isRehearsal) return "not ready for press: a rehearsal, the codes point to this computer";
  if (!isReady) return "not ready for press";
  const says = isOfPictures === true ? "every picture was read back" : "ready for press";
  return warnings === 0 ? says : `${says}, with ${formatMany(warnings, "warning")}`;
}

/** How many labels were printed again, and what was read back of them. */
export function sayReprint({ labels, pages, codes, decoded, symbols }: Reprint): string {
  const head = `${formatMany(labels, "label")} on ${formatMany(pages, "page")} printed again`;
  const parts = [
    ...(codes > symbols ? [formatMany(codes - symbols, "code")] : []),
    ...(symbols > 0 ? [formatMany(symbols, "symbol")] : []),
  ].join(" and ");
  return `${head}, ${decoded < codes ? `only ${formatCount(decoded)} of ` : ""}${parts} read back`;
}

/** A rehearsal ends well: its labels are as they should be, if not for press. */
export function exitOfReprint({ isReady, isRehearsal, ...proof }: Reprint): number {
  const isFlawless = proof.findings.length === 0 && proof.decoded === proof.codes;
  return isReady || (isRehearsal && isFlawless) ? 0 : EXIT_ROWS_FAILED;
}

/** Faults of labels that were printed again, and whether they may go to the press. */
export const listReprint = ({ findings, warnings, ...judged }: Reprint): string[] => [
  ...findings.map(({ rule, message }) => `  ${rule}: ${message}`),
  ...warnings.map((warning) => `  warning: ${sayPressWarning(warning)}`),
  sayReady({ ...judged, warnings: warnings.length }),
];
