/** What a page for a customer's approval says, in English. Another language has the same shape. */
export const proofInEnglish = {
  title: "PROOF FOR APPROVAL - NOT FOR PRODUCTION",
  /** `YYYY-MM-DD`. */
  day: (iso: string): string => iso,
  sides: { front: "front", back: "back" },
  labels: (shown: number, all: number): string => `${shown} of ${all} labels`,
  size: (widthMm: number, heightMm: number, sheet: string): string =>
    `labels ${widthMm} x ${heightMm} mm, shown at 100%; print without scaling · will be printed on ${sheet}`,
  approved: "Approved as shown",
  approvedWithChanges: "Approved with changes",
  name: "Name",
  signature: "Date, signature",
};

export type ProofWords = typeof proofInEnglish;
