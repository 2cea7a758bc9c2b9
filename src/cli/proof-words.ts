/** What was opened again and read, in one line. */
import { saySampled } from "../base/press-warning.ts";
import { formatCount, formatMany } from "../base/words.ts";
import type { PictureCount, Proof } from "../pipeline/results.ts";

function describePictures({ files, decoded }: PictureCount, what: string): string[] {
  if (files === 0) return [];
  const many = `${formatMany(files, what)} read back`;
  return [decoded === files ? many : `only ${formatCount(decoded)} of ${many}`];
}

function describeCodes({ codes, decoded, compared, symbols }: Proof): string[] {
  if (codes === 0) return [];
  if (compared !== undefined) {
    const proven = decoded + compared < codes ? `only ${formatCount(decoded + compared)}` : "all";
    return [`sampled proof of ${saySampled({ codes, decoded })}, ${proven} of them right`];
  }
  if (decoded < codes) {
    return [`only ${formatCount(decoded)} of ${formatCount(codes)} codes read back from the PDFs`];
  }
  const all = codes === 1 ? "the only code" : `all ${formatCount(codes)} codes`;
  const beside = symbols === undefined ? "" : `, ${formatCount(symbols)} of them symbols`;
  return [`${all} read back from the PDFs${beside}`];
}

/** One line on what was opened again and read. */
export function describeProof(proof: Proof): string {
  const { errors } = proof;
  const faults =
    errors === 0 ? "no rule broken" : `${formatMany(errors, "error")} (see the report)`;
  return [
    ...describeCodes(proof),
    ...describePictures(proof.png, "PNG"),
    ...describePictures(proof.svg, "SVG"),
    faults,
  ].join(", ");
}
