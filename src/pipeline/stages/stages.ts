/** All that a job leaves, in the order in which it is made. A new kind of file is a line here. */
import type { Output } from "../results.ts";
import type { Work } from "./work.ts";
import { artworkStage } from "./artwork.ts";
import { certificateStage } from "./certificate.ts";
import { failedStage } from "./failed-rows.ts";
import { indexStage, mapStage } from "./lookups.ts";
import { pictureStage } from "./pictures.ts";
import { proofStage } from "./proof.ts";
import { reportStage } from "./report.ts";
import { sheetStage } from "./sheets.ts";
import type { Made, Stage } from "./stage.ts";
import { vanishedStage } from "./vanished-rows.ts";
import { zipStage } from "./zip.ts";

/** Pictures are proven before they are packed; the report comes last and covers all the others. */
export const stages: readonly Stage[] = [
  sheetStage,
  pictureStage,
  zipStage,
  indexStage,
  mapStage,
  proofStage,
  artworkStage,
  failedStage,
  vanishedStage,
  certificateStage,
  reportStage,
];

/** What a print shop wants first. */
const ORDER: readonly Output["role"][] = [
  "sheets",
  "zip",
  "artwork",
  "index",
  "sheet-map",
  "certificate",
  "report",
  "kept",
  "removed",
  "failed-rows",
  "vanished-rows",
];

/** What was made and where it lies. */
export function describeMade(work: Work, made: Made): Output[] {
  const outputs = [
    ...stages.flatMap((stage) => stage.describe?.(work, made) ?? []),
    ...made.kept.map((file): Output => ({ role: "kept", ...file })),
    ...made.swept.map((file): Output => ({ role: "removed", file })),
  ];
  return outputs.toSorted((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
}
