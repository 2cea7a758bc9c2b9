/** The page for a customer's approval (src/print/draw/proof-sheet.ts) in German. */
import { numberFormat } from "../../base/text/number-format.ts";
import type { ReportWords } from "../../pipeline/ports.ts";
import { windowInGerman } from "./notes.ts";

const say = (n: number): string => numberFormat("de").format(n);

export const proofInGerman: ReportWords["proof"] = {
  title: "ZUR FREIGABE - NICHT FÜR DIE PRODUKTION",
  day: windowInGerman,
  sides: { front: "Vorderseite", back: "Rückseite" },
  labels: (shown, all) => `${say(shown)} von ${say(all)} Etiketten`,
  size: (widthMm, heightMm, sheet) =>
    `Etiketten ${say(widthMm)} × ${say(heightMm)} mm, in wahrer Größe; ohne Skalierung drucken · Bogen ${sheet}`,
  approved: "Freigegeben wie gezeigt",
  approvedWithChanges: "Freigegeben mit Änderungen",
  name: "Name",
  signature: "Datum, Unterschrift",
};
