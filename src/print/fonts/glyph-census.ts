import type { Problem } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { formatCount } from "../../base/text/words.ts";
import { nameLetters, nameSome, quote, readableLine } from "./caption.ts";
import { loadLabelFonts } from "./label-fonts.ts";
import { FONTS_FIELD } from "./own-font.ts";
import type { SheetOptions } from "../sheet-job.ts";

/** Counts what the texts of records have that no font of the job has. */
export interface GlyphCensus {
  /** `place`: names a row better than its key, as `line 4`. */
  add(key: string, texts: readonly string[], place?: string): void;
  /** One for all rows, naming rows, characters and what to do; empty when fonts have all. */
  warnings(): readonly Problem[];
}

const KEYS_SHOWN = 3;

/** What becomes of a line: half a word of some scripts says something else; a sign is shown as U+FFFD. */
type Outcome = "left-out" | "replaced";

function sayOutcome(outcomes: ReadonlySet<Outcome>): string {
  if (!outcomes.has("left-out")) return "the labels show \u{FFFD} in their place";
  return outcomes.has("replaced")
    ? "lines in scripts that no font has are left out, and the labels show \u{FFFD} for other characters"
    : "the lines in such scripts are left out";
}

/** Throws `bad-usage` for a font that can't be embedded. */
export async function openGlyphCensus(options: Pick<SheetOptions, "fonts">): Promise<GlyphCensus> {
  const { regular } = await loadLabelFonts(options.fonts);
  const letters = new Set<string>();
  const outcomes = new Set<Outcome>();
  const keys: string[] = [];
  let rows = 0;
  return {
    add(key, texts, place = quote(showKey(key))) {
      const lines = texts
        .flatMap((text) => text.split("\n"))
        .map((line) => readableLine(line, regular))
        .filter((line) => line.missing.length > 0);
      const missing = lines.flatMap((line) => line.missing);
      if (missing.length === 0) return;
      for (const { text } of lines) outcomes.add(text === "" ? "left-out" : "replaced");
      rows += 1;
      if (keys.length < KEYS_SHOWN) keys.push(place);
      for (const letter of missing) letters.add(letter);
    },
    warnings() {
      if (rows === 0) return [];
      const which = rows === 1 ? "the label of 1 row" : `the labels of ${formatCount(rows)} rows`;
      const names = nameLetters(letters);
      return [
        {
          message: `${which} (${nameSome(keys, KEYS_SHOWN, rows)}) must show characters that no font has: ${names}; name fonts that have them in ${FONTS_FIELD}, or ${sayOutcome(outcomes)}`,
        },
      ];
    },
  };
}
