/** What a plan notes beside its figures, as data. */
import type { GradeLimit } from "../../base/text/grade-words.ts";
import type { SeenAddress, UntoldAddress } from "../address/address-words.ts";
import type { PlannedX } from "./paper-figures.ts";
import type { RemadeReason } from "../files/remade.ts";

/** A PDF with captions below the greatest size, since one or all of them have no room for it. */
export interface CaptionSize {
  readonly file: string;
  readonly sizePt: number;
  /** All would have this size alone, too. */
  readonly isOfAll?: true | undefined;
  /** Key of the row that needs it; of all, the first. */
  readonly row: string;
  /** Its line, where no column is its key. */
  readonly line?: number | undefined;
  /** The name of its code, where rows are codes that exist. */
  readonly code?: string | undefined;
  /** Captions that are smaller, since they have no room at the least size that all may have. */
  readonly smaller?: { readonly count: number; readonly leastPt: number } | undefined;
}

/** Why a finished PDF is made anew though neither its rows nor their manifest have changed. */
export type AnewReason =
  | "captions"
  | "posters"
  | "matrix"
  | "shapes"
  | "designs"
  | "roll-margin"
  | "marks"
  | "corners"
  | "overprint"
  | "symbols"
  | "cells"
  | "accents"
  | "back-captions"
  | "paper"
  | "grid"
  | "condition";

export interface SheetsAnew {
  readonly reasons: readonly AnewReason[];
  readonly files: readonly string[];
}

/** A colour of a design, and what a press prints it in. */
export interface PlannedInk {
  /** `#rrggbb`. */
  readonly color: string;
  /** `C100 M60 Y0 K20`, or the name of an ink. */
  readonly ink: string;
  /** No ink of the press comes near it: it will look duller. */
  readonly isDull: boolean;
}

/** Notes of a plan beside its figures. */
export type PlanNote =
  /** The side of a module on a device's grid; `isMost`: designs of codes may make it smaller. */
  | ({ readonly code: "x-dimension" } & PlannedX)
  /** Codes are printed as they were designed: what their colours are printed in. */
  | { readonly code: "design-inks"; readonly inks: readonly PlannedInk[] }
  /** The worst predicted grade, 0 to 4, by which parameter, and how many codes have it. */
  | {
      readonly code: "grades";
      readonly grade: number;
      readonly limit: GradeLimit;
      readonly count: number;
      readonly of: number;
    }
  /** So many codes exist, and no server shows their designs: the run sees them. */
  | { readonly code: "grades-later"; readonly count: number }
  /** SVG logos whose shapes sheets print. */
  | { readonly code: "logo-shapes"; readonly files: readonly string[] }
  /** SVG logos that a server is sent as pictures. */
  | { readonly code: "svg-sent"; readonly files: readonly string[] }
  /** PDFs with captions below the greatest size, since one of them has no room for it. */
  | {
      readonly code: "caption-size";
      readonly count: number;
      readonly examples: readonly CaptionSize[];
    }
  /** The first cell of each PDF on such sheets, where `start` says another than 1; 1 = a whole sheet. */
  | {
      readonly code: "sheet-start";
      readonly sheet: string;
      readonly begins: readonly { readonly file: string; readonly cell: number }[];
    }
  /** Finished PDFs that are made anew, since this makeready prints them differently. */
  | ({ readonly code: "sheets-anew" } & SheetsAnew)
  /** The last undo did not end: a run changes again what it has put back. */
  | { readonly code: "undo-unfinished" }
  /** Finished files that a run makes anew, whatever it sends. */
  | {
      readonly code: "files-remade";
      readonly why: RemadeReason;
      readonly files: readonly string[];
    }
  | { readonly code: "files-to-fetch"; readonly count: number; readonly of: "files" | "links" }
  /** Finished PDFs and archives that a run takes away: nothing goes into them any more. */
  | { readonly code: "files-removed"; readonly files: readonly string[] }
  /** Codes whose pictures are not all there, or not those that the job wants. */
  | { readonly code: "pictures-remade"; readonly count: number }
  /** Codes whose frames have room for a text, and whose rows give none. */
  | { readonly code: "frame-texts-empty"; readonly count: number }
  /** How small framed drawings may be printed: for the code, and for the text of the frame. */
  | {
      readonly code: "least-width";
      readonly frame: string;
      readonly codeMm: number;
      readonly textMm: number | undefined;
    }
  /** New codes that get more error correction than the API's default without becoming larger. */
  | { readonly code: "stronger-codes"; readonly count: number; readonly of: number }
  /** New codes that are larger than their text needs (`isLevelL`: and have the least error correction), since the logo must not cover an alignment pattern. */
  | { readonly code: "grown-codes"; readonly count: number; readonly isLevelL?: true }
  /** More changes than `safety.confirm_over` allows without a yes. */
  | { readonly code: "needs-yes"; readonly over: number }
  /** The manifest allows fewer bad rows: a run sends nothing. */
  | { readonly code: "sends-nothing"; readonly why: string }
  | { readonly code: "renamed-files"; readonly count: number; readonly examples: readonly string[] }
  /** No row is good: a run leaves what is finished as it is. */
  | { readonly code: "keeps-files" }
  /** New codes of this run; or changes of codes that exist. */
  | { readonly code: "limited" | "limited-changes"; readonly count: number; readonly of: number }
  /** So many codes that are made get another public address; static ones hold none. */
  | ({ readonly code: "address-moves"; readonly count: number } & SeenAddress)
  /** A remote server was not asked whether codes still have this address, or did not say. */
  | ({ readonly code: "address-not-told" } & UntoldAddress)
  /** Codes that are made, but whose files did not come or were wrong: a run fetches them. */
  | {
      readonly code: "files-missing";
      readonly count: number;
      /** The job has archives: they lack them, too. */
      readonly isZipped: boolean;
      /** `line 3` or the like, and why. */
      readonly examples: readonly { readonly row: string; readonly message: string }[];
    }
  /** Pictures that were not read yet, or that no decoder reads. */
  | { readonly code: "files-unproven"; readonly count: number }
  /** Codes that are void, and stand on PDFs that a run may make anew. */
  | { readonly code: "void-codes"; readonly count: number; readonly examples: readonly string[] }
  | {
      readonly code: "looks-not-asked";
      readonly count: number;
      /** What may show an older look. */
      readonly of: "sheets" | "pictures";
    }
  | { readonly code: "nothing-selected" | "same-looks-are-free" }
  | { readonly code: "files-anew" | "files-untold"; readonly count: number }
  /** Rows get random serials; so many tries it takes to guess one. */
  | {
      readonly code: "serials";
      readonly rows: number;
      readonly form: string;
      readonly tries: number;
    }
  /** The rows were read or fetched, and are kept. */
  | {
      readonly code: "source-kept";
      readonly from: string;
      readonly bytes: number;
      readonly atMs: number;
      readonly isOld: boolean;
      readonly file: string;
    }
  /** The proof of so many labels is sampled; `later`: rows that `--limit` leaves. */
  | { readonly code: "proof-sampled"; readonly labels: number; readonly later?: number }
  | { readonly code: "kept-for-undo" | "not-kept" | "without-links" | "server-not-asked" }
  | { readonly code: "destinations-asked"; readonly method: "head" | "get" }
  | { readonly code: "scans-of"; readonly window: string }
  | { readonly code: "compared-with"; readonly window: string };
