import type { TextSource } from "../../base/shapes/label-art.ts";
import type { Problem } from "../../base/errors.ts";
import { headOf, quoteText } from "../../base/text/words.ts";
import { toHumanReadable } from "../../gs1/human-readable.ts";
import type { TextWarning } from "../fonts/caption.ts";
import { type Face, nameItem } from "../fonts/face.ts";
import type { LabelFonts } from "../fonts/label-fonts.ts";
import { type FittedText, fitText } from "../fonts/text-fit.ts";

/** Where a label stands among all; each counts from 0. */
export interface LabelCounts {
  readonly label: number;
  readonly row: number;
  readonly copy: number;
  readonly sheet: number;
}

/** The sources of a text. */
export interface TextFacts {
  /** Texts of the record, by index. */
  readonly texts: readonly string[];
  /** The text of the code; undefined while it isn't known. */
  readonly payload: string | undefined;
  readonly counts: LabelCounts;
  /** `column "Name"` of each text of the record, for those who judge rows. */
  readonly columns?: readonly string[] | undefined;
}

/** A record's words for one text; lines that must not be joined are apart. */
export type Words = { readonly text: string } | { readonly problem: string };

function fill(source: Extract<TextSource, { of: "counter" }>, counts: LabelCounts): string {
  const number = String(source.start + counts[source.per] * source.step);
  return source.pattern.replace(/#+/u, (run) => number.padStart(run.length, "0"));
}

/** The words of a text on one label. */
export function wordsOf(source: TextSource, facts: TextFacts): Words {
  switch (source.of) {
    case "row":
      return { text: facts.texts[source.index] ?? "" };
    case "counter":
      return { text: fill(source, facts.counts) };
    case "hri": {
      if (facts.payload === undefined) return { text: "" };
      const lines = toHumanReadable(facts.payload, source.parts);
      if (lines === undefined) {
        const got = quoteText(headOf(facts.payload, 60));
        return {
          problem: `GS1 text comes from the code, which must hold a Digital Link or an element string, got ${got}`,
        };
      }
      return { text: lines.join("\n") };
    }
  }
}

/** One text of a label, fitted. */
export interface SetText {
  readonly item: Extract<NonNullable<Face["art"]>["items"][number], { kind: "text" }>;
  readonly fitted: FittedText;
}

/** Elements of GS1 text stand in one line where they fit, else in one each. */
function fitWords(item: SetText["item"], text: string, fonts: LabelFonts): FittedText {
  const { style, at: room } = item;
  const font = style.bold ? fonts.bold : fonts.regular;
  if (item.source.of === "hri" && text.includes("\n")) {
    const joined = { ...style, fit: style.fit.filter((fit) => fit === "shrink") };
    const oneLine = fitText(text.replaceAll("\n", "  "), joined, { room, font });
    if (oneLine.problem === undefined && oneLine.sizePt >= style.sizePt * 0.8) return oneLine;
    return fitText(
      text,
      { ...style, fit: style.fit.filter((fit) => fit !== "wrap") },
      { room, font },
    );
  }
  return fitText(text, style, { room, font });
}

/** All texts of a face for one record, with what can't be printed. */
export function setTexts(
  face: Face,
  facts: TextFacts,
  fonts: LabelFonts,
): {
  readonly texts: readonly SetText[];
  readonly warnings: TextWarning[];
  readonly problems: string[];
} {
  const texts: SetText[] = [];
  const warnings: TextWarning[] = [];
  const problems: string[] = [];
  for (const [index, item] of (face.art?.items ?? []).entries()) {
    if (item.kind !== "text") continue;
    const columns = item.source.of === "row" ? (facts.columns?.[item.source.index] ?? "") : "";
    const says = nameItem(face.side, index + 1, "text", columns);
    const words = wordsOf(item.source, facts);
    if ("problem" in words) {
      problems.push(`${says}: ${words.problem}`);
      continue;
    }
    const fitted = fitWords(item, words.text, fonts);
    warnings.push(...fitted.warnings);
    if (fitted.problem === undefined) texts.push({ item, fitted });
    else problems.push(`${says} ${fitted.problem}`);
  }
  return { texts, warnings, problems };
}

/** Why a record's texts can't be printed; empty = they can. */
export function checkTexts(faces: readonly Face[], facts: TextFacts, fonts: LabelFonts): Problem[] {
  return faces.flatMap((face) =>
    setTexts(face, facts, fonts).problems.map((message) => ({
      message,
      hint: "shorten the cell, enlarge the text's box, or allow more in its fit (wrap, shrink, ellipsis)",
    })),
  );
}
