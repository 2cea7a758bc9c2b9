import * as code from "./code-rules.ts";
import * as die from "./die-rules.ts";
import * as file from "./file-rules.ts";
import type { FileCheck } from "./file-rules.ts";
import type { Fault, Finding } from "./finding.ts";
import * as margin from "./margin-rules.ts";
import * as page from "./page-rules.ts";
import * as symbol from "./symbol-rules.ts";
import { type FileContext, type PageCheck, type PageContext, readPages } from "./sheet-context.ts";

/** One line of the list that a finished file is held to (docs/spec/print.md section 12). */
interface Rule {
  /** Number in that list; 0 = ours. */
  readonly number: number;
  readonly id: string;
  readonly says: string;
  readonly file?: FileCheck;
  readonly page?: PageCheck;
}

/** Rule 25 has its own module, as it needs pixels; rule 26 is a test. */
export const rules = [
  {
    number: 1,
    id: "structure",
    says: "header version, cross-reference and references are right",
    file: file.checkStructure,
  },
  {
    number: 2,
    id: "identity",
    says: "an /ID of two 16-byte strings, no encryption",
    file: file.checkIdentity,
  },
  {
    number: 3,
    id: "forbidden",
    says: "no JavaScript, actions, forms, embedded files, OPI, LZW, transfer curves, external streams",
    file: file.checkForbidden,
  },
  {
    number: 4,
    id: "version-key",
    says: "the file says which PDF/X it is, in the right place",
    file: file.checkVersionKey,
  },
  {
    number: 5,
    id: "description",
    says: "title, dates, Trapped and identifiers are there and agree",
    file: file.checkDescription,
  },
  {
    number: 6,
    id: "output-intent",
    says: "one output intent with a whole CMYK printing profile",
    file: file.checkOutputIntent,
  },
  {
    number: 7,
    id: "boxes",
    says: "page boxes nest; page and trimmed size are the sheet's",
    page: page.checkBoxes,
  },
  {
    number: 8,
    id: "fonts",
    says: "fonts are embedded subsets; every glyph shown exists",
    page: page.checkFonts,
  },
  {
    number: 9,
    id: "colors",
    says: "only operators we know; 100% K and the job's inks, no RGB",
    page: page.checkColors,
  },
  { number: 10, id: "spots", says: "spot inks are the job's", file: die.checkSpots },
  {
    number: 11,
    id: "die-line",
    says: "die lines in their ink and layer, on top, overprinting, each edge once",
    page: die.checkDieLines,
  },
  { number: 12, id: "layers", says: "layers are the job's", file: die.checkLayers },
  {
    number: 13,
    id: "transparency",
    says: "no soft mask, alpha or blend mode",
    page: page.checkTransparency,
  },
  { number: 14, id: "annotations", says: "no annotations", page: page.checkAnnotations },
  {
    number: 15,
    id: "images",
    says: "no image in a code but the logo of a design; all grey or CMYK, others fine enough",
    page: page.checkImages,
  },
  {
    number: 16,
    id: "single-fill",
    says: "each code is one path with one fill (one for each ink; a designed one has the parts of its design), where the map says",
    page: code.checkSingleFill,
  },
  {
    number: 17,
    id: "modules",
    says: "X within its limit and on the device grid, with its origin",
    page: code.checkModules,
  },
  {
    number: 18,
    id: "quiet-zone",
    says: "4 X around each code are free of everything",
    page: code.checkQuietZones,
  },
  {
    number: 19,
    id: "safe-area",
    says: "codes in their safe areas, labels apart and inside the trim",
    page: code.checkSafeAreas,
  },
  {
    number: 20,
    id: "text",
    says: "text of 4 pt or more, overprinting, inside the safe area",
    page: page.checkTexts,
  },
  {
    number: 21,
    id: "marks",
    says: "marks at every cut, on every plate, outside the bleed, nothing touching",
    page: margin.checkMarks,
  },
  { number: 22, id: "ink-total", says: "inks within the limit", page: page.checkInkTotal },
  { number: 23, id: "page-count", says: "pages as planned", file: file.checkPageCount },
  {
    number: 24,
    id: "sheet-map",
    says: "every cell once, with its row key and payload hash",
    file: file.checkMap,
  },
  {
    number: 27,
    id: "symbols",
    says: "symbols have the bars, place, size, quiet zone and text that their rows want",
    page: symbol.checkSymbols,
  },
  {
    number: 0,
    id: "rehearsal",
    says: "a rehearsal says so on every sheet, anything else never",
    page: margin.checkRehearsal,
  },
] as const satisfies readonly Rule[];

function toFindings(context: FileContext, rule: Rule, faults: readonly Fault[]): Finding[] {
  return faults.map((fault) => ({
    severity: "error",
    ...fault,
    rule: rule.id,
    file: context.name,
  }));
}

function pageFindings(context: PageContext): Finding[] {
  return (rules as readonly Rule[]).flatMap((rule) =>
    toFindings(context, rule, rule.page?.(context) ?? []),
  );
}

/** Holds one file to every rule; findings in the order of the list, page by page. */
export function checkRules(context: FileContext): Finding[] {
  const findings = (rules as readonly Rule[]).flatMap((rule) =>
    toFindings(context, rule, rule.file?.(context) ?? []),
  );
  for (const pageContext of readPages(context)) findings.push(...pageFindings(pageContext));
  return findings;
}
